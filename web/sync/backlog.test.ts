// When what waits for the disk waits too long.
import { expect, it, vi } from "vitest";
import { watchBacklog, type Backlog } from "./backlog.ts";

interface Bench {
  readonly backlog: Backlog;
  /** Each time it was told: whether something was overdue by then. */
  readonly told: boolean[];
  readonly timers: number;
}

function bench(): Bench {
  vi.useFakeTimers();
  const told: boolean[] = [];
  const timers = {
    set: (run: () => void, ms: number) => setTimeout(run, ms),
    clear: (timer: unknown) => clearTimeout(timer as ReturnType<typeof setTimeout>),
  };
  const backlog = watchBacklog({
    ports: { now: Date.now, timers },
    changed: () => told.push(backlog.isOverdue()),
  });
  return {
    backlog,
    told,
    get timers() {
      return vi.getTimerCount();
    },
  };
}

it("one that waits is overdue after half a second, and no more once it is taken; then nothing is looked for", () => {
  const at = bench();
  at.backlog.came();
  vi.advanceTimersByTime(499);
  expect([at.backlog.isOverdue(), at.told]).toEqual([false, []]);
  vi.advanceTimersByTime(501);
  expect([at.backlog.isOverdue(), at.told]).toEqual([true, [true]]);
  at.backlog.taken();
  expect([at.backlog.isOverdue(), at.told, at.timers]).toEqual([false, [true, false], 0]);
});

it("whatever is seen of it between two looks, its end is told", () => {
  const at = bench();
  vi.advanceTimersByTime(400);
  at.backlog.came();
  vi.advanceTimersByTime(300);
  at.backlog.came();
  at.backlog.taken();
  vi.advanceTimersByTime(600);
  const was = at.backlog.isOverdue();
  at.backlog.taken();
  expect([was, at.told]).toEqual([false, []]);
});

it("those behind it that came as long ago are, until none of them waits", () => {
  const at = bench();
  for (let i = 0; i < 3; i += 1) at.backlog.came();
  vi.advanceTimersByTime(2_000);
  at.backlog.taken();
  at.backlog.taken();
  expect([at.backlog.isOverdue(), at.told]).toEqual([true, [true]]);
  at.backlog.taken();
  expect(at.told).toEqual([true, false]);
});

it("of a stream in which each is stored a moment behind the one before none is, though some always wait", () => {
  const at = bench();
  at.backlog.came();
  for (let i = 0; i < 100; i += 1) {
    at.backlog.came();
    vi.advanceTimersByTime(100);
    at.backlog.taken();
  }
  expect([at.told, at.timers]).toEqual([[], 1]);
});

it("where each is stored in time and what waits grows all the same, it is", () => {
  const at = bench();
  for (let i = 0; i < 20; i += 1) {
    at.backlog.came();
    at.backlog.came();
    vi.advanceTimersByTime(100);
    at.backlog.taken();
  }
  expect(at.told).toEqual([true]);
});

it("a clock that is set back under it leaves it overdue until it is taken", () => {
  const at = bench();
  at.backlog.came();
  vi.setSystemTime(Date.now() - 3_600_000);
  vi.advanceTimersByTime(1_000);
  expect(at.told).toEqual([true]);
  at.backlog.taken();
  expect(at.told).toEqual([true, false]);
});

it("nothing is told once it is closed", () => {
  const at = bench();
  at.backlog.came();
  at.backlog.close();
  at.backlog.came();
  vi.advanceTimersByTime(2_000);
  at.backlog.taken();
  expect([at.told, at.timers]).toEqual([[], 0]);
});
