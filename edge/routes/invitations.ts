// Invitations: made by who may invite, shown to anybody who holds the code, accepted by whoever signs in.
import { Hono } from "hono";
import { uuidv7 } from "uuidv7";
import * as v from "valibot";
import { failure, type Failure } from "#protocol/errors.ts";
import {
  createInvitation,
  type Invitation as Shown,
  type InvitationAccepted,
  type InvitationCreated,
} from "#protocol/http.ts";
import { workspaceId, type ChannelId, type UserId, type WorkspaceId } from "#protocol/ids.ts";
import { INVITATION_DAYS, INVITATION_USES } from "#protocol/limits.ts";
import { failed, ok, type Result } from "#protocol/result.ts";
import { isAdmin, type Role } from "#protocol/roles.ts";
import { roomNameOf, type RoomRef } from "#protocol/room-name.ts";
import {
  authorizeResponse,
  memberAdded,
  type AboutWorkspace,
  type AddMember,
  type AuthorizeRequest,
} from "#protocol/service.ts";
import { randomCode, sha256Hex } from "../auth/digest.ts";
import { invitationFault } from "../auth/invitation-state.ts";
import { limitAddress } from "../auth/limits.ts";
import { callRoom } from "../auth/service.ts";
import { sessionOf, type Session } from "../auth/session.ts";
import { countUse, findInvitation, storeInvitation, takeBackUse, type Invitation } from "../db/invitations.ts";
import { findWorkspace, noteRole } from "../db/workspaces.ts";
import type { Env } from "../env.ts";
import { readJson } from "../http/body.ts";
import { pageOrigin } from "../http/origin.ts";
import { json, problem } from "../http/reply.ts";
import { aboutFor } from "./about.ts";

const DAY_MS = 24 * 3_600_000;

export const invitations = new Hono<{ Bindings: Env }>();

invitations.post("/workspaces/:id/invitations", async (c) => {
  const session = await sessionOf(c.req.raw, c.env);
  if (!session.ok) return problem(session.error);
  const limited = await limitAddress(c.env, c.req.raw);
  if (!limited.ok) return problem(limited.error);
  const body = await readJson(c.req.raw, createInvitation);
  if (!body.ok) return problem(body.error);
  const { role = "member", channels = [], days = INVITATION_DAYS, uses = INVITATION_USES } = body.value;

  const workspace = v.safeParse(workspaceId, c.req.param("id"));
  if (!workspace.success || !(await findWorkspace(c.env.DB, workspace.output))) return problem(failure("not_found"));
  const { user } = session.value;
  const fault = await invitingFault(c.env, workspace.output, user.id, role, channels);
  if (fault) return problem(fault);

  const code = randomCode();
  const now = Date.now();
  const expiresAt = now + days * DAY_MS;
  await storeInvitation(c.env.DB, {
    id: uuidv7(),
    codeHash: await sha256Hex(code),
    workspace: workspace.output,
    role,
    channels,
    uses,
    expiresAt,
    createdBy: user.id,
    createdAt: now,
  });
  const made: InvitationCreated = {
    code,
    url: `${pageOrigin(c.req.raw, c.env)}/join/${code}`,
    expiresAt,
    usesLeft: uses,
  };
  return json(made, 201, session.value.headers);
});

invitations.get("/invitations/:code", async (c) => {
  const limited = await limitAddress(c.env, c.req.raw);
  if (!limited.ok) return problem(limited.error);
  const found = await findInvitation(c.env.DB, await sha256Hex(c.req.param("code")));
  const fault = invitationFault(found, Date.now());
  if (fault || !found) return problem(fault ?? failure("not_found"));
  const { id: workspace } = found.workspace;
  const about = await aboutFor(c.env, workspace, found.invitedBy.id);
  if (!about.ok) return problem(about.error);
  if (!mayInviteAs(about.value, found.role)) return problem(failure("invite_revoked"));
  const { name, icon, members } = about.value;
  const shown: Shown = { workspace: { name, icon }, invitedBy: found.invitedBy.name, members, role: found.role };
  return json(shown);
});

invitations.post("/invitations/:code/accept", async (c) => {
  const session = await sessionOf(c.req.raw, c.env);
  if (!session.ok) return problem(session.error);
  const limited = await limitAddress(c.env, c.req.raw);
  if (!limited.ok) return problem(limited.error);
  const codeHash = await sha256Hex(c.req.param("code"));
  const found = await findInvitation(c.env.DB, codeHash);
  if (!found) return problem(failure("not_found"));
  const joined = await join(c.env, session.value, found);
  if (!joined.ok) return problem(joined.error);
  const accepted: InvitationAccepted = { workspace: found.workspace, role: joined.value };
  return json(accepted, 200, session.value.headers);
});

/**
 * Who is in already is so by the room's word, for what the index knows may be older ([ED4]). Anybody else is counted
 * first, so that no invitation lets in more than it may; who was counted and isn't in yet just tries again.
 */
async function join(env: Env, session: Session, invitation: Invitation): Promise<Result<Role, Failure>> {
  const { id: user, name, avatar } = session.user;
  const workspace = invitation.workspace.id;
  const about = await aboutFor(env, workspace, user);
  if (!about.ok) return about;
  const now = Date.now();
  await noteRole(env.DB, workspace, user, about.value.role, now);
  if (about.value.role !== null) return ok(about.value.role);
  const { role } = invitation;
  // Whoever invited may have lost the right to since, or a channel: then they let nobody in either, themselves by another
  // account least of all.
  const inviter = await aboutFor(env, workspace, invitation.invitedBy.id);
  if (!inviter.ok) return inviter;
  if (!mayInviteAs(inviter.value, role)) return failed(failure("invite_revoked"));
  const open = await openTo(env, workspace, invitation.invitedBy.id, invitation.channels);
  if (!open.ok) return open;
  const channels = [...open.value];
  // A guest's invitation is for its channels alone; without any it would be one to `general`.
  if (role === "guest" && invitation.channels.length > 0 && channels.length === 0)
    return failed(failure("invite_revoked"));
  const counted = await countUse(env.DB, invitation.id, user, now);
  if (counted === null) return failed(invitationFault(invitation, now) ?? failure("invite_used"));
  const body: AddMember = { user, name, role, channels, ...(avatar === null ? {} : { avatar }) };
  const added = await callRoom(
    env,
    { party: "workspace", workspace },
    { method: "POST", action: "members", body },
    memberAdded,
  );
  if (!added.ok) {
    // Whom the room itself turns away isn't in, so that it stays with whomever it was meant for.
    if (counted === "now" && added.error.code !== "upstream_unavailable")
      await takeBackUse(env.DB, invitation.id, user);
    return added;
  }
  await noteRole(env.DB, workspace, user, added.value.role, now);
  return ok(added.value.role);
}

/** Null when this person may invite somebody as `role` into these channels. */
async function invitingFault(
  env: Env,
  workspace: WorkspaceId,
  user: UserId,
  role: Role,
  channels: readonly ChannelId[],
): Promise<Failure | null> {
  const about = await aboutFor(env, workspace, user);
  if (!about.ok) return about.error;
  // Who isn't in it isn't told that it exists.
  if (about.value.role === null) return failure("not_found");
  if (!mayInviteAs(about.value, role))
    return { ...failure("forbidden"), detail: "You may not invite people here in that role." };
  return channels.length === 0 ? null : channelsFault(env, workspace, user, channels);
}

function mayInviteAs(inviter: AboutWorkspace, role: Role): boolean {
  return inviter.mayInvite && (role !== "admin" || (inviter.role !== null && isAdmin(inviter.role)));
}

/** Nobody opens a door to a channel they can't enter themselves. */
async function channelsFault(
  env: Env,
  workspace: WorkspaceId,
  user: UserId,
  channels: readonly ChannelId[],
): Promise<Failure | null> {
  const open = await openTo(env, workspace, user, channels);
  if (!open.ok) return open.error;
  const isAll = open.value.length === channels.length;
  return isAll ? null : failure("invalid", { field: "channels", rule: "names one that you can't see" });
}

/** Of the channels those that the person may enter now. */
async function openTo(
  env: Env,
  workspace: WorkspaceId,
  user: UserId,
  channels: readonly ChannelId[],
): Promise<Result<readonly ChannelId[], Failure>> {
  if (channels.length === 0) return ok([]);
  const nameOf = (channel: ChannelId) => roomNameOf({ party: "channel", workspace, channel });
  const body: AuthorizeRequest = { user, rooms: channels.map(nameOf) };
  const room: RoomRef = { party: "workspace", workspace };
  const answer = await callRoom(env, room, { method: "POST", action: "authorize", body }, authorizeResponse);
  if (!answer.ok) return answer;
  const { granted } = answer.value;
  return ok(channels.filter((channel) => (granted[nameOf(channel)]?.length ?? 0) > 0));
}
