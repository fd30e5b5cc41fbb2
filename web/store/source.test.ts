import { expect, it, vi } from "vitest";
import { cell, derive } from "./source.ts";

it("a listener that fails keeps nobody else from hearing, and hears of it again in a turn of its own", async () => {
  vi.useFakeTimers();
  const count = cell(0);
  const doubled = derive(count, count.snapshot, () => count.snapshot() * 2);
  const shown: string[] = [];
  // As React does where it was told fifty times before it got a turn.
  let isTired = true;
  doubled.subscribe(() => {
    if (isTired) throw new Error("185");
    shown.push(`first ${doubled.snapshot()}`);
  });
  doubled.subscribe(() => shown.push(`second ${doubled.snapshot()}`));
  count.set(1);
  expect(shown).toEqual(["second 2"]);
  isTired = false;
  vi.runAllTimers();
  expect(shown).toEqual(["second 2", "first 2"]);
  count.set(2);
  expect(shown.slice(2)).toEqual(["first 4", "second 4"]);
  vi.useRealTimers();
});
