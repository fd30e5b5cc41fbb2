// Posts and edits that were refused here and may have been delivered all the same ([AU4]): once their message is here, with
// the words of the edit, they were.
import type { Message } from "#protocol/entities/message.ts";
import type { UserId } from "#protocol/ids.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { putOp, readOutboxOf, removeOp } from "../store/outbox.ts";
import type { OutboxRecord } from "../store/schema.ts";
import type { WriteTx } from "../store/tx.ts";
import { mayStand } from "../store/unseen.ts";

/** Takes them out of the outbox; what one changed of their messages since goes from there. */
export async function settleFound(tx: WriteTx, room: RoomName, me: UserId, came: readonly Message[]): Promise<void> {
  const own = new Map(came.flatMap((message) => (message.author === me ? [[message.id, message] as const] : [])));
  if (own.size === 0) return;
  for (const op of await readOutboxOf(tx, room)) {
    // One that is open, or on its way, has an answer to come.
    if (op.refusal === undefined || !mayStand(op)) continue;
    if (op.op !== "message.post" && op.op !== "message.edit") continue;
    const message = own.get(op.args.id);
    const stands = op.op === "message.post" || (message?.deleted !== true && message?.text === op.args.text);
    if (message !== undefined && stands) removeFound(tx, op);
  }
}

/** Whoever follows what becomes of it sees that it was delivered. */
export function removeFound(tx: WriteTx, op: OutboxRecord): void {
  removeOp(tx, putOp(tx, { ...op, isFound: true }));
}
