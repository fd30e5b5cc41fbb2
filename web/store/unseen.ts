// Whether the room may know of an op already.
import { isOpen } from "./outbox.ts";
import type { OutboxRecord } from "./schema.ts";

/** Whether the room may have done it already, though no answer says so. */
export function mayStand({ refusal, maybeDelivered }: OutboxRecord): boolean {
  return maybeDelivered === true || refusal?.maybeDelivered === true;
}

/** Whether it may still be changed, merged or removed: nobody can have seen it ([OP10]). */
export function isUnseen(op: OutboxRecord): boolean {
  return isOpen(op) && !mayStand(op);
}
