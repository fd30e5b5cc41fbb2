// Table `outbox`: ops stored and not yet answered, in the order written. Their numbers come from table `devices`.
import type { OpId } from "#protocol/ids.ts";
import { DRAFT_EVERY_MS, READ_EVERY_MS } from "#protocol/limits.ts";
import { parseRoomName, type RoomName } from "#protocol/room-name.ts";
import type { WorkspaceId } from "#protocol/ids.ts";
import type { OutboxRecord } from "./schema.ts";
import type { Refusal } from "./snapshots.ts";
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

/** Keeps it for the person, with the reason; its number, if it had one, is done with. */
export function refuseOp(tx: WriteTx, op: OutboxRecord, refusal: Refusal): OutboxRecord {
  const { n: _n, device: _device, skip: _skip, ...kept } = op;
  return putOp(tx, { ...kept, refusal });
}

/** Numbered and unanswered, lowest first. */
export function numbered(ops: readonly OutboxRecord[]): (OutboxRecord & { readonly n: number })[] {
  return ops
    .filter((op): op is OutboxRecord & { readonly n: number } => op.n !== undefined)
    .toSorted((a, b) => a.n - b.n);
}

export function isOpen(op: OutboxRecord): boolean {
  return op.n === undefined && op.refusal === undefined;
}

/** Nothing is held back longer, whatever the clock says. */
const HELD_BACK_MAX_MS = Math.max(READ_EVERY_MS, DRAFT_EVERY_MS);

/** How long it still waits for a later one to replace it, ms. A clock that was turned back since holds nothing. */
export function heldBackMs({ dueAt = 0 }: OutboxRecord, now: number): number {
  const ms = Math.max(0, dueAt - now);
  return ms > HELD_BACK_MAX_MS ? 0 : ms;
}

export function workspaceOf(op: Pick<OutboxRecord, "room">): WorkspaceId | null {
  return parseRoomName(op.room)?.workspace ?? null;
}

/** Whether a person waits for it. */
export function isCounted(op: OutboxRecord): boolean {
  return op.op !== "read.set" && op.op !== "draft.set";
}
