// The trust list ([AU10]): which issuers a deployment believes, with which keys, and how far.
import * as v from "valibot";
import { workspaceId } from "#protocol/ids.ts";
import type { Role } from "#protocol/roles.ts";
import { TOKEN_AUDIENCE } from "#protocol/token.ts";
import { ConfigError } from "./config-error.ts";

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
    secret: v.pipe(v.string(), v.check(isLongEnough, "is too short")),
  }),
]);
export type Trusted = v.InferOutput<typeof trusted>;

const json = v.pipe(v.string(), v.parseJson());
const list = v.pipe(v.array(trusted), v.nonEmpty());

function isLongEnough(secret: string): boolean {
  return new TextEncoder().encode(secret).length >= SECRET_MIN_BYTES;
}

/** The secret of calls between the deployment's own parts. */
export function readServiceSecret(secret: unknown): string {
  if (typeof secret !== "string" || secret === "") throw new ConfigError("SERVICE_SECRET is missing");
  if (!isLongEnough(secret)) throw new ConfigError(`SERVICE_SECRET is shorter than ${SECRET_MIN_BYTES} bytes`);
  return secret;
}

/** Throws when the variable is wrong: a deployment that trusts nobody by mistake should say so, not refuse everybody. */
export function readTrust(issuers: unknown): readonly Trusted[] {
  if (typeof issuers !== "string" || issuers === "") throw new ConfigError("ISSUERS is missing");
  const read = v.safeParse(json, issuers);
  if (!read.success) throw new ConfigError("ISSUERS is not JSON");
  const parsed = v.safeParse(list, read.output);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const place = v.getDotPath(issue)?.split(".", 1)[0];
  const which = place === undefined ? "" : `; entry ${place} is not`;
  throw new ConfigError(`ISSUERS is not a list of issuers, each with jwks, jwksUrl or a long enough secret${which}`);
}
