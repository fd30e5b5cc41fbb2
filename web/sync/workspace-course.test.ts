import { expect, test } from "vitest";
import type { WorkspaceId } from "#protocol/ids.ts";
import { createStore } from "../store/store.ts";
import { memoryBackend } from "../store/memory.ts";
import { TIMING } from "./timing.ts";
import { keepCourse } from "./workspace-course.ts";

const bus = { send: () => undefined, listen: () => () => undefined, close: () => undefined };

test("what was up to date in a future that a clock set back has left is not said", () => {
  let now = 10_000;
  const course = keepCourse({
    store: createStore(memoryBackend(), bus),
    ports: { now: () => now, timers: { set: () => null, clear: () => undefined } },
    leader: "me",
    workspace: "w" as WorkspaceId,
    timing: () => TIMING,
    isOnline: () => true,
    isResting: () => false,
    note: () => undefined,
    again: () => undefined,
    deposed: () => undefined,
    unstored: () => Promise.resolve(),
  });
  course.begin(9_000);
  expect(course.liveAt()).toBe(9_000);
  now = 8_000;
  expect(course.liveAt()).toBeNull();
});
