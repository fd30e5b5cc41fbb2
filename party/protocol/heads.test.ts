import { expect, it } from "vitest";
import { isNewerHead } from "./heads.ts";

const head = (rev: number, at?: number) => ({
  rev,
  ...(at === undefined ? {} : { restored: { epoch: `e${at}`, at, seq: 1 } }),
});

it.each([
  ["a higher rev", head(5), head(4), true],
  ["the same", head(4), head(4), false],
  ["a lower one", head(3), head(4), false],
  ["restored, with a lower rev", head(3, 10), head(9), true],
  ["restored once more", head(2, 20), head(9, 10), true],
  ["of before it was restored once more", head(99, 10), head(2, 20), false],
  ["after it was restored, with a higher rev", head(4, 10), head(3, 10), true],
  ["after it was restored, the same", head(3, 10), head(3, 10), false],
  ["told by version 7, with a higher rev", head(4), head(3, 10), true],
  ["told by version 7, with a lower rev", head(2), head(3, 10), false],
])("[SV2] of two heads: %s", (_what, one, other, isNewer) => {
  expect(isNewerHead(one, other)).toBe(isNewer);
});
