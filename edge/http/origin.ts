// Which pages may call: our own, and those the deployment names. One check for every call that changes something,
// and the CORS headers that let named pages on other origins read the answers.
import type { MiddlewareHandler } from "hono";
import { failure } from "#protocol/errors.ts";
import { configOf, type Env } from "../env.ts";
import { problem } from "./reply.ts";

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
const PREFLIGHT_MAX_AGE_S = 3_600;

function isTrustedOrigin(origin: string, request: Request, env: Env): boolean {
  return origin === new URL(request.url).origin || configOf(env).ALLOWED_ORIGINS.includes(origin);
}

/**
 * Refuses a change asked for by a foreign page: browsers name the page in `Origin`, or say `cross-site` where they
 * don't. Programs send neither, and have no cookies that a page could borrow. Answers preflights of named origins.
 */
export const crossOrigin: MiddlewareHandler<{ Bindings: Env }> = async (c, next) => {
  const origin = c.req.header("origin");
  const isForeign = origin !== undefined && origin !== new URL(c.req.url).origin;
  const isTrusted = origin === undefined || isTrustedOrigin(origin, c.req.raw, c.env);
  if (c.req.method === "OPTIONS")
    return isTrusted && isForeign ? preflight(origin) : new Response(null, { status: 204 });
  if (!SAFE_METHODS.has(c.req.method)) {
    const site = c.req.header("sec-fetch-site") ?? "none";
    const isCrossSite = origin === undefined && site !== "none" && site !== "same-origin";
    if (!isTrusted || isCrossSite) {
      // No 403 with a code: to the authorisation endpoint's callers that would be a right that was lost ([AU4]).
      return problem(failure("invalid", { field: "Origin", rule: "is no page that may call this deployment" }));
    }
  }
  await next();
  c.res.headers.append("vary", "Origin");
  if (isForeign && isTrusted) allow(c.res.headers, origin);
  return undefined;
};

function preflight(origin: string): Response {
  const headers = new Headers({
    "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
    "access-control-allow-headers": "authorization, content-type",
    "access-control-max-age": String(PREFLIGHT_MAX_AGE_S),
    vary: "Origin",
  });
  allow(headers, origin);
  return new Response(null, { status: 204, headers });
}

function allow(headers: Headers, origin: string): void {
  headers.set("access-control-allow-origin", origin);
  headers.set("access-control-allow-credentials", "true");
  headers.set("access-control-expose-headers", "retry-after, set-auth-token");
}

/** Where the pages are that the caller uses: on a named origin of its own, or here. */
export function pageOrigin(request: Request, env: Env): string {
  const origin = request.headers.get("origin");
  return origin !== null && isTrustedOrigin(origin, request, env) ? origin : new URL(request.url).origin;
}
