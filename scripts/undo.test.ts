import { expect, test } from "vitest";
import { withUndo } from "./undo.ts";

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
