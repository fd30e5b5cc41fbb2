// Bodies of the calls over HTTP: the edge's (protocol, sections 1, 2 and 11) and a room's (section 8).
import * as v from "valibot";
import { rev, tally } from "./entities/base.ts";
import { errorCode } from "./error-schema.ts";
import { ack, refuse } from "./frames/answer.ts";
import { op, skip } from "./frames/op.ts";
import { channelId, deviceId, userId, workspaceId } from "./ids.ts";
import {
  EMAIL_MAX_CHARS,
  INVITATION_DAYS_MAX,
  INVITATION_USES_MAX,
  PASSWORD_MAX_CHARS,
  PASSWORD_MIN_CHARS,
  SLUG_MAX_CHARS,
  SLUG_MIN_CHARS,
} from "./field-limits.ts";
import { AUTH_ROOMS_MAX, OPS_IN_FLIGHT_MAX } from "./limits.ts";
import { role } from "./role-schema.ts";
import { personName, workspaceName } from "./text-schema.ts";

// — configuration —

/** How soon a dead line is noticed and how long a lost one is left alone, where a deployment asks for other than the limits. */
const patienceMs = v.exactOptional(v.pipe(tally, v.minValue(10)));
export const linkTiming = v.object({
  heartbeatEveryMs: patienceMs,
  heartbeatAnswerMs: patienceMs,
  backoffMinMs: patienceMs,
  backoffMaxMs: patienceMs,
});
export type LinkTiming = v.InferOutput<typeof linkTiming>;

export const config = v.object({
  version: v.literal(1),
  authEndpoint: v.string(),
  authCredentials: v.picklist(["same-origin", "include", "omit"]),
  api: v.string(),
  rooms: v.string(),
  build: v.string(),
  signIn: v.array(v.string()),
  openSignup: v.boolean(),
  vapidPublicKey: v.exactOptional(v.string()),
  timing: v.exactOptional(linkTiming),
});
export type Config = v.InferOutput<typeof config>;

// — channel authorisation —

export const authReason = v.picklist(["connect", "refresh", "reconnect"]);
export type AuthReason = v.InferOutput<typeof authReason>;

/** `room` alone must be understood; names are checked one by one, so that a bad one is refused and not the request. */
export const authRequest = v.object({
  room: v.string(),
  rooms: v.exactOptional(v.pipe(v.array(v.string()), v.maxLength(AUTH_ROOMS_MAX))),
  reason: v.exactOptional(authReason),
  v: v.exactOptional(tally),
});
export type AuthRequest = v.InferOutput<typeof authRequest>;

export const refusedRooms = v.record(v.string(), v.object({ code: errorCode, reason: v.string() }));
export type RefusedRooms = v.InferOutput<typeof refusedRooms>;

export const authResponse = v.object({ token: v.string(), refused: v.optional(refusedRooms, {}) });
export type AuthResponse = v.InferOutput<typeof authResponse>;

// — accounts —

const address = v.pipe(v.string(), v.email());

/** Compared lower-cased. Whether mail arrives is nobody's to know here: one `@`, a dot behind it, nothing exotic. */
export const email = v.pipe(
  v.string(),
  v.transform((text) => text.trim().toLowerCase()),
  v.maxLength(EMAIL_MAX_CHARS),
  v.check((text) => v.is(address, text), "is not an email address"),
);

/** The same password typed on another keyboard is the same password. */
const composed = v.pipe(
  v.string(),
  v.transform((text) => text.normalize("NFC")),
);

/** In characters as people count them; what else makes a password bad is the edge's to say. */
export const password = v.pipe(
  composed,
  v.check((text) => [...text].length >= PASSWORD_MIN_CHARS, `needs at least ${PASSWORD_MIN_CHARS} characters`),
  v.check((text) => [...text].length <= PASSWORD_MAX_CHARS, `may have ${PASSWORD_MAX_CHARS} characters at most`),
);

/** `invitation` or `setupCode` is needed where sign-up is closed ([ED1]). */
export const signUp = v.object({
  name: personName,
  email,
  password,
  invitation: v.exactOptional(v.string()),
  setupCode: v.exactOptional(v.string()),
});
export type SignUp = v.InferOutput<typeof signUp>;

/** Any password is a try: what rules it was made under isn't told here. */
export const signIn = v.object({ email, password: v.pipe(composed, v.maxLength(4 * PASSWORD_MAX_CHARS)) });
export type SignIn = v.InferOutput<typeof signIn>;

// — people and workspaces —

export const slug = v.pipe(
  v.string(),
  v.minLength(SLUG_MIN_CHARS),
  v.maxLength(SLUG_MAX_CHARS),
  v.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
);

export const me = v.object({
  user: v.object({ id: userId, name: v.string(), email: v.string(), avatar: v.exactOptional(v.nullable(v.string())) }),
  workspaces: v.array(v.object({ id: workspaceId, slug: v.string(), name: v.string(), role })),
});
export type Me = v.InferOutput<typeof me>;

/** `id`: made by whoever asks, so that asking again where no answer came makes no second one. */
export const createWorkspace = v.object({
  id: v.exactOptional(v.pipe(v.string(), v.uuid(), workspaceId)),
  name: workspaceName,
  slug: v.exactOptional(slug),
  setupCode: v.exactOptional(v.string()),
});
export type CreateWorkspace = v.InferOutput<typeof createWorkspace>;

export const workspaceCreated = v.object({
  workspace: v.object({ id: workspaceId, slug: v.string(), name: v.string() }),
  general: channelId,
});
export type WorkspaceCreated = v.InferOutput<typeof workspaceCreated>;

export const createInvitation = v.object({
  role: v.exactOptional(v.picklist(["admin", "member", "guest"])),
  channels: v.exactOptional(v.pipe(v.array(channelId), v.maxLength(50))),
  days: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(INVITATION_DAYS_MAX))),
  uses: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(INVITATION_USES_MAX))),
});
export type CreateInvitation = v.InferOutput<typeof createInvitation>;

export const invitationCreated = v.object({
  code: v.string(),
  url: v.string(),
  expiresAt: v.number(),
  usesLeft: v.number(),
});
export type InvitationCreated = v.InferOutput<typeof invitationCreated>;

export const invitation = v.object({
  workspace: v.object({ name: v.string(), icon: v.exactOptional(v.nullable(v.string())) }),
  invitedBy: v.string(),
  members: v.number(),
  role,
});
export type Invitation = v.InferOutput<typeof invitation>;

export const invitationAccepted = v.object({
  workspace: v.object({ id: workspaceId, slug: v.string(), name: v.string() }),
  role,
});
export type InvitationAccepted = v.InferOutput<typeof invitationAccepted>;

export const problem = v.looseObject({ code: errorCode, detail: v.string(), retryAfter: v.exactOptional(v.number()) });

// — a room over HTTP —

export const opsRequest = v.object({
  device: deviceId,
  ops: v.pipe(v.array(v.union([op, skip])), v.minLength(1), v.maxLength(OPS_IN_FLIGHT_MAX)),
});
export type OpsRequest = v.InferOutput<typeof opsRequest>;

/**
 * Stops after the first held refusal or device conflict, which is then the last result. `epoch`: the room's history; a room
 * of version 9 doesn't say.
 */
export const opsResponse = v.object({
  results: v.array(v.union([ack, refuse])),
  head: rev,
  lastN: tally,
  epoch: v.exactOptional(v.string()),
});
export type OpsResponse = v.InferOutput<typeof opsResponse>;
