// A message: the one entity of a channel room. Its place is `seq`, never a time ([RV4]).
import * as v from "valibot";
import { messageId, userId } from "../ids.ts";
import { instant, rev, seq, tally } from "./base.ts";

/** A line the room writes itself, with its details; `author` is who did it. */
export const systemLine = v.variant("type", [
  v.object({ type: v.literal("created") }),
  v.object({ type: v.literal("joined"), user: userId }),
  v.object({ type: v.literal("left"), user: userId }),
  v.object({ type: v.literal("topic"), topic: v.string() }),
  v.object({ type: v.literal("renamed"), name: v.string(), was: v.string() }),
  v.object({ type: v.literal("archived"), on: v.boolean() }),
]);
export type SystemLine = v.InferOutput<typeof systemLine>;

export const replies = v.object({
  count: tally,
  lastAt: instant,
  /** The latest few who replied, newest first. */
  people: v.array(userId),
});

const keys = {
  kind: v.literal("message"),
  id: messageId,
  rev,
  seq,
  author: userId,
  /** The room's clock; never decreases with `seq`. */
  createdAt: instant,
  root: v.exactOptional(messageId),
  /** A reply that stands in the timeline as well as in its thread. */
  toChannel: v.exactOptional(v.boolean()),
  replies: v.exactOptional(replies),
};

export const liveMessage = v.object({
  ...keys,
  deleted: v.exactOptional(v.literal(false)),
  system: v.exactOptional(systemLine),
  text: v.string(),
  /** The author's clock, where it was written offline; nothing is ever sorted by it. */
  writtenAt: v.exactOptional(instant),
  editedAt: v.exactOptional(instant),
  edits: v.exactOptional(tally),
  /** The rev at which the text last changed; an edit whose `base` is below it was made without having seen that. */
  textRev: v.exactOptional(rev),
  /** What edits took the place of without having seen it. Gone with the first that has; without text where that is too long. */
  replaced: v.exactOptional(v.object({ text: v.exactOptional(v.string()), at: instant })),
  /** emoji → the people, in the order they reacted */
  reactions: v.exactOptional(v.record(v.string(), v.array(userId))),
  mentions: v.exactOptional(v.array(userId)),
  /** It stands on the channel's list of pins: who put it there, and when by the room's clock. */
  pinned: v.exactOptional(v.object({ by: userId, at: instant })),
});

export const messageTombstone = v.object({
  ...keys,
  deleted: v.literal(true),
  deletedAt: instant,
});

export const message = v.union([messageTombstone, liveMessage]);
export type LiveMessage = v.InferOutput<typeof liveMessage>;
export type MessageTombstone = v.InferOutput<typeof messageTombstone>;
export type Message = v.InferOutput<typeof message>;

/** Whether it takes part in the timeline's unread mark: not system lines, not replies inside threads (product, 3). */
export function countsAsUnread(of: Message): boolean {
  if (!of.deleted && of.system !== undefined) return false;
  return of.root === undefined || of.toChannel === true;
}
