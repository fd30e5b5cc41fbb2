// What the text in a composer answers, as it is kept beside the text until that is sent.
import type { MessageId } from "#protocol/ids.ts";
import type { TimelineMessage } from "../store/timeline-snapshots.ts";

/**
 * The message, and where that is a reply itself, behind a space, the root of both: by the time the text is sent the device
 * may hold the reply no more.
 */
export type ReplyTarget = string;

export function targetOf({ id, quote }: Pick<TimelineMessage, "id" | "quote">): ReplyTarget {
  return quote ? `${id} ${quote.id}` : id;
}

export function messageIn(target: ReplyTarget): MessageId {
  return target.split(" ")[0] as MessageId;
}

/** As it was when one began to answer. */
export function rootIn(target: ReplyTarget): MessageId {
  return target.split(" ").at(-1) as MessageId;
}
