// Ops as they lie in an outbox, for tests of what is made of them.
import type { OpId } from "#protocol/ids.ts";
import type { AnyOp } from "#protocol/ops/all.ts";
import type { RoomName } from "#protocol/room-name.ts";
import type { OutboxRecord } from "../store/schema.ts";

export const DIRECTORY = "workspace:w" as RoomName;
export const CHANNEL = "channel:w_c" as RoomName;

/** What a test says of an op; places and ids come by the order. */
export type Waiting = { readonly op: AnyOp["op"]; readonly args: unknown; readonly room?: RoomName } & Partial<
  Pick<OutboxRecord, "n" | "refusal" | "dueAt" | "id" | "skip" | "maybeDelivered" | "took">
>;

export function outboxOf(...ops: readonly Waiting[]): OutboxRecord[] {
  return ops.map((each, i) => {
    const room = each.room ?? (each.op.startsWith("message.") ? CHANNEL : DIRECTORY);
    return { id: `op${i + 1}` as OpId, place: i + 1, version: 0, at: 1_000 + i, ...each, room } as OutboxRecord;
  });
}

export const REFUSED = { code: "forbidden", detail: "no" } as const;

export function post(id: string, more: object = {}): Waiting {
  return { op: "message.post", args: { id, text: id, ...more } };
}

export function change(op: AnyOp["op"], args: unknown): AnyOp {
  return { op, args } as AnyOp;
}
