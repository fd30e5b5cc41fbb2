// signal: passed on, not kept. From a workspace room also `bump`: what became new in a channel.
import * as v from "valibot";
import { channelId, messageId, userId } from "../ids.ts";
import { presenceState } from "./base.ts";
import { head } from "./welcome.ts";

export const signalSent = v.variant("kind", [
  v.object({ t: v.literal("signal"), kind: v.literal("typing"), root: v.exactOptional(messageId) }),
  v.object({ t: v.literal("signal"), kind: v.literal("presence"), state: presenceState }),
]);
export type SignalSent = v.InferOutput<typeof signalSent>;

export const signal = v.variant("kind", [
  v.object({ t: v.literal("signal"), kind: v.literal("typing"), from: userId, root: v.exactOptional(messageId) }),
  v.object({
    t: v.literal("signal"),
    kind: v.literal("presence"),
    from: userId,
    /** `gone`: their last connection to this room closed. */
    state: v.union([presenceState, v.literal("gone")]),
  }),
  v.object({
    t: v.literal("signal"),
    kind: v.literal("bump"),
    channel: channelId,
    ...head.entries,
    author: v.exactOptional(userId),
    /** The heads counter after it. */
    counter: v.number(),
  }),
]);
export type Signal = v.InferOutput<typeof signal>;
