// Taking back room tokens before they lapse ([AU12]): each workspace room is told, and tells its channels.
import * as v from "valibot";
import { failure, type Failure } from "#protocol/errors.ts";
import type { UserId, WorkspaceId } from "#protocol/ids.ts";
import { failed, ok, type Result } from "#protocol/result.ts";
import type { Denial } from "#protocol/service.ts";
import { workspacesOf } from "../db/workspaces.ts";
import type { Env } from "../env.ts";
import { callRoom } from "./service.ts";

/** A person, or one session of theirs. */
export interface Whose {
  readonly sub: UserId;
  readonly sid?: string;
}

/**
 * Tells these workspaces that tokens issued up to now no longer count. `upstream_unavailable` when one couldn't be
 * told; telling the others again does no harm.
 */
export async function denyTokens(
  env: Env,
  workspaces: readonly WorkspaceId[],
  whose: Whose,
  now: number,
): Promise<Result<null, Failure>> {
  const body: Denial = { ...whose, at: Math.floor(now / 1_000), code: "unauthenticated" };
  const tell = (workspace: WorkspaceId) =>
    callRoom(env, { party: "workspace", workspace }, { method: "POST", action: "deny", body }, v.unknown());
  const told = await Promise.all(workspaces.map(tell));
  return told.every((answer) => answer.ok) ? ok(null) : failed(failure("upstream_unavailable"));
}

export async function denyEverywhere(env: Env, whose: Whose, now: number): Promise<Result<null, Failure>> {
  const workspaces = await workspacesOf(env.DB, whose.sub);
  return denyTokens(
    env,
    workspaces.map(({ id }) => id),
    whose,
    now,
  );
}
