// What of a change of the timeline is news to who listens to it. Pure.
import type { MessageId } from "#protocol/ids.ts";
import type { TimelineMessage, TimelineSnapshot } from "../../store/timeline-snapshots.ts";
import { n } from "../../ui/strings-announcer.ts";
import { lastSeq, newAfter, placeLeft } from "./rows.ts";

export type Ready = Extract<TimelineSnapshot, { readonly state: "ready" }>;

interface News {
  readonly fresh: readonly TimelineMessage[];
  /** What stands up to this place is no news any more. */
  readonly upTo: number;
}

/** Those of which no change had been refused, and now one is. */
export function refusedSince(
  messages: readonly TimelineMessage[],
  before: ReadonlySet<MessageId>,
): readonly TimelineMessage[] {
  return messages.filter(({ id, refused }) => refused !== undefined && before.has(id));
}

export function unrefused(messages: readonly TimelineMessage[]): ReadonlySet<MessageId> {
  return new Set(messages.filter(({ refused }) => refused === undefined).map(({ id }) => id));
}

/** Each reason once; null where there is none. */
export function refusalSaid(refused: readonly TimelineMessage[]): string | null {
  const reasons = refused.flatMap((message) => message.refused?.refusal.detail ?? []);
  const [first] = reasons;
  if (first === undefined) return null;
  return reasons.length === 1 ? n.refused(first) : n.refusedMany(reasons.length, [...new Set(reasons)]);
}

/** @param before up to where nothing is news; null at first, when nothing is */
export function newsIn(snapshot: Ready, before: number | null): News {
  if (before === null) return { fresh: [], upTo: placeLeft(snapshot) };
  const { messages, newer, heardTo } = snapshot;
  // Where a link led far up, what comes below as one reads on stood there before.
  const fresh = newer === "nothing" ? newAfter(messages, before) : [];
  // Behind what I wrote myself others' words may be missing, and come later.
  return { fresh, upTo: Math.max(before, Math.min(heardTo, lastSeq(messages)), lastSeq(fresh)) };
}
