// `POST /api/auth/revoke`: one's own sessions, or, as an administrator, somebody's tokens for one's workspaces.
import { Hono } from "hono";
import * as v from "valibot";
import { failure, type Failure } from "#protocol/errors.ts";
import { sessionId, userId, type UserId, type WorkspaceId } from "#protocol/ids.ts";
import { isAdmin } from "#protocol/roles.ts";
import { limitAddress } from "../auth/limits.ts";
import { denyEverywhere, denyTokens } from "../auth/revocation.ts";
import { sessionOf } from "../auth/session.ts";
import { endSession, endSessionsOf } from "../db/sessions.ts";
import { workspacesOf } from "../db/workspaces.ts";
import type { Env } from "../env.ts";
import { readJson } from "../http/body.ts";
import { empty, problem } from "../http/reply.ts";
import { aboutFor } from "./about.ts";

const revoke = v.object({ user: v.exactOptional(userId), sid: v.exactOptional(sessionId) });

export const revocation = new Hono<{ Bindings: Env }>();

revocation.post("/revoke", async (c) => {
  const session = await sessionOf(c.req.raw, c.env);
  if (!session.ok) return problem(session.error);
  const limited = await limitAddress(c.env, c.req.raw);
  if (!limited.ok) return problem(limited.error);
  const body = await readJson(c.req.raw, revoke);
  if (!body.ok) return problem(body.error);
  const me = session.value.user.id;
  const { user = me, sid } = body.value;
  const fault = user === me ? await revokeMine(c.env, me, sid) : await revokeTheirs(c.env, me, user, sid);
  return fault ? problem(fault) : empty();
});

/** Without `sid`, all of them, this one included. The session ends first: no new token comes of it. */
async function revokeMine(env: Env, me: UserId, sid: string | undefined): Promise<Failure | null> {
  if (sid !== undefined && !(await endSession(env.DB, me, sid))) return failure("not_found");
  if (sid === undefined) await endSessionsOf(env.DB, me);
  const told = await denyEverywhere(env, { sub: me, ...(sid === undefined ? {} : { sid }) }, Date.now());
  return told.ok ? null : told.error;
}

/** The account is its owner's; an administrator takes back what it got for the workspaces they administer. */
async function revokeTheirs(env: Env, me: UserId, user: UserId, sid: string | undefined): Promise<Failure | null> {
  const mine = await workspacesOf(env.DB, me);
  const theirs = new Set((await workspacesOf(env.DB, user)).map(({ id }) => id));
  const shared = mine.map(({ id }) => id).filter((id) => theirs.has(id));
  const administered: WorkspaceId[] = [];
  for (const workspace of shared) {
    const about = await aboutFor(env, workspace, me);
    if (!about.ok) return about.error;
    if (about.value.role !== null && isAdmin(about.value.role)) administered.push(workspace);
  }
  // Whether there is such a person isn't told to who has no say over them.
  if (administered.length === 0) return failure("not_found");
  const told = await denyTokens(env, administered, { sub: user, ...(sid === undefined ? {} : { sid }) }, Date.now());
  return told.ok ? null : told.error;
}
