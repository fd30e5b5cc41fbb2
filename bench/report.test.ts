import { describe, expect, test } from "vitest";
import { median, withUndo } from "./report.ts";

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

test("what was set up is undone in reverse, also after a failure", async () => {
  const undone: string[] = [];
  const run = withUndo(async (undo) => {
    undo(() => undone.push("first"));
    undo(() => undone.push("second"));
    await Promise.reject(new Error("broken"));
  });
  await expect(run).rejects.toThrow("broken");
  expect(undone).toEqual(["second", "first"]);
});
