// What the authorisation endpoint's answer means: the table of protocol, section 2, as a function. Pure.
import * as v from "valibot";
import { authResponse, refusedRooms } from "#protocol/http.ts";
import { ERRORS, type ErrorCode } from "#protocol/errors.ts";
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
  /** `exp - iat`: the only part of the times that a wrong device clock can't spoil ([AU8]). */
  readonly lifeMs: number;
}

/** Where the header is missing. */
const RETRY_AFTER_DEFAULT_S = 10;

export function decide(answer: Answer, room: RoomName): AuthDecision {
  if (answer.kind === "no-network") return { do: "retry" };
  const { status, body } = answer;
  if (status === 200) return granted(body, room);
  if (status === 401) return { do: "sign-in" };
  if (status === 403) return refused(body, room);
  if (status === 429) return { do: "wait", ms: (answer.retryAfter ?? RETRY_AFTER_DEFAULT_S) * 1000 };
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

function refused(body: unknown, room: RoomName): AuthDecision {
  const problem = v.safeParse(v.looseObject({ refused: v.optional(refusedRooms, {}) }), body);
  const why = problem.success ? problem.output.refused[room] : undefined;
  return { do: "stop", code: why?.code ?? "forbidden", detail: why?.reason ?? ERRORS.forbidden.text() };
}

const times = v.looseObject({ iat: v.number(), exp: v.number() });

/** Null where it isn't a JWT: then it isn't our endpoint that answered. The signature is the room's to check. */
export function readToken(jwt: string): Token | null {
  const parts = jwt.split(".");
  if (parts.length !== 3) return null;
  try {
    const payload = (parts[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    const claims = v.safeParse(times, JSON.parse(atob(payload)));
    if (!claims.success) return null;
    return { jwt, lifeMs: Math.max(0, claims.output.exp - claims.output.iat) * 1000 };
  } catch {
    return null;
  }
}
