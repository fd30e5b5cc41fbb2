// How the service worker answers. Functions of request, network and caches, so that they run in a test as well.
import { config } from "#protocol/http.ts";
import * as v from "valibot";

export const CONFIG_PATH = "/config.json";

/** Paths whose navigations are never answered with the shell: they belong to the edge and the rooms. */
export const NOT_PAGES: readonly RegExp[] = [
  /^\/api(?:\/|$)/,
  /^\/parties\//,
  /^\/party\//,
  /^\/hooks\//,
  /^\/slack-api\//,
  /^\/\.well-known\//,
  /^\/config\.json$/,
  /^\/healthz$/,
  /^\/sw\.js$/,
  /^\/manifest\.webmanifest$/,
];

const CONFIG_CACHE = "causeway-config";
/** After this the last good copy is as good as a slow network's. */
const CONFIG_WITHIN_MS = 4_000;

/**
 * Network first, the last good copy else; a portal's page is neither kept nor handed on ([CF2], [AU2]).
 * @param lasts told of what goes on behind the answer: on a line that always takes longer, the copy becomes the newest too
 */
export async function answerConfig(
  request: Request,
  fetch: (request: Request) => Promise<Response>,
  caches: CacheStorage,
  lasts: (work: Promise<unknown>) => void,
): Promise<Response> {
  const cache = await caches.open(CONFIG_CACHE);
  const asked = freshConfig(request, fetch);
  // A full disk keeps the copy before; the answer is as good without.
  const kept = asked.then((fresh) => fresh && cache.put(CONFIG_PATH, fresh.clone())).catch(() => undefined);
  lasts(kept);
  const fresh = await Promise.race([asked, after(CONFIG_WITHIN_MS)]);
  return fresh ?? (await cache.match(CONFIG_PATH)) ?? Response.error();
}

async function freshConfig(request: Request, fetch: (request: Request) => Promise<Response>): Promise<Response | null> {
  try {
    const response = await fetch(request);
    if (!response.ok || response.redirected) return null;
    const body: unknown = await response.clone().json();
    return v.is(config, body) ? response : null;
  } catch {
    // No network, or an answer that isn't JSON: either way not ours.
    return null;
  }
}

function after(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), ms));
}
