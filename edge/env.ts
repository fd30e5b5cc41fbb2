// What the deployment gives the edge: bindings, secrets and variables, checked once and named when wrong.
// Limits of the contract live in #protocol/limits.ts; what stands here is the deployment's choice.
import * as v from "valibot";
import { linkTiming } from "#protocol/http.ts";
import { TOKEN_LIFETIME_MIN_S, TOKEN_LIFETIME_S } from "#protocol/limits.ts";

/** Bindings and variables as wrangler hands them over. Everything from a variable is text, and may be missing. */
export interface Env {
  readonly DB: D1Database;
  readonly ASSETS: Fetcher;
  /** The rooms as Durable Objects; unused where `ROOMS_ORIGIN` is set. */
  readonly WORKSPACE: DurableObjectNamespace;
  readonly CHANNEL: DurableObjectNamespace;
  /** The platform's limiters: by session for room tokens, by address for the rest. Without a binding, no limit. */
  readonly AUTH_LIMIT?: RateLimit;
  readonly EDGE_LIMIT?: RateLimit;
  readonly BETTER_AUTH_SECRET?: string;
  readonly SERVICE_SECRET?: string;
  readonly ROOM_KEYS?: string;
  /** Whose tokens the rooms trust; read by them, not by the edge. */
  readonly ISSUERS?: string;
  readonly OPEN_SIGNUP?: string;
  readonly SETUP_CODE_HASH?: string;
  readonly ALLOWED_ORIGINS?: string;
  readonly ROOMS_ORIGIN?: string;
  readonly AUTH_ENDPOINT?: string;
  readonly AUTH_CREDENTIALS?: string;
  readonly ROOM_TOKEN_SECONDS?: string;
  readonly SIGN_IN_TRIES?: string;
  readonly SIGN_IN_TRIES_PER_ADDRESS?: string;
  readonly LINK_TIMING?: string;
  readonly BUILD?: string;
}

/** A variable that is missing or wrong; the message names it and never repeats its value. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const required = v.pipe(v.optional(v.string(), ""), v.nonEmpty("is missing"));

const secret = v.pipe(required, v.minLength(32, "needs at least 32 characters"));

/** The private half of a key pair for ES256, as JWK. */
const privateKey = v.object({
  kty: v.literal("EC"),
  crv: v.literal("P-256"),
  kid: v.pipe(v.string(), v.minLength(1)),
  x: v.string(),
  y: v.string(),
  d: v.string(),
});
export type PrivateKey = v.InferOutput<typeof privateKey>;

const roomKeys = v.pipe(
  required,
  v.parseJson(undefined, "is not JSON"),
  v.object({ keys: v.pipe(v.array(privateKey), v.minLength(1)) }, "is not a JWK set of EC P-256 keys with kid and d"),
  v.transform((set) => set.keys),
);

const flag = v.pipe(
  v.optional(v.string(), "false"),
  v.picklist(["true", "false", ""], "is neither true nor false"),
  v.transform((text) => text === "true"),
);

const number = (fallback: number, min: number, max: number) =>
  v.pipe(
    v.optional(v.string(), ""),
    v.transform((text) => (text === "" ? fallback : Number(text))),
    v.integer("is not a whole number"),
    v.transform((value) => Math.min(max, Math.max(min, value))),
  );

const origin = v.pipe(
  v.string(),
  v.check((text) => URL.canParse(text) && new URL(text).origin === text, "is not an origin like https://chat.example"),
);

const origins = v.pipe(
  v.optional(v.string(), ""),
  v.transform((text) => text.split(/[\s,]+/).filter((part) => part !== "")),
  v.array(origin),
);

const path = v.pipe(
  v.string(),
  v.check((text) => URL.canParse(text, "https://here.invalid"), "is neither a path nor a URL"),
);

const config = v.object({
  BETTER_AUTH_SECRET: secret,
  SERVICE_SECRET: secret,
  ROOM_KEYS: roomKeys,
  OPEN_SIGNUP: flag,
  SETUP_CODE_HASH: v.optional(v.pipe(v.string(), v.regex(/^([0-9a-f]{64})?$/, "is not a SHA-256 in hexadecimal")), ""),
  ALLOWED_ORIGINS: origins,
  ROOMS_ORIGIN: v.optional(v.union([v.literal(""), origin], "is not an origin like https://rooms.example"), ""),
  AUTH_ENDPOINT: v.optional(path, "/api/rooms/auth"),
  AUTH_CREDENTIALS: v.optional(v.picklist(["same-origin", "include", "omit"]), "same-origin"),
  ROOM_TOKEN_SECONDS: number(TOKEN_LIFETIME_S, TOKEN_LIFETIME_MIN_S, TOKEN_LIFETIME_S),
  SIGN_IN_TRIES: number(10, 1, 1_000_000),
  SIGN_IN_TRIES_PER_ADDRESS: number(300, 1, 1_000_000),
  LINK_TIMING: v.pipe(v.optional(v.string(), "{}"), v.parseJson(undefined, "is not JSON"), linkTiming),
  BUILD: v.optional(v.string(), "dev"),
});
export type Config = v.InferOutput<typeof config>;

const known = new WeakMap<Env, Config>();

/** Throws `ConfigError`, which names the first variable that is wrong. */
export function configOf(env: Env): Config {
  const before = known.get(env);
  if (before) return before;
  const parsed = v.safeParse(config, env);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    // Valibot's own messages quote what was received, which may be a secret; ours don't.
    const rule = issue.message.startsWith("Invalid")
      ? `should be ${issue.expected ?? "something else"}`
      : issue.message;
    throw new ConfigError(`${v.getDotPath(issue) ?? "A variable"} ${rule}`);
  }
  known.set(env, parsed.output);
  return parsed.output;
}
