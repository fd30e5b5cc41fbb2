import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { clockOf, startOfDay } from "./time.ts";
import { followDay } from "./today.ts";

beforeEach(() => void vi.useFakeTimers({ now: new Date(2026, 10, 21, 22, 0) }));
afterEach(() => void vi.useRealTimers());

function followed(): { readonly days: number[]; readonly stop: () => void } {
  const days = [startOfDay(Date.now())];
  const stop = followDay(() => {
    const day = startOfDay(Date.now());
    if (day !== days.at(-1)) days.push(day);
  });
  return { days, stop };
}

it("another day begins at midnight", () => {
  const { days, stop } = followed();
  vi.advanceTimersByTime(2 * 3_600_000 - 1_000);
  expect(days).toHaveLength(1);
  vi.advanceTimersByTime(4_000);
  expect(days).toEqual([new Date(2026, 10, 21).getTime(), new Date(2026, 10, 22).getTime()]);
  stop();
});

it("another day is noticed by a machine that slept over midnight, or whose clock was set", () => {
  const { days, stop } = followed();
  // No timer runs meanwhile.
  vi.setSystemTime(new Date(2026, 10, 23, 8, 0));
  vi.advanceTimersByTime(61_000);
  vi.setSystemTime(new Date(2026, 10, 20, 8, 0));
  vi.advanceTimersByTime(61_000);
  expect(days).toEqual([21, 23, 20].map((day) => new Date(2026, 10, day).getTime()));
  stop();
});

it("another time zone is noticed, and times are told in it", () => {
  const before = process.env["TZ"];
  try {
    process.env["TZ"] = "Europe/Berlin";
    const { days, stop } = followed();
    vi.advanceTimersByTime(61_000);
    const noonInLondon = Date.UTC(2026, 10, 21, 12, 0);
    const berlin = [clockOf(noonInLondon), startOfDay(noonInLondon)];
    process.env["TZ"] = "America/New_York";
    vi.advanceTimersByTime(61_000);
    expect([clockOf(noonInLondon), startOfDay(noonInLondon)]).not.toEqual(berlin);
    expect(clockOf(noonInLondon)).toContain("7:00");
    expect(startOfDay(noonInLondon)).toBe(Date.UTC(2026, 10, 21, 5, 0));
    expect(days.at(-1)).toBe(startOfDay(Date.now()));
    stop();
  } finally {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
    vi.advanceTimersByTime(61_000);
  }
});
