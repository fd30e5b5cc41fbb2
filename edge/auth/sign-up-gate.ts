// Who may make an account ([ED1]): anybody where sign-up is open; else whoever holds an invitation, or the set-up
// code while there is no workspace.
import { failure, type Failure } from "#protocol/errors.ts";
import { findInvitation } from "../db/invitations.ts";
import { hasAnyWorkspace } from "../db/workspaces.ts";
import { configOf, type Env } from "../env.ts";
import { equalHashes, sha256Hex } from "./digest.ts";
import { invitationFault } from "./invitation-state.ts";

/** Null when the door is open for this person. */
export async function signUpFault(
  env: Env,
  keys: { readonly invitation?: string; readonly setupCode?: string },
  now: number,
): Promise<Failure | null> {
  if (configOf(env).OPEN_SIGNUP) return null;
  if (keys.invitation !== undefined) {
    return invitationFault(await findInvitation(env.DB, await sha256Hex(keys.invitation)), now);
  }
  const fault = await setupFault(env, keys.setupCode);
  const isPlainSignUp = fault?.code === "setup_done" && keys.setupCode === undefined;
  return isPlainSignUp ? { ...failure("forbidden"), detail: "Joining here needs an invitation." } : fault;
}

/** Null when the code is the deployment's and its first workspace is still to be made. */
export async function setupFault(env: Env, code: string | undefined): Promise<Failure | null> {
  if (await hasAnyWorkspace(env.DB)) return failure("setup_done");
  if (code === undefined) return failure("setup_required");
  const expected = configOf(env).SETUP_CODE_HASH;
  const isRight = expected !== "" && equalHashes(await sha256Hex(code), expected);
  return isRight ? null : failure("invalid", { field: "setupCode", rule: "is not the set-up code" });
}
