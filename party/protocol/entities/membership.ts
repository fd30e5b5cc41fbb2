// That a person is in a channel. Its tombstone, sent to the person as `gone`, means: drop the channel ([RV5]).
import * as v from "valibot";
import { channelId, userId } from "../ids.ts";
import { instant, rev } from "./base.ts";

const keys = { kind: v.literal("membership"), id: v.string(), rev, channel: channelId, user: userId };

export const liveMembership = v.object({
  ...keys,
  deleted: v.exactOptional(v.literal(false)),
  joinedAt: instant,
});

export const membershipTombstone = v.object({
  ...keys,
  deleted: v.literal(true),
  /** Only to the person concerned, and only where the channel itself is out of sight now. */
  gone: v.exactOptional(v.boolean()),
});

export const membership = v.union([membershipTombstone, liveMembership]);
export type LiveMembership = v.InferOutput<typeof liveMembership>;
export type Membership = v.InferOutput<typeof membership>;
