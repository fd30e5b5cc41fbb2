// Service calls between edge and rooms (protocol, section 9): state, not events; the receiver keeps the highest rev.
import * as v from "valibot";
import { instant, rev, seq } from "./entities/base.ts";
import { access, posting } from "./entities/channel.ts";
import { systemLine } from "./entities/message.ts";
import { errorCode } from "./error-schema.ts";
import { head } from "./frames/welcome.ts";
import { channelId, messageId, sessionId, userId, workspaceId } from "./ids.ts";
import { perm, role } from "./role-schema.ts";
import { roomName } from "./room-name-schema.ts";

// — to a workspace room —

/** `POST …/create`: the workspace with its owner and the public channel `general`. A second call changes nothing. */
export const createRoom = v.object({
  workspace: v.object({ id: workspaceId, slug: v.string(), name: v.string() }),
  owner: v.object({ user: userId, name: v.string(), avatar: v.exactOptional(v.string()) }),
  general: channelId,
});
export type CreateRoom = v.InferOutput<typeof createRoom>;
export const roomCreated = v.object({ general: channelId });

/** `POST …/members`: people who accepted an invitation. A member already there keeps role and channels. */
export const addMember = v.object({
  user: userId,
  name: v.string(),
  avatar: v.exactOptional(v.string()),
  role,
  channels: v.array(channelId),
});
export type AddMember = v.InferOutput<typeof addMember>;
export const memberAdded = v.object({ role, added: v.boolean() });

/** `GET …/about?user=`: what an invitation shows, and the role of one person, null if none or deactivated. */
export const aboutWorkspace = v.object({
  name: v.string(),
  icon: v.nullable(v.string()),
  members: v.number(),
  role: v.nullable(role),
  /** Whether that person may invite, and up to which role. */
  mayInvite: v.boolean(),
});
export type AboutWorkspace = v.InferOutput<typeof aboutWorkspace>;

/** `POST …/authorize`: what a user may do in rooms of this workspace. */
export const authorizeRequest = v.object({ user: userId, rooms: v.array(roomName) });
export type AuthorizeRequest = v.InferOutput<typeof authorizeRequest>;
export const authorizeResponse = v.object({
  granted: v.record(roomName, v.array(perm)),
  role: v.nullable(role),
  info: v.object({ name: v.string() }),
  refused: v.record(roomName, v.object({ code: errorCode, reason: v.string() })),
});
export type AuthorizeResponse = v.InferOutput<typeof authorizeResponse>;

/** `POST …/bump`: where a channel stands, after every op there ([SV2]). */
export const bump = v.object({
  channel: channelId,
  ...head.entries,
  /** The room's history by name; a room of version 9 doesn't say. */
  epoch: v.exactOptional(v.string()),
  author: v.exactOptional(userId),
  /** Posts that may not have been told of yet, oldest first: each moves its author's read position ([SV2]). */
  posts: v.optional(v.array(v.object({ seq, user: userId })), []),
});
export type Bump = v.InferOutput<typeof bump>;

/** `POST …/deny`: sessions or people whose older tokens no longer count ([AU12]). */
export const denial = v.object({
  /** Without `sub` and `sid`: everybody. */
  sub: v.exactOptional(userId),
  sid: v.exactOptional(sessionId),
  /** Tokens issued at or before this second are refused. Epoch seconds. */
  at: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** `forbidden` for a deactivated member, else `unauthenticated`. */
  code: v.picklist(["unauthenticated", "forbidden"]),
});
export type Denial = v.InferOutput<typeof denial>;

// — to a channel room —

/** A line the workspace room has the channel write; its id makes twice once. */
export const lineOwed = v.object({ id: messageId, author: userId, at: instant, system: systemLine });
export type LineOwed = v.InferOutput<typeof lineOwed>;

/** Who is in a `private` or `dm` channel: the whole, or the difference to what the receiver confirmed ([SV3]). */
export const policyMembers = v.union([
  v.object({ whole: v.array(userId) }),
  v.object({ since: rev, add: v.array(userId), remove: v.array(userId) }),
]);

/** `POST …/policy`, and the answer to `GET …/policy?channel=`. `rev` is the workspace room's. */
export const policy = v.object({
  rev,
  epoch: v.string(),
  access,
  name: v.string(),
  deleted: v.boolean(),
  /** Null in a public channel: the token decides there. */
  members: v.nullable(policyMembers),
  archived: v.boolean(),
  posting,
  retentionDays: v.nullable(v.number()),
  editWindowMs: v.nullable(instant),
  deny: v.array(denial),
  lines: v.array(lineOwed),
});
export type Policy = v.InferOutput<typeof policy>;

/** The channel room's answer: what it stands at now, so that the sender forgets what it owed. */
export const policyApplied = v.object({
  rev,
  /** Set when a difference did not fit: send the whole. */
  needsWhole: v.boolean(),
  seq,
});
export type PolicyApplied = v.InferOutput<typeof policyApplied>;

/**
 * `POST …/restored`: the room's storage was taken back to an earlier state, and what it holds from now on is another
 * history, with this epoch. A second call with the same one changes nothing.
 */
export const renewal = v.object({ epoch: v.pipe(v.string(), v.minLength(1), v.maxLength(64)) });
export type Renewal = v.InferOutput<typeof renewal>;
export const renewed = v.object({ head: rev, seq });

// — signature —

/** The claims of a service call's token, beside `aud`, `iat` and `exp`. */
export const serviceClaims = v.object({
  /** Upper case. */
  method: v.string(),
  /** Path and query, as called. */
  path: v.string(),
  /** base64url(SHA-256(body)). */
  body: v.string(),
});
export type ServiceClaims = v.InferOutput<typeof serviceClaims>;
