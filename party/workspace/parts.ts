// What makes a workspace out of the engine.
import type { Parts } from "../engine/start.ts";
import { workspaceCall } from "./calls.ts";
import { makeSenders, makeWorkspace } from "./kind.ts";
import type { WorkspaceOwn } from "./state.ts";

export const WORKSPACE: Parts<WorkspaceOwn> = {
  party: "workspace",
  start: (room) => {
    const senders = makeSenders(room);
    return {
      makeKind: (made, ref, own) => makeWorkspace(made, ref, own, senders),
      call: (asked) => workspaceCall(room(), asked),
    };
  },
};
