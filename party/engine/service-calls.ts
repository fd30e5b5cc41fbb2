// Service calls between edge and rooms (protocol, section 9): signed for one method, path and body, for a minute.
import { compactVerify, SignJWT } from "jose";
import * as v from "valibot";
import { SERVICE_TOKEN_S, TOKEN_LEEWAY_S } from "#protocol/limits.ts";
import { serviceClaims, type ServiceClaims } from "#protocol/service.ts";
import { SERVICE_AUDIENCE } from "#protocol/token.ts";

export interface SignedParts {
  readonly method: string;
  /** Path and query, as called. */
  readonly path: string;
  readonly body: string;
}

/** @param now epoch ms */
export async function signCall(secret: string, call: SignedParts, now: number): Promise<string> {
  const claims: ServiceClaims = { ...call, body: await bodyHash(call.body) };
  const issuedAt = Math.floor(now / 1_000);
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: "HS256" })
    .setAudience(SERVICE_AUDIENCE)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + SERVICE_TOKEN_S)
    .sign(new TextEncoder().encode(secret));
}

const timed = v.object({
  ...serviceClaims.entries,
  aud: v.literal(SERVICE_AUDIENCE),
  iat: v.number(),
  exp: v.number(),
});

/** A call whose signature, time and address are right; whether the body is the one that was signed is left to ask. */
export interface SignedCall {
  readonly isFor: (body: string) => Promise<boolean>;
}

/** Null unless the call was signed with the secret less than a minute (and the leeway) ago. @param now epoch ms */
export async function readSignedCall(
  secret: string,
  token: string,
  call: Pick<SignedParts, "method" | "path">,
  now: number,
): Promise<SignedCall | null> {
  try {
    const { payload } = await compactVerify(token, new TextEncoder().encode(secret), { algorithms: ["HS256"] });
    const claims = v.safeParse(timed, JSON.parse(new TextDecoder().decode(payload)));
    if (!claims.success) return null;
    const { method, path, body, iat, exp } = claims.output;
    const seconds = Math.floor(now / 1_000);
    const isShort = exp > iat && exp - iat <= SERVICE_TOKEN_S;
    const isNow = seconds >= iat - TOKEN_LEEWAY_S && seconds <= exp + TOKEN_LEEWAY_S;
    if (!isShort || !isNow || method !== call.method || path !== call.path) return null;
    return { isFor: async (text) => body === (await bodyHash(text)) };
  } catch {
    return null;
  }
}

async function bodyHash(body: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body));
  const text = btoa(String.fromCharCode(...new Uint8Array(hash)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
