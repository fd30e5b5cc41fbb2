// What a second press at the same place does, where another row has moved up to it.
import type { MouseEvent } from "react";
import { expect, it, vi } from "vitest";
import { ignoreSecondPresses, loseAim, takeAim } from "./second-press.ts";

interface Press {
  readonly row: string;
  readonly at: number;
  readonly x?: number;
  /** 0 for a key. */
  readonly detail?: number;
  /** The pointer was moved there, and no press. */
  readonly isMove?: boolean;
}

/** Long after what the tests before did. */
let now = 0;

/** Those that weren't ignored. */
function pressed(...presses: readonly Press[]): readonly string[] {
  now += 60_000;
  return presses.flatMap(({ row, at, x = 0, detail = 1, isMove = false }) => {
    const [preventDefault, stopPropagation] = [vi.fn<() => void>(), vi.fn<() => void>()];
    const target = { closest: () => row };
    const event = { detail, clientX: x, clientY: 0, timeStamp: now + at, target, preventDefault, stopPropagation };
    if (isMove) takeAim(event as unknown as MouseEvent);
    else ignoreSecondPresses(event as unknown as MouseEvent);
    if (isMove) return [];
    expect(preventDefault.mock.calls).toHaveLength(stopPropagation.mock.calls.length);
    return stopPropagation.mock.calls.length === 0 ? [row] : [];
  });
}

it.each<[string, readonly Press[], readonly string[]]>([
  [
    "another row's at the same place goes nowhere",
    [
      { row: "a", at: 0 },
      { row: "b", at: 150 },
    ],
    ["a"],
  ],
  [
    "nor as a finger hits it",
    [
      { row: "a", at: 0 },
      { row: "b", at: 150, x: 15 },
    ],
    ["a"],
  ],
  ["nor do more of them", [0, 300, 600, 900].map((at) => ({ row: `${at}`, at })), ["0"]],
  [
    "one that was meant comes later",
    [
      { row: "a", at: 0 },
      { row: "b", at: 600 },
    ],
    ["a", "b"],
  ],
  [
    "or elsewhere",
    [
      { row: "a", at: 0 },
      { row: "b", at: 150, x: 40 },
    ],
    ["a", "b"],
  ],
  [
    "the same row's is its own affair",
    [
      { row: "a", at: 0 },
      { row: "a", at: 150 },
    ],
    ["a", "a"],
  ],
  [
    "keys pass",
    [
      { row: "a", at: 0 },
      { row: "b", at: 150, detail: 0 },
    ],
    ["a", "b"],
  ],
  [
    "the first goes nowhere either, where another row has moved under the pointer since it was moved there",
    [
      { row: "a", at: 0, x: 7.6, isMove: true },
      { row: "b", at: 3_000, x: 7 },
      { row: "b", at: 3_200, x: 7 },
    ],
    [],
  ],
  [
    "a move of the rows alone is none",
    [
      { row: "a", at: 0, x: 7, isMove: true },
      { row: "b", at: 2_900, x: 7, isMove: true },
      { row: "b", at: 3_000, x: 7 },
    ],
    [],
  ],
  [
    "whoever presses there later means what stands there",
    [
      { row: "a", at: 0, x: 7, isMove: true },
      { row: "b", at: 3_000, x: 7 },
      { row: "b", at: 3_600, x: 7 },
    ],
    ["b"],
  ],
  [
    "so does whoever moves the pointer, or presses elsewhere",
    [
      { row: "a", at: 0, x: 7, isMove: true },
      { row: "b", at: 2_000, x: 8, isMove: true },
      { row: "b", at: 3_000, x: 8 },
      { row: "c", at: 4_000, x: 90 },
    ],
    ["b", "c"],
  ],
])("a second press: %s", (_, presses, kept) => {
  expect(pressed(...presses)).toEqual(kept);
});

it("whoever moved the rows by the wheel means what stands there now", () => {
  expect(pressed({ row: "a", at: 0, x: 7, isMove: true })).toEqual([]);
  loseAim();
  expect(pressed({ row: "b", at: 0, x: 7 })).toEqual(["b"]);
});
