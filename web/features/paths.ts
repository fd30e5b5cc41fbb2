// The addresses of screens (product, point 2), so that no other file spells them: those that the first screen needs. The
// others stand in paths-more.ts.

export const WELCOME = "/welcome";
export const SETUP = "/setup";
export const SIGN_IN = "/sign-in";

export function workspacePath(slug: string): string {
  return `/w/${slug}`;
}

export function channelPath(slug: string, channel: string, message?: string): string {
  const path = `/w/${slug}/c/${channel}`;
  return message === undefined ? path : `${path}/${message}`;
}

export function browsePath(slug: string): string {
  return `/w/${slug}/browse`;
}

/** To `path`, and from there on to `next`. */
export function withNext(path: string, next: string): string {
  return `${path}?next=${encodeURIComponent(next)}`;
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

/** Anything can be typed into an address bar, also what no encoder writes. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
