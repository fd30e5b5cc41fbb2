import type { UserId } from "#protocol/ids.ts";

/** Whose database it is; see `personDatabase`. */
export function subjectOf(name: string): UserId {
  return decodeURIComponent(name.slice(name.lastIndexOf("/") + 1)) as UserId;
}
