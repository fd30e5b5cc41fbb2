import { expect, test } from "vitest";
import type { WorkspaceId } from "#protocol/ids.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { createStore } from "../store/store.ts";
import { readLiveAt } from "../store/live-at.ts";
import { memoryBackend } from "../store/memory.ts";
import { putLeader } from "../store/meta.ts";
import type { LinkState } from "./link-state.ts";
import type { RoomRunner } from "./room-runner.ts";
import { TIMING } from "./timing.ts";
import { keepCourse, type CourseKeeper } from "./workspace-course.ts";

const bus = { send: () => undefined, listen: () => () => undefined, close: () => undefined };

function keep(differing: Partial<Parameters<typeof keepCourse>[0]>, now: () => number = () => 0): CourseKeeper {
  return keepCourse({
    store: createStore(memoryBackend(), bus),
    ports: { now, timers: { set: () => null, clear: () => undefined } },
    leader: "me",
    workspace: "w" as WorkspaceId,
    timing: () => TIMING,
    isOnline: () => true,
    isOfflineChosen: () => false,
    note: () => undefined,
    again: () => undefined,
    deposed: () => undefined,
    unstored: () => Promise.resolve(),
    ...differing,
  });
}

test("what was up to date in a future that a clock set back has left is not said", () => {
  let now = 10_000;
  const course = keep({}, () => now);
  course.begin(9_000);
  expect(course.liveAt()).toBe(9_000);
  now = 8_000;
  expect(course.liveAt()).toBeNull();
});

test("since when it was up to date is noted on by a clock that was set back", async () => {
  let now = 86_400_000;
  const store = createStore(memoryBackend(), bus);
  await store.write({ tables: ["meta"], durability: "strict" }, async (tx) => putLeader(tx, "me"));
  const course = keep({ store }, () => now);
  const directory = {
    name: "workspace:w" as RoomName,
    heardAt: () => now,
    isCaughtUp: () => true,
    isFull: () => false,
    link: () => ({
      state: { name: "live", heardAt: now, dueAt: null, pings: [] },
      expelledAt: null,
      denials: 0,
      openedAt: null,
      turnedAway: null,
    }),
  } as unknown as RoomRunner;
  const noted = (): Promise<number | null> => {
    course.follow(directory, [directory]);
    return store.write({ tables: ["meta"], durability: "strict" }, async (tx) => readLiveAt(tx, "w" as WorkspaceId));
  };
  expect(await noted()).toBe(86_400_000);
  now = 1_000;
  expect(await noted()).toBe(1_000);
});

test("that one chose to work offline is in the log though nothing answered anyway, and that one chose it no more", () => {
  const log: string[] = [];
  let isResting = false;
  const course = keep({ note: ({ what }) => log.push(what), isOfflineChosen: () => isResting });
  const directory = (state: LinkState): RoomRunner =>
    ({
      name: "workspace:w" as RoomName,
      isFull: () => false,
      link: () => ({ state, expelledAt: null, denials: 0, openedAt: null, turnedAway: null }),
    }) as RoomRunner;
  const cut = directory({ name: "waiting", attempt: 3, until: 9_000, why: "network" });
  course.follow(cut, []);
  isResting = true;
  course.follow(directory({ name: "off" }), []);
  course.follow(directory({ name: "off" }), []);
  isResting = false;
  course.follow(cut, []);
  expect(log).toEqual(["offline", "offline-chosen", "offline"]);
});

test("while the workspace's room owes an answer since a channel's line was lost, it is looked again whether it came", () => {
  const again: (() => void)[] = [];
  let looked = 0;
  const timers = { set: (run: () => void) => again.push(run), clear: () => (again.length = 0) };
  const course = keep({ ports: { now: () => 600, timers }, again: () => (looked += 1) });
  const runner = (name: string, state: LinkState, isCaughtUp: boolean): RoomRunner =>
    ({
      name,
      heardAt: () => 0,
      isCaughtUp: () => isCaughtUp,
      isFull: () => false,
      link: () => ({ state, expelledAt: null, denials: 0, openedAt: null, turnedAway: null }),
    }) as unknown as RoomRunner;
  const broken = runner("channel:w_c", { name: "waiting", attempt: 5, until: 30_000, why: "network" }, false);
  const look = (dueAt: number | null): string => {
    const directory = runner(
      "workspace:w",
      { name: "live", heardAt: dueAt === null ? 600 : 0, dueAt, pings: [] },
      true,
    );
    return course.follow(directory, [directory, broken]).state;
  };
  expect(look(null)).toBe("catching-up");
  expect(again).toEqual([]);
  expect(look(10_000)).toBe("reconnecting");
  for (const run of again) run();
  expect(looked).toBe(1);
  expect(look(null)).toBe("catching-up");
});
