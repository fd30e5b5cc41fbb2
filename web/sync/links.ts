// Which rooms are worth a socket: the workspace, what is on screen, what has something to send, then what was looked at
// last. The rest is read over HTTP, by turns (backfill.ts). Pure.
import type { RoomName } from "#protocol/room-name.ts";

/** Sockets kept open; idle ones on hibernating rooms are free (architecture, "The browser"). */
export const LINKS_MAX = 20;

export interface Candidate {
  readonly room: RoomName;
  readonly isOnScreen: boolean;
  readonly isJoined: boolean;
  /** Ops wait for it that nothing else holds up. */
  readonly hasPending: boolean;
  /** When it was last on screen, epoch ms; 0 for never. */
  readonly lookedAt: number;
}

/** The channel rooms to be linked now; the workspace's own is always. */
export function roomsToLink(candidates: readonly Candidate[]): ReadonlySet<RoomName> {
  const must = candidates.filter(({ isOnScreen, hasPending }) => isOnScreen || hasPending);
  const others = candidates
    .filter((candidate) => candidate.isJoined && !must.includes(candidate))
    .toSorted((one, other) => other.lookedAt - one.lookedAt);
  const left = Math.max(0, LINKS_MAX - 1 - must.length);
  return new Set([...must, ...others.slice(0, left)].map(({ room }) => room));
}
