import { expect, test } from "vitest";
import type { TimelineSnapshot } from "../store/timeline-snapshots.ts";
import { lastMine } from "./last-mine.ts";

const mine = { isMine: true, mayEdit: true, isDeleted: false };
const messages = [
  { ...mine, id: "m1" },
  { ...mine, id: "m2" },
  { ...mine, id: "m3", isDeleted: true },
  { ...mine, id: "m4", isMine: false },
];

test.each([
  ["at the end of the channel", { state: "ready", newer: "nothing", messages }, "m2"],
  ["where nothing is mine", { state: "ready", newer: "nothing", messages: messages.slice(2) }, null],
  ["far above the end, where the last may be below", { state: "ready", newer: "more", messages }, null],
  ["where what is below can't be had", { state: "ready", newer: "unreachable", messages }, null],
  ["before anything is there", { state: "loading" }, null],
])("the last message of one's own %s", (_where, timeline, id) => {
  expect(lastMine(timeline as unknown as TimelineSnapshot)).toBe(id);
});
