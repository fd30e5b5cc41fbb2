// What a workspace's room says of itself to one person.
import type { Failure } from "#protocol/errors.ts";
import type { UserId, WorkspaceId } from "#protocol/ids.ts";
import type { Result } from "#protocol/result.ts";
import { aboutWorkspace, type AboutWorkspace } from "#protocol/service.ts";
import { callRoom } from "../auth/service.ts";
import type { Env } from "../env.ts";

export async function aboutFor(
  env: Env,
  workspace: WorkspaceId,
  user: UserId,
): Promise<Result<AboutWorkspace, Failure>> {
  const action = `about?user=${encodeURIComponent(user)}`;
  return callRoom(env, { party: "workspace", workspace }, { method: "GET", action }, aboutWorkspace);
}
