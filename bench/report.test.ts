import { describe, expect, test } from "vitest";
import { median } from "./report.ts";

describe("the median", () => {
  test.each([
    [[3], 3],
    [[3, 1, 2], 2],
    [[4, 1, 3, 2], 2.5],
  ])("of %j is %d", (values, expected) => {
    expect(median(values)).toBe(expected);
  });

  test("of nothing is a mistake", () => {
    expect(() => median([])).toThrow("No values");
  });
});
