/** A workspace's room as a PartyKit server, which wants the class as the default export. */
import type * as Party from "partykit/server";
import { RoomServer } from "./host/server.ts";
import { WORKSPACE } from "./workspace/parts.ts";
import type { WorkspaceOwn } from "./workspace/state.ts";

export default class WorkspaceServer extends RoomServer<WorkspaceOwn> {
  constructor(party: Party.Room) {
    super(party, WORKSPACE);
  }
}
