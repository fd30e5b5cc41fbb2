// What makes a channel out of the engine.
import type { Parts } from "../engine/start.ts";
import { BumpSender } from "./bumps.ts";
import { channelCall } from "./calls.ts";
import { makeChannel } from "./kind.ts";
import type { ChannelOwn } from "./state.ts";

export const CHANNEL: Parts<ChannelOwn> = {
  party: "channel",
  start: (room) => {
    const bumps = new BumpSender(room);
    return {
      makeKind: (made, ref, own) => makeChannel(made, ref, own, bumps),
      call: (asked) => channelCall(room(), asked),
    };
  },
};
