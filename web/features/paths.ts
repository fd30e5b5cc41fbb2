// The addresses of screens (product, point 2), so that no other file spells them.

export const WELCOME = "/welcome";
export const SETUP = "/setup";
export const SIGN_IN = "/sign-in";
export const SIGN_UP = "/sign-up";
export const APPEARANCE = "/me/appearance";
export const STATUS = "/status";

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

export function outboxPath(slug: string): string {
  return `/w/${slug}/outbox`;
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
