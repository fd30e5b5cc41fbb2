// Ops that go once more: a number that is void, or a refusal that the person tries again.
import { putOp } from "./outbox.ts";
import type { OutboxRecord } from "./schema.ts";
import type { WriteTx } from "./tx.ts";
import { mayStand } from "./unseen.ts";

/** Takes the number off: the op waits in its place again. */
export function openAgain(tx: WriteTx, op: OutboxRecord): OutboxRecord {
  const { n, device: _device, skip: _skip, refusal: _refusal, ...open } = op;
  return putOp(tx, n !== undefined || mayStand(op) ? { ...open, maybeDelivered: true } : open);
}
