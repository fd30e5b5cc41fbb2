// How all links of a workspace read as one, for the pill. No clock here: it comes with what is seen.
//
//   connecting ──▶ offline ◀──▶ (tries, without a word) ──┐
//       │             ▲                                   ▼
//       └──────▶ catching-up ◀──────▶ live ──▶ reconnecting
//
// beside them: signed-out, misconfigured and refused, which only the network's own answer ends; full, until what comes is
// stored or something else keeps the room away; and offline by choice.
//
// Never "live" unless the directory's socket was welcomed and heard within a heartbeat and its answer. A try that is only
// under way changes no word: until something answered, nothing is different. While catching up, n ≤ m and both only grow.
import type { RoomName } from "#protocol/room-name.ts";
import type { ConnectionSnapshot } from "../store/snapshots.ts";
import { isDoubtful } from "./link.ts";
import type { Link } from "./link-state.ts";
import type { Timing } from "./timing.ts";

export interface SeenRoom {
  readonly name: RoomName;
  readonly isCaughtUp: boolean;
  /** How often its link broke, or couldn't be made, since it last stood; one that hung counts twice. */
  readonly failures: number;
  /** When it was last heard, while its link stands; null while it doesn't. Epoch ms. */
  readonly heardAt: number | null;
  /** What it sent last finds no room on this device, and nothing else keeps it away. */
  readonly isFull: boolean;
}

export interface Seen {
  /** Epoch ms. */
  readonly at: number;
  /** The link to the workspace's own room. */
  readonly directory: Link;
  /** What that one sent last finds no room on this device, and nothing else keeps it away. */
  readonly isFull: boolean;
  /** The rooms to be linked now, but those that are closed to us. */
  readonly rooms: readonly SeenRoom[];
  /** The browser's word; its yes means nothing. */
  readonly isOnline: boolean;
  /** The person chose to work offline. */
  readonly isResting: boolean;
}

export interface Course {
  readonly shown: ConnectionSnapshot;
  /** Rooms of the catching up under way: all that were to be caught up, and those that were. */
  readonly wanted: ReadonlySet<RoomName>;
  readonly caughtUp: ReadonlySet<RoomName>;
  /** Since when a room lags while "live" is shown. Epoch ms. */
  readonly behindSince: number | null;
  /** When the workspace's room was last heard, where a room's link broke since and it owes an answer. Epoch ms. */
  readonly silentSince: number | null;
  /** Since when the workspace's room can't be reached, as far as was said. Epoch ms. */
  readonly offlineSince: number | null;
}

/** Tries that fail before it says offline rather than reconnecting. */
const OFFLINE_AFTER_TRIES = 2;
/** A channel that has just come on screen is there before one could read that it isn't. */
export const BEHIND_SHOWN_AFTER_MS = 500;

const NONE: ReadonlySet<RoomName> = new Set();
export const COURSE_BEGUN: Course = at({ state: "connecting" });
const FULL: Course = at({ state: "full" });

function at(shown: ConnectionSnapshot): Course {
  return {
    shown,
    wanted: NONE,
    caughtUp: NONE,
    behindSince: null,
    silentSince: null,
    offlineSince: null,
  };
}

type Beats = Pick<Timing, "heartbeatEveryMs" | "heartbeatAnswerMs">;

export function follow(course: Course, seen: Seen, timing: Beats): Course {
  const { directory, rooms, isOnline } = seen;
  const { state } = directory;
  if (seen.isResting) return at({ state: "offline", retryAt: null, isChosen: true });
  const before = course.shown.state === "offline" && course.shown.isChosen === true ? COURSE_BEGUN : course;
  switch (state.name) {
    case "off":
      return at({ state: "connecting" });
    case "live": {
      const isOverdue = state.dueAt !== null && seen.at > state.dueAt;
      // The device slept, or its timers did: whether the socket still stands is being asked.
      if (isOverdue || isDoubtful(state, seen.at, timing)) return trying(before, seen);
      // Also when the broken link is tried anew: that says nothing of the line.
      const isSilent =
        state.heardAt === before.silentSince || rooms.some(({ failures, isFull }) => failures > 0 && !isFull);
      return caughtUp(before, seen, isSilent && state.dueAt !== null ? state.heardAt : null);
    }
    case "authorizing":
    case "opening":
    case "greeting":
      if (seen.isFull && isOnline) return FULL;
      return state.attempt >= OFFLINE_AFTER_TRIES || !isOnline ? unreached(before, seen, null) : trying(before, seen);
    case "waiting": {
      if (state.why === "misconfigured")
        return at({ state: "misconfigured", detail: state.detail ?? "", retryAt: state.until });
      if (seen.isFull && isOnline) return FULL;
      if (state.why === "pace") return trying(before, seen);
      // Told so by whoever answers there: the line is good, and asked sooner they would say the same.
      if (state.why === "told" && isOnline && before.shown.state !== "signed-out")
        return at({ state: "reconnecting", retryAt: state.until, isTold: true });
      const isOffline = !isOnline || state.attempt >= OFFLINE_AFTER_TRIES || !isHere(before.shown);
      return isOffline ? unreached(before, seen, state.until) : reconnecting(before, state.until);
    }
    case "signed-out":
      return at({ state: "signed-out" });
    case "refused":
      return at({ state: "refused", code: state.code, detail: state.detail });
  }
}

/** Signed in again: what was said of the session is no longer so. */
export function signedIn(course: Course): Course {
  return course.shown.state === "signed-out" ? COURSE_BEGUN : course;
}

/** It stood a moment ago. */
function isHere({ state }: ConnectionSnapshot): boolean {
  return state === "live" || state === "catching-up" || state === "reconnecting" || state === "full";
}

function reconnecting({ offlineSince }: Course, retryAt: number | null): Course {
  return { ...at({ state: "reconnecting", retryAt }), offlineSince };
}

/** Offline, unless any room answered since: then there is a line, and it is the workspace's that is looked for. */
function unreached(before: Course, { at: now, isOnline, rooms }: Seen, retryAt: number | null): Course {
  if (before.shown.state === "signed-out") return at(before.shown);
  // By a clock that may have been set back.
  const offlineSince = Math.min(before.offlineSince ?? now, now);
  const isAnswered = isOnline && rooms.some(({ heardAt }) => heardAt !== null && heardAt > offlineSince);
  return { ...at({ state: isAnswered ? "reconnecting" : "offline", retryAt }), offlineSince };
}

/** While a try is under way the last word stands, without the time that was up. */
function trying(before: Course, seen: Seen): Course {
  const { shown } = before;
  switch (shown.state) {
    case "live":
    case "catching-up":
    case "full":
    case "reconnecting":
      return reconnecting(before, null);
    case "offline":
      return unreached(before, seen, null);
    case "misconfigured":
      return at({ ...shown, retryAt: null });
    case "connecting":
    case "signed-out":
    case "refused":
      return at(shown);
  }
}

function caughtUp(before: Course, seen: Seen, silentSince: number | null): Course {
  const { at: now, rooms } = seen;
  const pending = rooms.filter(({ isCaughtUp }) => !isCaughtUp);
  if (pending.length === 0) return at({ state: "live" });
  // By a clock that may have been set back.
  const behindSince = Math.min(before.behindSince ?? now, now);
  // A broken link may be that room's own, and the answer that says so is on its way; one that hung took its time.
  const isHung =
    silentSince !== null && rooms.some(({ failures, isFull }) => failures >= OFFLINE_AFTER_TRIES && !isFull);
  if (before.shown.state === "live" && now - behindSince < BEHIND_SHOWN_AFTER_MS && !isHung)
    return { ...before, behindSince, silentSince };
  // Nothing is being caught up on a line that swallows all; this room's link is only the last to find out.
  if (silentSince !== null) return { ...trying(before, seen), silentSince };
  if (pending.some(({ isFull }) => isFull)) return FULL;
  const wanted = new Set([...before.wanted, ...rooms.map(({ name }) => name)]);
  const done = new Set([...before.caughtUp, ...rooms.flatMap(({ name, isCaughtUp }) => (isCaughtUp ? [name] : []))]);
  // One that fell behind again keeps its place among the done; there is still one to go.
  const count = Math.min(done.size, wanted.size - 1);
  return { ...at({ state: "catching-up", done: count, total: wanted.size }), wanted, caughtUp: done };
}
