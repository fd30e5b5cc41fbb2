// From a token to who it is and what it allows here. The algorithm is bound to the key, never taken from the token;
// keys come from the trust list alone; whatever else a header offers (jwk, jku, x5u, crit) is refused.
import { compactVerify, decodeJwt, decodeProtectedHeader, importJWK, type CryptoKey, type JWK } from "jose";
import * as v from "valibot";
import { failure, type Failure } from "#protocol/errors.ts";
import { userId, type UserId } from "#protocol/ids.ts";
import { TOKEN_LEEWAY_S, TOKEN_MAX_CHARS } from "#protocol/limits.ts";
import { failed, ok, type Result } from "#protocol/result.ts";
import { outranks, type Perm, type Role } from "#protocol/roles.ts";
import type { RoomRef } from "#protocol/room-name.ts";
import { permsFor, readClaims, type TokenClaims } from "#protocol/token.ts";
import { OWN_ISSUER } from "#protocol/issuer.ts";
import type { JwkSet, Trusted } from "./trust.ts";

/** Who a token is for and what it grants in one room. */
export interface Identity {
  readonly user: UserId;
  readonly perms: readonly Perm[];
  /** The role it names, lowered to what its issuer may name; a seed only. */
  readonly role?: Role;
  /** Epoch seconds, as `iat`. */
  readonly exp: number;
  /** Past it nothing is sent ([AU12]): its end, or that and the leeway where it came in by the leeway. */
  readonly until: number;
  readonly iat: number;
  readonly sid?: string;
}

/** Fetches a JWKS, or throws. */
export type FetchKeys = (url: string) => Promise<JwkSet>;

/** An unknown `kid` asks again at most so often per issuer. */
const REFETCH_MS = 60_000;
/** Keys that couldn't be fetched are asked for again so soon. */
const RETRY_MS = 5_000;
/** Header fields that offer a key or demand an understanding we don't have. */
const FORBIDDEN_HEADERS = ["jwk", "jku", "x5u", "x5c", "crit", "b64"];

const UNAUTHENTICATED = failed(failure("unauthenticated"));
const UNAVAILABLE = failed(failure("upstream_unavailable"));

export class Verifier {
  readonly #trust: readonly Trusted[];
  readonly #fetchKeys: FetchKeys;
  readonly #fetched = new Map<string, { readonly keys: JwkSet; readonly at: number }>();
  readonly #failedAt = new Map<string, number>();

  constructor(trust: readonly Trusted[], fetchKeys: FetchKeys) {
    this.#trust = trust;
    this.#fetchKeys = fetchKeys;
  }

  /** `unauthenticated`, `token_expired`, `forbidden` (another workspace, no rights here) or `upstream_unavailable`. */
  async verify(token: string, room: RoomRef, now: number): Promise<Result<Identity, Failure>> {
    const header = readHeader(token);
    if (!header) return UNAUTHENTICATED;
    const trusted = this.#trust.filter(({ issuer }) => issuer === header.issuer);
    for (const issuer of trusted) {
      const key = await this.#keyFor(issuer, header.kid, now);
      if (!key.ok) return key;
      if (key.value?.alg !== header.alg) continue;
      const payload = await payloadOf(token, key.value);
      if (payload !== null) return identify(payload, issuer, room, now);
    }
    return UNAUTHENTICATED;
  }

  async #keyFor(issuer: Trusted, kid: string | undefined, now: number): Promise<Result<BoundKey | null, Failure>> {
    if ("secret" in issuer) return ok({ alg: "HS256", key: new TextEncoder().encode(issuer.secret) });
    if (kid === undefined) return ok(null);
    if ("jwks" in issuer) return ok(await bind(issuer.jwks, kid));
    const known = this.#fetched.get(issuer.jwksUrl);
    const bound = known ? await bind(known.keys, kid) : null;
    if (bound || (known && now - known.at < REFETCH_MS)) return ok(bound);
    if (now - (this.#failedAt.get(issuer.jwksUrl) ?? -Infinity) < RETRY_MS) return UNAVAILABLE;
    try {
      const keys = await this.#fetchKeys(issuer.jwksUrl);
      this.#fetched.set(issuer.jwksUrl, { keys, at: now });
      return ok(await bind(keys, kid));
    } catch {
      // Not the caller's fault, and over in a while: not a reason to take the token for false.
      this.#failedAt.set(issuer.jwksUrl, now);
      return UNAVAILABLE;
    }
  }
}

interface BoundKey {
  readonly alg: string;
  readonly key: CryptoKey | Uint8Array;
}

function readHeader(token: string): { alg: string; kid?: string; issuer: string } | null {
  if (token.length > TOKEN_MAX_CHARS) return null;
  try {
    const header = decodeProtectedHeader(token);
    const { iss } = decodeJwt(token);
    if (FORBIDDEN_HEADERS.some((name) => name in header)) return null;
    if (typeof header.alg !== "string" || typeof iss !== "string") return null;
    return { alg: header.alg, issuer: iss, ...(typeof header.kid === "string" ? { kid: header.kid } : {}) };
  } catch {
    return null;
  }
}

async function bind(set: JwkSet, kid: string): Promise<BoundKey | null> {
  const found = set.keys.find((key) => key.kid === kid);
  const alg = found && algorithmOf(found);
  if (!alg) return null;
  // The private part, should somebody publish it, has no business here.
  const { d: _, ...publicPart } = found;
  try {
    return { alg, key: await importJWK(publicPart as JWK, alg) };
  } catch {
    return null;
  }
}

/** The one algorithm a public key is good for; a shared secret is never one of a key set. */
function algorithmOf(key: JwkSet["keys"][number]): string | null {
  const alg = key.kty === "EC" && key["crv"] === "P-256" ? "ES256" : key.kty === "RSA" ? "RS256" : null;
  const bound = key.kty === "OKP" && key["crv"] === "Ed25519" ? "EdDSA" : alg;
  return key.alg === undefined || key.alg === bound ? bound : null;
}

async function payloadOf(token: string, { alg, key }: BoundKey): Promise<unknown> {
  try {
    const { payload } = await compactVerify(token, key, { algorithms: [alg] });
    return JSON.parse(new TextDecoder().decode(payload)) as unknown;
  } catch {
    return null;
  }
}

async function identify(
  payload: unknown,
  issuer: Trusted,
  room: RoomRef,
  now: number,
): Promise<Result<Identity, Failure>> {
  if (!isFor(payload, issuer.audience)) return UNAUTHENTICATED;
  const nowS = Math.floor(now / 1_000);
  const claims = readClaims(payload, nowS);
  if (!claims.ok) return failed(failure(claims.error === "expired" ? "token_expired" : "unauthenticated"));
  const { iss, sub, ws, exp, iat, sid, role } = claims.value;
  const user = await userOf(iss, sub);
  if (!user) return UNAUTHENTICATED;
  if (issuer.workspaces && !issuer.workspaces.includes(ws)) return failed(failure("forbidden"));
  const perms = [...new Set(permsFor(claims.value, room))];
  if (!perms.includes("read")) return failed(failure("forbidden"));
  const until = nowS > exp ? exp + TOKEN_LEEWAY_S : exp;
  return ok({ user, perms, exp, until, iat, ...(sid === undefined ? {} : { sid }), ...seedRole(role, issuer) });
}

function isFor(payload: unknown, audience: string): boolean {
  const { aud } = payload as { aud?: unknown };
  return aud === audience || (Array.isArray(aud) && aud.includes(audience));
}

function seedRole(role: TokenClaims["role"], { role: highest }: Trusted): { role?: Role } {
  if (role === undefined) return {};
  return { role: outranks(role, highest) ? highest : role };
}

/** A user is (`iss`, `sub`): our own `sub` is the id, a foreign one is hashed into it ([AU13]). */
async function userOf(iss: string, sub: string): Promise<UserId | null> {
  if (iss === OWN_ISSUER) {
    const own = v.safeParse(userId, sub);
    return own.success ? own.output : null;
  }
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${iss}\n${sub}`));
  const text = btoa(String.fromCharCode(...new Uint8Array(hash)));
  return `x${text.replaceAll("+", "-").replaceAll("/", "_").slice(0, 22)}` as UserId;
}
