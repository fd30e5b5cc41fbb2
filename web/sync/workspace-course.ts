// What all rooms of a workspace together look like as they go on: the word for the pill, when everything was last known
// to be up to date, and what the event log hears of it. The states themselves are in connection.ts.
import type { WorkspaceId } from "#protocol/ids.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { putLiveAt } from "../store/live-at.ts";
import type { ConnectionSnapshot } from "../store/snapshots.ts";
import { NotLeader, type Store } from "../store/store.ts";
import { BEHIND_SHOWN_AFTER_MS, COURSE_BEGUN, follow, signedIn, type SeenRoom } from "./connection.ts";
import type { Note } from "./journal.ts";
import { attemptOf } from "./link-steps.ts";
import type { Ports } from "./ports.ts";
import type { RoomRunner } from "./room-runner.ts";
import type { Timing } from "./timing.ts";

interface CourseDeps {
  readonly store: Store;
  readonly ports: Pick<Ports, "now" | "timers">;
  readonly leader: string;
  readonly workspace: WorkspaceId;
  readonly timing: () => Timing;
  readonly isOnline: () => boolean;
  readonly isOfflineChosen: () => boolean;
  readonly note: (note: Note) => void;
  /** Time alone changed something: look once more. */
  readonly again: () => void;
  readonly deposed: () => void;
  readonly unstored: (error: unknown) => Promise<void>;
}

export interface CourseKeeper {
  /**
   * A step on.
   *
   * @param rooms those that are to be linked now and let us in
   */
  readonly follow: (directory: RoomRunner, rooms: readonly RoomRunner[]) => ConnectionSnapshot;
  /** Channels without a link that moved on since they were last read: as of when all of them was here counts besides. */
  readonly lag: (rooms: readonly RoomName[]) => void;
  /** When all that is wanted was last known to be up to date; null while it never was. Epoch ms. */
  readonly liveAt: () => number | null;
  /** What an earlier session knew of it. */
  readonly begin: (liveAt: number | null) => void;
  readonly signedIn: () => void;
  readonly close: () => void;
}

/** How much of "up to date as of" a browser that is killed may lose; ms. */
const LIVE_NOTED_EVERY_MS = 60_000;

export function keepCourse(deps: CourseDeps): CourseKeeper {
  const { store, ports, workspace } = deps;
  let course = COURSE_BEGUN;
  let liveAt: number | null = null;
  /** Channel without a link → up to when all of it was here; null where that was never known. Epoch ms. */
  const lagging = new Map<RoomName, number | null>();
  let notedAt = 0;
  let timer: unknown = null;

  /** @param word when all that is linked was last heard */
  const asOf = (word: number): number | null => {
    const since = [...lagging.values()];
    return since.includes(null) ? liveAt : Math.min(word, ...since.filter((at) => at !== null));
  };

  /** For what time alone changes. */
  const lookAgain = (ms: number): void => {
    ports.timers.clear(timer);
    timer = ports.timers.set(deps.again, ms);
  };

  const noteState = (shown: ConnectionSnapshot): void =>
    deps.note({
      kind: "connection",
      what: wordOf(shown),
      ...("code" in shown ? { detail: shown.code } : {}),
      ...(shown.state === "misconfigured" ? { detail: shown.detail } : {}),
    });

  const keepLiveAt = (now: number): void => {
    if (liveAt === null) return;
    notedAt = now;
    const known = liveAt;
    void store
      .write({ tables: ["meta"], durability: "relaxed", leader: deps.leader }, (tx) => putLiveAt(tx, workspace, known))
      .catch((error: unknown) => (error instanceof NotLeader ? deps.deposed() : deps.unstored(error)));
  };

  return {
    follow: (directory, rooms) => {
      const now = ports.now();
      const before = wordOf(course.shown);
      const was = course.shown.state;
      course = follow(
        course,
        {
          at: now,
          directory: directory.link(),
          isFull: directory.isFull(),
          rooms: rooms.map(seenOf),
          isOnline: deps.isOnline(),
          isResting: deps.isOfflineChosen(),
        },
        deps.timing(),
      );
      const isLive = course.shown.state === "live";
      // An answer that ends a silence changes no link's state, so nobody tells of it.
      if (course.behindSince !== null || course.silentSince !== null) lookAgain(BEHIND_SHOWN_AFTER_MS);
      else if (isLive) lookAgain(LIVE_NOTED_EVERY_MS);
      if (was === "live" || (isLive && course.behindSince === null)) liveAt = asOf(oldestWord(rooms, now));
      // Chosen or not, it is offline; the log tells which.
      if (before !== wordOf(course.shown)) noteState(course.shown);
      // What was noted in a future that a clock set back has left tells nobody anything.
      const isDue = Math.abs(now - notedAt) >= LIVE_NOTED_EVERY_MS;
      if (isLive ? isDue : was === "live") keepLiveAt(now);
      return course.shown;
    },
    lag: (rooms) => {
      const now = ports.now();
      // Word of it may have been long on its way.
      const since = course.shown.state === "live" ? Math.min(now, liveAt ?? now) : liveAt;
      const behind = new Set(rooms);
      for (const room of lagging.keys()) if (!behind.has(room)) lagging.delete(room);
      for (const room of rooms) if (!lagging.has(room)) lagging.set(room, since);
    },
    // A clock that was set back since leaves nothing to say: it would lie ahead.
    liveAt: () => (liveAt !== null && liveAt <= ports.now() ? liveAt : null),
    begin: (stored) => {
      liveAt ??= stored;
    },
    signedIn: () => {
      course = signedIn(course);
    },
    close: () => ports.timers.clear(timer),
  };
}

function seenOf(runner: RoomRunner): SeenRoom {
  const { state } = runner.link();
  const heardAt = state.name === "live" ? state.heardAt : null;
  const failures = attemptOf(state);
  return { name: runner.name, isCaughtUp: runner.isCaughtUp(), failures, heardAt, isFull: runner.isFull() };
}

/** The last time that every one of them was known to stand: when the one silent for longest was last heard. */
function oldestWord(rooms: readonly RoomRunner[], now: number): number {
  return Math.min(now, ...rooms.map(({ heardAt }) => heardAt() ?? now));
}

/** What the event log calls a state: an op is refused in other words than a device. */
function wordOf(shown: ConnectionSnapshot): string {
  if (shown.state === "refused") return "not-let-in";
  return shown.state === "offline" && shown.isChosen === true ? "offline-chosen" : shown.state;
}
