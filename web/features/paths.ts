// The addresses of screens (product, point 2), so that no other file spells them.

export const WELCOME = "/welcome";
export const SETUP = "/setup";
export const SIGN_IN = "/sign-in";
export const SIGN_UP = "/sign-up";
export const APPEARANCE = "/me/appearance";
export const OFFLINE = "/me/offline";
export const STATUS = "/status";

export function workspacePath(slug: string): string {
  return `/w/${slug}`;
}

/** To a channel of it, also where the workspace's own address shows the list of them. */
export function startPath(slug: string): string {
  return `/w/${slug}/start`;
}

export function channelPath(slug: string, channel: string, message?: string): string {
  const path = `/w/${slug}/c/${channel}`;
  return message === undefined ? path : `${path}/${message}`;
}

export function browsePath(slug: string): string {
  return `/w/${slug}/browse`;
}

export function outboxPath(slug: string): string {
  return `/w/${slug}/outbox`;
}

export function searchPath(slug: string): string {
  return `/w/${slug}/search`;
}

export function joinPath(code: string): string {
  return `/join/${encodeURIComponent(code)}`;
}

/** To `path`, and from there on to `next`. */
export function withNext(path: string, next: string): string {
  return `${path}?next=${encodeURIComponent(next)}`;
}

/** Where to go on after signing in: a path of ours, never another site. */
export function nextOf(search: string): string {
  const next = new URLSearchParams(search).get("next") ?? "/";
  return /^\/(?![/\\])/.test(next) ? next : "/";
}

/** An address inside a workspace, taken apart. */
export interface WorkspaceAddress {
  readonly slug: string;
  /** "" for the workspace itself. */
  readonly screen: string;
  /** What follows the screen's name: a channel's id, and a message's. */
  readonly rest: readonly string[];
}

/** Null for an address outside of workspaces. */
export function readAddress(path: string): WorkspaceAddress | null {
  const [, first, slug = "", screen = "", ...rest] = path.split("/").map(decoded);
  return first === "w" && slug !== "" ? { slug, screen, rest: rest.filter((part) => part !== "") } : null;
}

/** The code of an invitation's address; null for another one. */
export function readJoinPath(path: string): string | null {
  const [, first, code = "", ...others] = path.split("/").map(decoded);
  return first === "join" && code !== "" && others.length === 0 ? code : null;
}

/** Anything can be typed into an address bar, also what no encoder writes. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
