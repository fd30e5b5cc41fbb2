// Messages, and changes of them, that their author deleted while they waited or were on their way. Pure.
import type { MessageId } from "#protocol/ids.ts";
import type { OutboxRecord } from "./schema.ts";

/** The message that it changes; null for all else. */
export function changedBy(op: OutboxRecord): MessageId | null {
  return op.op === "message.edit" || op.op === "message.react" || op.op === "message.pin" ? op.args.id : null;
}

/** Refused, it is what they want; a deletion that was refused itself doesn't count. */
export function isDeletedBehind(outbox: readonly OutboxRecord[], op: OutboxRecord): boolean {
  const message = op.op === "message.post" ? op.args.id : changedBy(op);
  return outbox.some(
    (other) =>
      other.op === "message.delete" &&
      other.args.id === message &&
      other.room === op.room &&
      other.refusal === undefined,
  );
}
