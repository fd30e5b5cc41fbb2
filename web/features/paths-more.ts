// The addresses of screens that open later than the first one.
import { decoded } from "./paths.ts";

export const SIGN_UP = "/sign-up";
export const APPEARANCE = "/me/appearance";
export const OFFLINE = "/me/offline";
export const STATUS = "/status";

/** To a channel of it, also where the workspace's own address shows the list of them. */
export function startPath(slug: string): string {
  return `/w/${slug}/start`;
}

export function joinPath(code: string): string {
  return `/join/${encodeURIComponent(code)}`;
}

/** The code of an invitation's address; null for another one. */
export function readJoinPath(path: string): string | null {
  const [, first, code = "", ...others] = path.split("/").map(decoded);
  return first === "join" && code !== "" && others.length === 0 ? code : null;
}

/** Where to go on after signing in: a path of ours, never another site. */
export function nextOf(search: string): string {
  const next = new URLSearchParams(search).get("next") ?? "/";
  return /^\/(?![/\\])/.test(next) ? next : "/";
}

export function outboxPath(slug: string): string {
  return `/w/${slug}/outbox`;
}

export function searchPath(slug: string): string {
  return `/w/${slug}/search`;
}
