import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { countdownTo } from "./countdown.ts";

beforeEach(() => void vi.useFakeTimers({ now: new Date(2026, 10, 21, 22, 0) }));
afterEach(() => void vi.useRealTimers());

it("counts down in whole seconds, to nothing and not below", () => {
  const { left } = countdownTo(Date.now() + 2_500);
  expect(left()).toBe(3);
  vi.advanceTimersByTime(1_000);
  expect(left()).toBe(2);
  vi.advanceTimersByTime(60_000);
  expect(left()).toBe(0);
});

it("goes on as it was though the clock is set", () => {
  const { left } = countdownTo(Date.now() + 20_000);
  vi.advanceTimersByTime(5_000);
  for (const day of [1, 30]) {
    vi.setSystemTime(new Date(2026, 10, day));
    expect(left()).toBe(15);
  }
});
