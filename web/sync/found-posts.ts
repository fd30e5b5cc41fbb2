// Posts that were refused here and may have been delivered all the same ([AU4]): once their message is here, they were.
import type { Message } from "#protocol/entities/message.ts";
import type { UserId } from "#protocol/ids.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { mayStand } from "../store/open-again.ts";
import { putOp, readOutboxOf, removeOp } from "../store/outbox.ts";
import type { OutboxRecord } from "../store/schema.ts";
import type { WriteTx } from "../store/tx.ts";

/** Takes those out of the outbox whose messages came; what one changed of them since goes from there. */
export async function settleFound(
  tx: WriteTx,
  room: RoomName,
  me: UserId,
  came: readonly Pick<Message, "id" | "author">[],
): Promise<void> {
  const own = new Set(came.flatMap(({ id, author }) => (author === me ? [id] : [])));
  if (own.size === 0) return;
  for (const op of await readOutboxOf(tx, room)) {
    // One that is open, or on its way, has an answer to come.
    const isKept = op.op === "message.post" && op.refusal !== undefined && mayStand(op);
    if (isKept && own.has(op.args.id)) removeFound(tx, op);
  }
}

/** Whoever follows what becomes of it sees that it was delivered. */
export function removeFound(tx: WriteTx, op: OutboxRecord): void {
  removeOp(tx, putOp(tx, { ...op, isFound: true }));
}
