/** A channel's room as a PartyKit server, which wants the class as the default export. */
import type * as Party from "partykit/server";
import { CHANNEL } from "./channel/parts.ts";
import type { ChannelOwn } from "./channel/state.ts";
import { RoomServer } from "./host/server.ts";

export default class ChannelServer extends RoomServer<ChannelOwn> {
  constructor(party: Party.Room) {
    super(party, CHANNEL);
  }
}
