import { expect, it } from "vitest";
import type { OpId } from "#protocol/ids.ts";
import { NO_PROGRESS, progressed } from "./delivery-progress.ts";

const ops = (names: string): ReadonlySet<OpId> => new Set([...names] as OpId[]);

it.each<[string, readonly (readonly [waiting: string, refused: string])[], string]>([
  ["at first nothing is delivered", [["ab", ""]], "0 of 2"],
  [
    "what went is",
    [
      ["ab", ""],
      ["b", ""],
    ],
    "1 of 2",
  ],
  [
    "what another tab wrote meanwhile has to go as well",
    [
      ["ab", ""],
      ["abc", ""],
    ],
    "0 of 3",
  ],
  [
    "also where one went in the same moment",
    [
      ["ab", ""],
      ["bc", ""],
    ],
    "1 of 3",
  ],
  [
    "what is refused on the way isn't delivered",
    [
      ["ab", ""],
      ["b", "a"],
    ],
    "0 of 1",
  ],
  [
    "and goes with the others when it is tried again",
    [
      ["ab", ""],
      ["b", "a"],
      ["ab", ""],
    ],
    "0 of 2",
  ],
])("how far a delivery has come: %s", (_what, looks, said) => {
  const { delivered, going } = looks.reduce(
    (progress, [waiting, refused]) => progressed(progress, { waiting: ops(waiting), refused: ops(refused) }),
    NO_PROGRESS,
  );
  expect(`${delivered} of ${going.size}`).toBe(said);
});
