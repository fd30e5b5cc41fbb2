// What every page and script is sent with: where code, styles and connections may come from, and nothing else.
import { configOf, type Env } from "../env.ts";

/** The one Trusted Types policy of the pages: it only lets addresses of our own workers through. */
const TRUSTED_TYPES_POLICY = "causeway-worker";

const HSTS_MAX_AGE_S = 365 * 24 * 3_600;

/** Headers of everything that isn't an answer of the API. Scripts get them too: a worker obeys its own response. */
export function pageHeaders(request: Request, env: Env): Headers {
  const headers = commonHeaders(request);
  headers.set("content-security-policy", contentSecurityPolicy(request, env));
  headers.set("cross-origin-opener-policy", "same-origin");
  headers.set(
    "permissions-policy",
    "camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=(), midi=()",
  );
  headers.set("x-frame-options", "DENY");
  return headers;
}

/** Headers of every response, API included. */
export function commonHeaders(request: Request): Headers {
  const headers = new Headers({
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
  });
  if (new URL(request.url).protocol === "https:") {
    headers.set("strict-transport-security", `max-age=${HSTS_MAX_AGE_S}`);
  }
  return headers;
}

function contentSecurityPolicy(request: Request, env: Env): string {
  const rules: readonly (readonly [directive: string, ...sources: string[]])[] = [
    ["default-src", "'none'"],
    ["script-src", "'self'"],
    // React and the virtual list set styles through the CSSOM, which this allows; style attributes in markup are not.
    ["style-src", "'self'"],
    ["img-src", "'self'", "data:", "blob:"],
    ["media-src", "'self'", "blob:"],
    ["font-src", "'self'"],
    ["connect-src", "'self'", ...connectSources(request, env)],
    ["worker-src", "'self'"],
    ["manifest-src", "'self'"],
    ["form-action", "'self'"],
    ["base-uri", "'none'"],
    ["frame-ancestors", "'none'"],
    ["require-trusted-types-for", "'script'"],
    ["trusted-types", TRUSTED_TYPES_POLICY],
  ];
  return rules.map((rule) => rule.join(" ")).join("; ");
}

/** Named besides 'self' because not every browser counts a socket on the same host as 'self'. */
function connectSources(request: Request, env: Env): string[] {
  const { ROOMS_ORIGIN, AUTH_ENDPOINT } = configOf(env);
  const own = new URL(request.url).origin;
  const rooms = ROOMS_ORIGIN === "" ? [own] : [own, ROOMS_ORIGIN];
  const sources = new Set(rooms.map((origin) => origin.replace(/^http/, "ws")));
  for (const origin of [ROOMS_ORIGIN, new URL(AUTH_ENDPOINT, own).origin]) {
    if (origin !== "" && origin !== own) sources.add(origin);
  }
  return [...sources];
}
