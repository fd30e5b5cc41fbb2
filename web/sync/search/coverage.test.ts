import { expect, test } from "vitest";
import { minus, planOf, spansOf, type Coverage, type Plan } from "./coverage.ts";

const held: Coverage = {
  epoch: "e",
  generation: 0,
  cursor: 130,
  ranges: [
    { from: 10, to: 20 },
    { from: 60, to: null },
  ],
  second: null,
  floor: 0,
  lastSeq: 100,
  heldCount: 52,
};
const all = [
  { from: 60, to: 100 },
  { from: 10, to: 20 },
];

test.each<[string, Partial<Coverage>, Plan | null]>([
  ["nothing where nothing changed", {}, null],
  ["the posts since", { cursor: 133, lastSeq: 103 }, { read: [{ from: 101, to: 103 }], drop: [], isWhole: false }],
  [
    "history that came",
    { ranges: [{ from: 10, to: null }] },
    { read: [{ from: 21, to: 59 }], drop: [], isWhole: false },
  ],
  [
    "history that went",
    { ranges: [{ from: 80, to: null }] },
    {
      read: [],
      drop: [
        { from: 10, to: 20 },
        { from: 60, to: 79 },
      ],
      isWhole: false,
    },
  ],
  [
    "all, where more than posts happened",
    { cursor: 134, lastSeq: 103 },
    { read: [{ from: 60, to: 103 }, all[1]!], drop: [], isWhole: true },
  ],
  [
    "all, where an answer brought an edit before the cursor came there",
    { ahead: 131 },
    { read: all, drop: [], isWhole: true },
  ],
  [
    "all, where a post that an answer brought stands for an edit",
    { ahead: 132, cursor: 131, lastSeq: 101 },
    { read: [{ from: 60, to: 101 }, all[1]!], drop: [], isWhole: true },
  ],
  ["all, where a message was edited", { cursor: 131 }, { read: all, drop: [], isWhole: true }],
  ["all of another history", { epoch: "f" }, { read: all, drop: [], isWhole: true }],
  [
    "all, while older ones are being checked",
    { second: { cursor: 1, upTo: 9 } },
    { read: all, drop: [], isWhole: true },
  ],
  [
    "also what lies between those and the newest page, where some has come already",
    { second: { cursor: 1, upTo: 9, since: 30 } },
    { read: [{ from: 31, to: 100 }, all[1]!], drop: [], isWhole: true },
  ],
  [
    "what is above the floor",
    { floor: 70 },
    {
      read: [],
      drop: [
        { from: 10, to: 20 },
        { from: 60, to: 69 },
      ],
      isWhole: false,
    },
  ],
])("reads %s", (_name, change, plan) => expect(planOf(held, { ...held, ...change })).toEqual(plan));

test("reads all of a room it never saw, newest first, and nothing of one that isn't held", () => {
  expect(planOf(undefined, held)).toEqual({ read: all, drop: [], isWhole: true });
  expect(spansOf({ ...held, ranges: [] })).toEqual([]);
});

test.each([
  [
    [[1, 10]],
    [[3, 4]],
    [
      [1, 2],
      [5, 10],
    ],
  ],
  [[[1, 10]], [[1, 10]], []],
  [
    [
      [1, 3],
      [5, 9],
    ],
    [[2, 6]],
    [
      [1, 1],
      [7, 9],
    ],
  ],
  [[[1, 3]], [[7, 9]], [[1, 3]]],
])("%j without %j is %j", (spans, others, left) => {
  const of = (pairs: readonly (readonly number[])[]) => pairs.map(([from = 0, to = 0]) => ({ from, to }));
  expect(minus(of(spans), of(others))).toEqual(of(left));
});
