// What is a person's own and seen by nobody else: read positions, channel preferences, synced drafts.
// Ids are `<user>.<channel>`, in threads `<user>.<channel>.<root>`.
import * as v from "valibot";
import { channelId, messageId, userId } from "../ids.ts";
import { instant, rev, seq } from "./base.ts";

const keys = { id: v.string(), rev, user: userId, channel: channelId };

export const read = v.object({
  kind: v.literal("read"),
  ...keys,
  root: v.exactOptional(messageId),
  /** All up to here is read. */
  seq,
  /** The rev at which the person marked it unread by hand; cleared by the next reading ([OP17]). */
  unreadRev: v.exactOptional(rev),
  /** The same where it has been read on since, though perhaps not all of it. */
  markRev: v.exactOptional(rev),
  /** The rev at which the person last set it, 0 if never, where the room has moved it since ([SV2]). */
  setRev: v.exactOptional(rev),
});
export type Read = v.InferOutput<typeof read>;

export const notificationLevel = v.picklist(["all", "mentions", "none"]);

export const prefs = v.object({
  kind: v.literal("prefs"),
  ...keys,
  level: v.exactOptional(notificationLevel),
  starred: v.exactOptional(v.boolean()),
  muted: v.exactOptional(v.boolean()),
  section: v.exactOptional(v.string()),
});
export type Prefs = v.InferOutput<typeof prefs>;

export const liveDraft = v.object({
  kind: v.literal("draft"),
  ...keys,
  deleted: v.exactOptional(v.literal(false)),
  root: v.exactOptional(messageId),
  text: v.string(),
  at: instant,
  /** When it was begun: kept while it is written on ([OP18]). A room before version 12 doesn't say. */
  since: v.exactOptional(instant),
});

export type LiveDraft = v.InferOutput<typeof liveDraft>;

export const draftTombstone = v.object({
  kind: v.literal("draft"),
  ...keys,
  deleted: v.literal(true),
  root: v.exactOptional(messageId),
});

export const draft = v.union([draftTombstone, liveDraft]);
export type Draft = v.InferOutput<typeof draft>;
