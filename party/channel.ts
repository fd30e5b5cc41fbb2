/** A channel's room as a PartyKit server. */
import type * as Party from "partykit/server";
import { BumpSender } from "./channel/bumps.ts";
import { channelCall } from "./channel/calls.ts";
import { makeChannel } from "./channel/kind.ts";
import type { ChannelOwn } from "./channel/state.ts";
import { RoomServer } from "./host/server.ts";

// PartyKit wants the class as the default export.
// oxlint-disable-next-line import/no-default-export
export default class ChannelServer extends RoomServer<ChannelOwn> {
  constructor(party: Party.Room) {
    super(party, {
      party: "channel",
      start: (room) => {
        const bumps = new BumpSender(room);
        return { makeKind: (made, ref, own) => makeChannel(made, ref, own, bumps), call: (asked) => channelCall(room(), asked) };
      },
    });
  }
}
