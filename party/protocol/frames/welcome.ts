// welcome: the answer to hello. Exactly one `snapshot` or `changes` follows it.
import * as v from "valibot";
import { instant, rev, seq, tally } from "../entities/base.ts";
import { channelId, userId } from "../ids.ts";
import { presenceState, q, you } from "./base.ts";

/** Since an operator restored a room: what its history is called, when that began, and what it began with. */
export const restored = v.object({
  epoch: v.string(),
  at: instant,
  /** The newest place that was left. */
  seq,
});
export type Restored = v.InferOutput<typeof restored>;

/** Where a channel's room stands, as the workspace room knows it: not an entity, raises no rev. */
export const head = v.object({
  /** The newest place given. */
  seq,
  /** The newest place that stands in the timeline and counts as unread. */
  top: seq,
  rev,
  at: instant,
  /** Missing where it never was, and where a room of version 7 tells. */
  restored: v.exactOptional(restored),
});
export type Head = v.InferOutput<typeof head>;

/** Heads changed since the client's counter; `more` says that another pull is due. */
export const heads = v.object({ list: v.record(channelId, head), counter: tally, more: v.boolean() });
export type Heads = v.InferOutput<typeof heads>;

export const headsFrame = v.object({ t: v.literal("heads"), q, ...heads.entries });
export type HeadsFrame = v.InferOutput<typeof headsFrame>;

export const present = v.object({ user: userId, state: presenceState });
export type Present = v.InferOutput<typeof present>;

export const welcome = v.object({
  t: v.literal("welcome"),
  q,
  head: rev,
  epoch: v.string(),
  /** This device's last processed op, 0 if none. */
  lastN: tally,
  /** Below this place messages are gone ([RV3]). */
  floor: seq,
  you,
  /** The room's clock. */
  now: instant,
  expiresAt: instant,
  present: v.array(present),
  heads: v.exactOptional(heads),
});
export type Welcome = v.InferOutput<typeof welcome>;
