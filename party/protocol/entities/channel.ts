// A channel as the workspace's directory knows it; its messages live in a room of their own.
import * as v from "valibot";
import { channelId, userId } from "../ids.ts";
import { instant, rev } from "./base.ts";

export const access = v.picklist(["public", "private", "dm"]);
export type Access = v.InferOutput<typeof access>;

/** Who may post: everybody who may write, or only admins. */
export const posting = v.picklist(["all", "admins"]);

export const liveChannel = v.object({
  kind: v.literal("channel"),
  id: channelId,
  rev,
  deleted: v.exactOptional(v.literal(false)),
  access,
  name: v.string(),
  topic: v.string(),
  purpose: v.string(),
  createdBy: userId,
  createdAt: instant,
  archivedAt: v.exactOptional(instant),
  posting,
  retentionDays: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
});

export const channelTombstone = v.object({
  kind: v.literal("channel"),
  id: channelId,
  rev,
  deleted: v.literal(true),
});

export const channel = v.union([channelTombstone, liveChannel]);
export type LiveChannel = v.InferOutput<typeof liveChannel>;
export type Channel = v.InferOutput<typeof channel>;
