/** A workspace's room as a PartyKit server. */
import type * as Party from "partykit/server";
import { RoomServer } from "./host/server.ts";
import { workspaceCall } from "./workspace/calls.ts";
import { makeSenders, makeWorkspace } from "./workspace/kind.ts";
import type { WorkspaceOwn } from "./workspace/state.ts";

// PartyKit wants the class as the default export.
// oxlint-disable-next-line import/no-default-export
export default class WorkspaceServer extends RoomServer<WorkspaceOwn> {
  constructor(party: Party.Room) {
    super(party, {
      party: "workspace",
      start: (room) => {
        const senders = makeSenders(room);
        return { makeKind: (made, ref, own) => makeWorkspace(made, ref, own, senders), call: (asked) => workspaceCall(room(), asked) };
      },
    });
  }
}
