// The trust list ([AU10]): which issuers a deployment believes, with which keys, and how far.
import * as v from "valibot";
import { workspaceId } from "#protocol/ids.ts";
import type { Role } from "#protocol/roles.ts";
import { TOKEN_AUDIENCE } from "#protocol/token.ts";

/** A public key as published; a private part is never read. */
const jwk = v.looseObject({ kty: v.string(), kid: v.exactOptional(v.string()), alg: v.exactOptional(v.string()) });
export const jwkSet = v.object({ keys: v.array(jwk) });
export type JwkSet = v.InferOutput<typeof jwkSet>;

/** A secret shorter than the hash it keys can be guessed (RFC 7518, 3.2). */
const SECRET_MIN_BYTES = 32;

const common = {
  issuer: v.pipe(v.string(), v.minLength(1)),
  audience: v.optional(v.string(), TOKEN_AUDIENCE),
  /** All of them when missing. */
  workspaces: v.exactOptional(v.array(workspaceId)),
  /** The highest role its tokens may name; never `owner`. */
  role: v.optional(v.picklist(["admin", "member", "guest", "bot"]), "member" satisfies Role),
};

const trusted = v.union([
  v.object({ ...common, jwks: jwkSet }),
  v.object({ ...common, jwksUrl: v.pipe(v.string(), v.url()) }),
  v.object({
    ...common,
    secret: v.pipe(
      v.string(),
      v.check((text) => new TextEncoder().encode(text).length >= SECRET_MIN_BYTES, "is too short"),
    ),
  }),
]);
export type Trusted = v.InferOutput<typeof trusted>;

const list = v.pipe(v.string(), v.parseJson(), v.array(trusted));

/** Throws when the variable is wrong: a deployment that trusts nobody by mistake should say so, not refuse everybody. */
export function readTrust(issuers: unknown): readonly Trusted[] {
  const parsed = v.safeParse(list, issuers);
  if (!parsed.success) throw new Error("ISSUERS is not a JSON list of issuers with keys");
  return parsed.output;
}
