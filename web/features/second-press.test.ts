// What a second press at the same place does, where another row has moved up to it.
import type { MouseEvent } from "react";
import { expect, it, vi } from "vitest";
import { ignoreSecondPresses } from "./second-press.ts";

interface Press {
  readonly row: string;
  readonly at: number;
  readonly x?: number;
  /** 0 for a key. */
  readonly detail?: number;
}

/** Long after what the tests before did. */
let now = 0;

/** Those that weren't ignored. */
function pressed(...presses: readonly Press[]): readonly string[] {
  now += 60_000;
  return presses.flatMap(({ row, at, x = 0, detail = 1 }) => {
    const [preventDefault, stopPropagation] = [vi.fn<() => void>(), vi.fn<() => void>()];
    const target = { closest: () => row };
    const event = { detail, clientX: x, clientY: 0, timeStamp: now + at, target, preventDefault, stopPropagation };
    ignoreSecondPresses(event as unknown as MouseEvent);
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
])("a second press: %s", (_, presses, kept) => {
  expect(pressed(...presses)).toEqual(kept);
});
