// What "change waiting" says of a message, in its channel and among what a search finds.
import type { OutboxRecord } from "./schema.ts";

/** An op that is still to change a message: not one that makes it, nor one that was refused. */
export function isWaitingChange({ op, refusal }: OutboxRecord): boolean {
  return op !== "message.post" && refusal === undefined;
}
