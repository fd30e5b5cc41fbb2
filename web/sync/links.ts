// Which rooms are worth a socket: the workspace, what is on screen, what has something to send, then what was looked at
// last; the rest is visited briefly when its head moved. Pure.
import type { RoomName } from "#protocol/room-name.ts";

/** Sockets kept open; idle ones on hibernating rooms are free (architecture, "The browser"). */
export const LINKS_MAX = 20;
/** Short visits at a time, beyond those. */
export const VISITS_MAX = 4;
/** Each visit takes a token of its own and those are counted, so the next few wait; ms. */
export const VISITS_GAP_MS = 10_000;
/** A room not on screen is visited at most so often. */
export const VISIT_EVERY_MS = 5 * 60_000;

export interface Candidate {
  readonly room: RoomName;
  readonly isOnScreen: boolean;
  readonly isJoined: boolean;
  /** Ops wait for it that nothing else holds up. */
  readonly hasPending: boolean;
  /** Its head has moved past what is held, or nothing is held. */
  readonly isBehind: boolean;
  /** When it was last on screen, epoch ms; 0 for never. */
  readonly lookedAt: number;
  /** When it was last visited to the end, epoch ms; 0 for never. */
  readonly visitedAt: number;
  readonly isLinked: boolean;
}

/**
 * The channel rooms to be linked now; the workspace's own is always.
 * @param begunAt when visits last began, epoch ms
 */
export function roomsToLink(candidates: readonly Candidate[], now: number, begunAt = 0): ReadonlySet<RoomName> {
  const must = candidates.filter(({ isOnScreen, hasPending }) => isOnScreen || hasPending);
  const others = candidates
    .filter((candidate) => candidate.isJoined && !must.includes(candidate))
    .toSorted((one, other) => other.lookedAt - one.lookedAt);
  const room = Math.max(0, LINKS_MAX - 1 - must.length);
  const isDue = (candidate: Candidate): boolean =>
    candidate.isBehind &&
    (candidate.isLinked || (now - begunAt >= VISITS_GAP_MS && now - candidate.visitedAt >= VISIT_EVERY_MS));
  const visits = others.slice(room).filter(isDue);
  // Those under way are finished before others begin.
  const ordered = visits.toSorted((one, other) => Number(other.isLinked) - Number(one.isLinked));
  return new Set([...must, ...others.slice(0, room), ...ordered.slice(0, VISITS_MAX)].map(({ room: name }) => name));
}
