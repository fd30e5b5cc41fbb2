// What the authorisation endpoint's answer means: the table of protocol, section 2, as a function. Pure.
import * as v from "valibot";
import { authResponse, problem, refusedRooms } from "#protocol/http.ts";
import { ERRORS, type ErrorCode } from "#protocol/errors.ts";
import type { UserId } from "#protocol/ids.ts";
import { OWN_ISSUER } from "#protocol/issuer.ts";
import type { RoomName } from "#protocol/room-name.ts";
import type { Answer } from "./http.ts";

export type AuthDecision =
  /** [AU1] */
  | { readonly do: "use"; readonly token: Token }
  /** [AU2] [AU7] No network, or none to speak of: back off and try again, without end. */
  | { readonly do: "retry" }
  /** [AU3] The session is over. */
  | { readonly do: "sign-in" }
  /** [AU4] */
  | { readonly do: "stop"; readonly code: ErrorCode; readonly detail: string }
  /** [AU5] */
  | { readonly do: "wait"; readonly ms: number }
  /** [AU6] */
  | { readonly do: "report"; readonly detail: string };

export interface Token {
  readonly jwt: string;
  /** `exp - iat`: what a wrong device clock can't spoil ([AU8]). */
  readonly lifeMs: number;
  /** By the endpoint's clock, epoch ms. */
  readonly issuedAt: number;
}

/** Where the header is missing. */
const RETRY_AFTER_DEFAULT_S = 10;
/** One that says 0, as limiters do that round down, would be asked hundreds of times a second. */
const RETRY_AFTER_MIN_S = 1;
/** A timer of more than 24 days is due at once. */
const RETRY_AFTER_MAX_S = 3_600;

export function decide(answer: Answer, room: RoomName): AuthDecision {
  if (answer.kind === "no-network") return { do: "retry" };
  const { status, body } = answer;
  if (status === 200) return granted(body, room);
  if (status === 401) return { do: "sign-in" };
  if (status === 403) return refused(body, room);
  if (status === 429) {
    const { retryAfter = RETRY_AFTER_DEFAULT_S } = answer;
    return { do: "wait", ms: Math.min(Math.max(retryAfter, RETRY_AFTER_MIN_S), RETRY_AFTER_MAX_S) * 1000 };
  }
  if (status === 408 || status >= 500) return { do: "retry" };
  return { do: "report", detail: `The authorisation endpoint is misconfigured: it answered ${status}.` };
}

function granted(body: unknown, room: RoomName): AuthDecision {
  const answer = v.safeParse(authResponse, body);
  if (!answer.success) return { do: "retry" };
  const why = answer.output.refused[room];
  if (why !== undefined) return { do: "stop", code: why.code, detail: why.reason };
  const token = readToken(answer.output.token);
  return token === null ? { do: "retry" } : { do: "use", token };
}

// A firewall's or a portal's own 403 says nothing of anybody's rights: what is held stays, and what waits goes on waiting.
function refused(body: unknown, room: RoomName): AuthDecision {
  const rooms = v.safeParse(withRefused, body);
  if (!rooms.success && !v.is(problem, body)) return { do: "report", detail: UNEXPLAINED };
  const why = rooms.success ? rooms.output.refused[room] : undefined;
  return { do: "stop", code: why?.code ?? "forbidden", detail: why?.reason ?? ERRORS.forbidden.text() };
}

const withRefused = v.looseObject({ refused: refusedRooms });
const UNEXPLAINED =
  "The authorisation endpoint is misconfigured, or something on the way answers in its place: it answered 403 without a code.";

/**
 * Whether an answer to a request for several rooms says anything about this one, which was not asked for first: an
 * endpoint need understand `room` alone, and one that passed over `rooms` has neither granted nor refused it.
 */
export function isAnswered(answer: Answer, room: RoomName): boolean {
  if (answer.kind === "no-network" || (answer.status !== 200 && answer.status !== 403)) return true;
  const said = v.safeParse(v.looseObject({ refused: v.optional(refusedRooms, {}) }), answer.body);
  if (said.success && said.output.refused[room] !== undefined) return true;
  const granted = v.safeParse(authResponse, answer.body);
  return granted.success && grants(granted.output.token, room);
}

const perms = v.looseObject({ perms: v.record(v.string(), v.array(v.unknown())) });

/** As far as its bearer can read it; the room has the last word. */
function grants(jwt: string, room: RoomName): boolean {
  const claims = v.safeParse(perms, claimsOf(jwt));
  if (!claims.success) return false;
  const all = claims.output.perms;
  return (all[room] ?? all[room.replace(/^(channel:[^_]+_).*$/, "$1*")] ?? []).length > 0;
}

const times = v.looseObject({ iat: v.number(), exp: v.number() });

/** Null where it isn't a JWT: then it isn't our endpoint that answered. The signature is the room's to check. */
export function readToken(jwt: string): Token | null {
  const claims = v.safeParse(times, claimsOf(jwt));
  if (!claims.success) return null;
  const { iat, exp } = claims.output;
  return { jwt, lifeMs: Math.max(0, exp - iat) * 1000, issuedAt: iat * 1000 };
}

const owner = v.looseObject({ iss: v.literal(OWN_ISSUER), sub: v.string() });

/**
 * Whether a token is another person's: the session on this browser changed hands, and nobody told us yet. What one
 * person wrote must not go out under it ([OP11]). A foreign issuer's names aren't ours to compare.
 */
export function isOfAnother({ jwt }: Token, me: UserId): boolean {
  const claims = v.safeParse(owner, claimsOf(jwt));
  return claims.success && claims.output.sub !== me;
}

/** Undefined where there are none to read. */
function claimsOf(jwt: string): unknown {
  const parts = jwt.split(".");
  if (parts.length !== 3) return undefined;
  try {
    return JSON.parse(atob((parts[1] ?? "").replaceAll("-", "+").replaceAll("_", "/"))) as unknown;
  } catch {
    return undefined;
  }
}
