import { expect, it, vi } from "vitest";
import { cell, derive, signal } from "./source.ts";

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

it("tells of each change, also where a listener changes it in turn", () => {
  const on = cell(false);
  const view = derive(on, on.snapshot, () => on.snapshot());
  const heard: boolean[] = [];
  view.subscribe(() => {
    heard.push(view.snapshot());
    if (heard.length === 1) on.set(false);
  });
  for (const _ of [1, 2]) on.set(true);
  expect(heard).toEqual([true, false, true]);
});

it("one that has failed and gone isn't told again", () => {
  vi.useFakeTimers();
  const changes = signal();
  let told = 0;
  const stop = changes.subscribe(() => {
    told += 1;
    throw new Error("185");
  });
  changes.tell();
  stop();
  vi.runAllTimers();
  expect(told).toBe(1);
  vi.useRealTimers();
});
