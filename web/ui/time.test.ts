import { expect, test } from "vitest";
import { startOfDay } from "./time.ts";

const HOUR_MS = 3_600_000;

test("every hour of two years has its own day's midnight, in whatever order they are asked for", () => {
  const first = new Date(2025, 0, 1).getTime();
  const hours = Array.from({ length: 2 * 365 * 24 }, (_, at) => first + at * HOUR_MS);
  const expected = hours.map((at) => new Date(at).setHours(0, 0, 0, 0));
  expect(hours.map(startOfDay)).toEqual(expected);
  expect(hours.toReversed().map(startOfDay)).toEqual(expected.toReversed());
});
