// The edge's calls that lie outside a workspace: accounts, workspaces, invitations. Protocol, sections 1 and 11.
import * as v from "valibot";
import { failure, type Failure } from "#protocol/errors.ts";
import {
  config as configSchema,
  invitation,
  invitationAccepted,
  invitationCreated,
  me,
  problem,
  workspaceCreated,
  type Config,
  type Invitation,
  type InvitationAccepted,
  type InvitationCreated,
  type Me,
  type WorkspaceCreated,
} from "#protocol/http.ts";
import type { WorkspaceId } from "#protocol/ids.ts";
import { failed, type Result } from "#protocol/result.ts";
import type { Role } from "#protocol/roles.ts";
import type { SignUpForm } from "./client.ts";
import { ask, judge, request } from "./http.ts";
import type { Ports } from "./ports.ts";

export interface Edge {
  readonly config: () => Promise<Result<Config, Failure>>;
  readonly me: () => Promise<Result<Me, Failure>>;
  readonly signUp: (form: SignUpForm) => Promise<Result<unknown, Failure>>;
  readonly signIn: (form: { readonly email: string; readonly password: string }) => Promise<Result<unknown, Failure>>;
  /** @param calledOff while it isn't answered */
  readonly signOut: (calledOff?: AbortSignal) => Promise<Result<unknown, Failure>>;
  readonly createWorkspace: (form: {
    readonly id: WorkspaceId;
    readonly name: string;
    readonly setupCode?: string;
  }) => Promise<Result<WorkspaceCreated, Failure>>;
  readonly invitation: (code: string) => Promise<Result<Invitation, Failure>>;
  readonly invite: (
    workspace: WorkspaceId,
    form: { readonly role?: Role },
  ) => Promise<Result<InvitationCreated, Failure>>;
  readonly accept: (code: string) => Promise<Result<InvitationAccepted, Failure>>;
}

// Of the authentication library's answers only what a portal in between wouldn't say as well ([AU2]).
const signedIn = v.looseObject({ user: v.looseObject({ id: v.string() }) });
const signedOut = v.looseObject({ success: v.literal(true) });

/** @param api where the edge's calls are, by the configuration */
export function createEdge(ports: Pick<Ports, "fetch" | "origin" | "timers">, api: () => string): Edge {
  const get = <S extends v.GenericSchema>(path: string, schema: S) =>
    request(ports, { method: "GET", url: `${api()}${path}` }, schema);
  const post = <S extends v.GenericSchema>(path: string, body: unknown, schema: S) =>
    request(ports, { method: "POST", url: `${api()}${path}`, body }, schema);
  return {
    config: () => request(ports, { method: "GET", url: "/config.json" }, configSchema),
    me: () => get("/me", me),
    signUp: (form) => post("/auth/sign-up/email", form, signedIn),
    signIn: (form) => post("/auth/sign-in/email", form, signedIn),
    signOut: async (signal) => {
      const url = `${api()}/auth/sign-out`;
      const answer = await ask(ports, { method: "POST", url, body: {}, ...(signal && { signal }) });
      // Whoever says that in the edge's place knows nothing of the session: it would stand, and nobody here know.
      const isOurs = answer.kind === "no-network" || answer.status !== 401 || v.is(problem, answer.body);
      return isOurs ? judge(answer, signedOut) : failed(failure("upstream_unavailable"));
    },
    createWorkspace: (form) => post("/workspaces", form, workspaceCreated),
    invitation: (code) => get(`/invitations/${encodeURIComponent(code)}`, invitation),
    invite: (workspace, form) => post(`/workspaces/${workspace}/invitations`, form, invitationCreated),
    accept: (code) => post(`/invitations/${encodeURIComponent(code)}/accept`, {}, invitationAccepted),
  };
}
