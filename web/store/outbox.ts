// Table `outbox`: ops stored and not yet answered, in the order written. Their numbers come from table `devices`.
import type { OpId } from "#protocol/ids.ts";
import { parseRoomName, type RoomName } from "#protocol/room-name.ts";
import type { WorkspaceId } from "#protocol/ids.ts";
import type { OutboxRecord } from "./schema.ts";
import type { ReadTx, WriteTx } from "./tx.ts";

type NewOp = OutboxRecord extends infer Each
  ? Each extends OutboxRecord
    ? Omit<Each, "place" | "version">
    : never
  : never;

export function readOutbox(tx: ReadTx): Promise<OutboxRecord[]> {
  return tx.all("outbox");
}

export async function readOutboxOf(tx: ReadTx, room: RoomName): Promise<OutboxRecord[]> {
  return (await readOutbox(tx)).filter((op) => op.room === room);
}

export function readOp(tx: ReadTx, id: OpId): Promise<OutboxRecord | undefined> {
  return tx.find("outbox", "id", id);
}

/** Stores a new op behind all others. */
export async function appendOp(tx: WriteTx, op: NewOp): Promise<OutboxRecord> {
  const place = await tx.add("outbox", { ...op, version: 0 });
  return { ...op, version: 0, place };
}

/** Stores a changed op in its place. */
export function putOp(tx: WriteTx, op: OutboxRecord): OutboxRecord {
  const next = { ...op, version: op.version + 1 };
  tx.put("outbox", next);
  return next;
}

export function removeOp(tx: WriteTx, op: OutboxRecord): void {
  tx.remove("outbox", op.place);
}

export function isOpen(op: OutboxRecord): boolean {
  return op.n === undefined && op.refusal === undefined;
}

export function workspaceOf(op: Pick<OutboxRecord, "room">): WorkspaceId | null {
  return parseRoomName(op.room)?.workspace ?? null;
}

/** Whether a person waits for it. */
export function isCounted(op: OutboxRecord): boolean {
  return op.op !== "read.set" && op.op !== "draft.set";
}
