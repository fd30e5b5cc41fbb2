// About what messages take on disk, without asking the browser, whose own answer is coarse and lags. For limits and for
// the sentence on the page; nothing depends on its being exact.
import type { Message } from "#protocol/entities/message.ts";
import type { RoomRecord } from "./schema.ts";

/** Keys, indexes, ids and the names of fields: what a message of no text takes. */
const RECORD_BYTES = 420;
/** Of a message whose text isn't at hand. */
const USUAL_BYTES = RECORD_BYTES + 80;
/** A reaction's name of a person. */
const NAME_BYTES = 40;

export function bytesOf(message: Message): number {
  if (message.deleted) return RECORD_BYTES;
  const names = Object.values(message.reactions ?? {}).reduce((sum, people) => sum + people.length, 0);
  return RECORD_BYTES + message.text.length + names * NAME_BYTES;
}

/** What a room's messages take; records of older builds don't say. */
export function bytesHeld({ heldBytes, heldCount }: RoomRecord): number {
  return heldBytes ?? heldCount * USUAL_BYTES;
}
