// Ops that go once more: a number that is void, or a refusal that the person tries again.
import { isOpen, putOp } from "./outbox.ts";
import type { OutboxRecord } from "./schema.ts";
import type { WriteTx } from "./tx.ts";

/** Takes the number off: the op waits in its place again. */
export function openAgain(tx: WriteTx, op: OutboxRecord): OutboxRecord {
  const { n, device: _device, skip: _skip, refusal: _refusal, ...open } = op;
  return putOp(tx, n !== undefined || mayStand(op) ? { ...open, maybeDelivered: true } : open);
}

/** Whether the room may have done it already, though no answer says so. */
export function mayStand({ refusal, maybeDelivered }: OutboxRecord): boolean {
  return maybeDelivered === true || refusal?.maybeDelivered === true;
}

/** Whether it may still be changed, merged or removed: nobody can have seen it ([OP10]). */
export function isUnseen(op: OutboxRecord): boolean {
  return isOpen(op) && !mayStand(op);
}
