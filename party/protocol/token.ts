// The claims of a room token (protocol, section 2) and what they grant. Signatures are checked where keys are known.
import * as v from "valibot";
import { sessionId, workspaceId } from "./ids.ts";
import { TOKEN_INFO_MAX_BYTES, TOKEN_LEEWAY_S, TOKEN_LIFETIME_MIN_S, TOKEN_LIFETIME_S } from "./limits.ts";
import { failed, ok, type Result } from "./result.ts";
import type { Perm } from "./roles.ts";
import { perm } from "./role-schema.ts";
import type { RoomRef } from "./room-name.ts";
import { roomNameOf } from "./room-name.ts";

export const TOKEN_AUDIENCE = "causeway";
export const SERVICE_AUDIENCE = "causeway:service";
/** Algorithms a key may be bound to; anything else, `none` included, is refused. */
export const TOKEN_ALGORITHMS = ["ES256", "EdDSA", "RS256", "HS256"] as const;

export const tokenInfo = v.pipe(
  v.object({
    name: v.exactOptional(v.string()),
    picture: v.exactOptional(v.string()),
    email: v.exactOptional(v.string()),
    title: v.exactOptional(v.string()),
    locale: v.exactOptional(v.string()),
    tz: v.exactOptional(v.string()),
  }),
  v.check((info) => JSON.stringify(info).length <= TOKEN_INFO_MAX_BYTES, "is over 1 KB"),
);

const seconds = v.pipe(v.number(), v.integer(), v.minValue(0));

export const tokenClaims = v.object({
  iss: v.pipe(v.string(), v.minLength(1)),
  sub: v.pipe(v.string(), v.minLength(1)),
  iat: seconds,
  exp: seconds,
  nbf: v.exactOptional(seconds),
  ws: workspaceId,
  perms: v.record(v.string(), v.array(perm)),
  /** Only a seed for members on first sight; never `owner`. */
  role: v.exactOptional(v.picklist(["admin", "member", "guest", "bot"])),
  info: v.optional(tokenInfo, {}),
  jti: v.exactOptional(v.string()),
  sid: v.exactOptional(sessionId),
});
export type TokenClaims = v.InferOutput<typeof tokenClaims>;

export type TokenFault = "expired" | "not-yet" | "lifetime" | "claims";

/**
 * Checks what a signature doesn't: shape and times. Audience and issuer are the verifier's.
 * @param nowS the room's clock, in seconds
 */
export function readClaims(payload: unknown, nowS: number): Result<TokenClaims, TokenFault> {
  const parsed = v.safeParse(tokenClaims, payload);
  if (!parsed.success) return failed("claims");
  const { iat, exp, nbf = iat } = parsed.output;
  const lifetime = exp - iat;
  if (lifetime < TOKEN_LIFETIME_MIN_S || lifetime > TOKEN_LIFETIME_S) return failed("lifetime");
  if (nowS > exp + TOKEN_LEEWAY_S) return failed("expired");
  if (nowS < Math.max(iat, nbf) - TOKEN_LEEWAY_S) return failed("not-yet");
  return ok(parsed.output);
}

/** What the token grants in a room: the longest matching key wins, `*` stands only at the end of `channel:W_*`. */
export function permsFor(claims: Pick<TokenClaims, "ws" | "perms">, room: RoomRef): readonly Perm[] {
  if (claims.ws !== room.workspace) return [];
  const exact = claims.perms[roomNameOf(room)];
  if (exact) return exact;
  return room.party === "channel" ? (claims.perms[`channel:${room.workspace}_*`] ?? []) : [];
}
