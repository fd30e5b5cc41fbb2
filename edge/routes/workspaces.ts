// Workspaces: listing mine, and making one. The index takes the name first, then the room is made; whichever fails,
// no half of a workspace is left where anybody can see it.
import { Hono } from "hono";
import { uuidv7 } from "uuidv7";
import * as v from "valibot";
import { failure, type Failure } from "#protocol/errors.ts";
import { createWorkspace, type CreateWorkspace, type Me, type WorkspaceCreated } from "#protocol/http.ts";
import { channelId, workspaceId, type UserId } from "#protocol/ids.ts";
import { failed, ok, type Result } from "#protocol/result.ts";
import { roomCreated, type CreateRoom } from "#protocol/service.ts";
import { randomCode } from "../auth/digest.ts";
import { limitAddress } from "../auth/limits.ts";
import { callRoom } from "../auth/service.ts";
import { sessionOf, type Session } from "../auth/session.ts";
import { setupFault } from "../auth/sign-up-gate.ts";
import {
  noteRole,
  releaseWorkspace,
  reserveWorkspace,
  takenSlugs,
  workspaceBegun,
  workspaceMadeBy,
  workspacesOf,
  workspacesUnsure,
  type WorkspaceRow,
} from "../db/workspaces.ts";
import { configOf, type Env } from "../env.ts";
import { readJson } from "../http/body.ts";
import { json, problem } from "../http/reply.ts";
import { aboutFor } from "./about.ts";
import { isReserved, slugFrom, slugsLike } from "./slugs.ts";

/** Names tried in one go when the one wanted is taken; beyond it, random letters. */
const SLUGS_TRIED = 20;

export const workspaces = new Hono<{ Bindings: Env }>();

workspaces.get("/me", async (c) => {
  const session = await sessionOf(c.req.raw, c.env);
  if (!session.ok) return problem(session.error);
  const { user, headers } = session.value;
  await askUnsure(c.env, user.id);
  const me: Me = { user, workspaces: await workspacesOf(c.env.DB, user.id) };
  return json(me, 200, headers);
});

/**
 * Who was let in again is in their list again, and so is whoever made one and was cut off before it was noted ([ED3]);
 * where a room can't be asked, at the next look.
 */
async function askUnsure(env: Env, user: UserId): Promise<void> {
  const unsure = await workspacesUnsure(env.DB, user);
  await Promise.all(
    unsure.map(async (workspace) => {
      const about = await aboutFor(env, workspace, user);
      if (about.ok) await noteRole(env.DB, workspace, user, about.value.role, Date.now());
    }),
  );
}

workspaces.post("/workspaces", async (c) => {
  const session = await sessionOf(c.req.raw, c.env);
  if (!session.ok) return problem(session.error);
  const limited = await limitAddress(c.env, c.req.raw);
  if (!limited.ok) return problem(limited.error);
  const body = await readJson(c.req.raw, createWorkspace);
  if (!body.ok) return problem(body.error);

  const onceMore = async (row: WorkspaceRow): Promise<Response> => {
    const again = await makeRoom(c.env, session.value, row);
    return again.ok ? json(again.value, 201, session.value.headers) : problem(again.error);
  };
  const isOpen = configOf(c.env).OPEN_SIGNUP;
  // Asked again because no answer came. The set-up code has been used by then, and the name taken: by this.
  const known = await begun(c.env, session.value.user.id, body.value, isOpen);
  if (!known.ok) return problem(known.error);
  if (known.value !== null) return onceMore(known.value);

  const closed = isOpen ? null : await setupFault(c.env, body.value.setupCode);
  const reserved = closed
    ? failed(problem(body.value.setupCode === undefined ? forVisitors(closed) : closed))
    : await reserve(c.env, session.value, body.value, !isOpen);
  if (!reserved.ok) {
    // What is in the way may be the same, asked for twice at once.
    const same = await sameBegun(c.env, session.value.user.id, body.value);
    return same === null ? reserved.error : onceMore(same);
  }
  const made = await makeRoom(c.env, session.value, reserved.value);
  if (made.ok) return json(made.value, 201, session.value.headers);
  await releaseWorkspace(c.env.DB, reserved.value.id);
  return problem(made.error);
});

/**
 * What this person has begun to make and asks for again; null: nothing. A device that was started anew gives another id,
 * and perhaps another name: where a set-up code makes one workspace only, it is that one all the same ([ED3]).
 */
async function begun(
  env: Env,
  user: UserId,
  wanted: Pick<CreateWorkspace, "id" | "name">,
  isOpen: boolean,
): Promise<Result<WorkspaceRow | null, Failure>> {
  const same = await sameBegun(env, user, wanted);
  if (same !== null) return ok(same);
  const { name } = wanted;
  const row = await workspaceBegun(env.DB, user, isOpen ? name : null);
  if (row === null || row.name === name) return ok(row);
  // Its room keeps the name it was made with; where there is none, nothing was made, and what is asked for now can be.
  const about = await aboutFor(env, row.id, user);
  if (about.ok) return ok(row);
  if (about.error.code !== "not_found") return about;
  await releaseWorkspace(env.DB, row.id);
  return ok(null);
}

async function sameBegun(
  env: Env,
  user: UserId,
  { id, name }: Pick<CreateWorkspace, "id" | "name">,
): Promise<WorkspaceRow | null> {
  const same = id === undefined ? null : await workspaceMadeBy(env.DB, id, user);
  return same?.name === name ? same : null;
}

/** Somebody who has no set-up code isn't told to sign in where they are signed in. */
function forVisitors(fault: Failure): Failure {
  if (fault.code !== "setup_done") return fault;
  return {
    ...failure("forbidden"),
    detail: "Workspaces can't be made here. Ask for an invitation to the one there is.",
  };
}

async function reserve(
  env: Env,
  session: Session,
  wanted: Pick<CreateWorkspace, "id" | "name" | "slug">,
  first: boolean,
): Promise<Result<WorkspaceRow, Response>> {
  const slug = wanted.slug ?? slugFrom(wanted.name, randomSuffix);
  const candidates = slugsLike(slug, SLUGS_TRIED).filter((candidate) => !isReserved(candidate));
  const taken = await takenSlugs(env.DB, candidates);
  const free = candidates.find((candidate) => !taken.has(candidate)) ?? `team-${randomSuffix()}`;
  if (wanted.slug !== undefined && free !== wanted.slug)
    return failed(problem(failure("name_taken"), { suggestion: free }));
  const row = { id: wanted.id ?? v.parse(workspaceId, uuidv7()), slug: free, name: wanted.name };
  const by = { user: session.user.id, at: Date.now(), first };
  if (await reserveWorkspace(env.DB, row, by)) return ok(row);
  // Between the look and the insert somebody else was quicker.
  return failed(problem(failure(first ? "setup_done" : "name_taken")));
}

async function makeRoom(
  env: Env,
  session: Session,
  workspace: WorkspaceRow,
): Promise<Result<WorkspaceCreated, Failure>> {
  const { id, name, avatar } = session.user;
  const body: CreateRoom = {
    workspace,
    owner: avatar === null ? { user: id, name } : { user: id, name, avatar },
    general: v.parse(channelId, uuidv7()),
  };
  const room = { party: "workspace", workspace: workspace.id } as const;
  const made = await callRoom(env, room, { method: "POST", action: "create", body }, roomCreated);
  if (!made.ok) return made;
  await noteRole(env.DB, workspace.id, id, "owner", Date.now());
  return ok({ workspace, general: made.value.general });
}

function randomSuffix(): string {
  return randomCode()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "")
    .slice(0, 12);
}
