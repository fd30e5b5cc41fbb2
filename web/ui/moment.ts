// A moment in short: the clock, with the day where it isn't today.
import { clockOf, formatter, shortDayOf, startOfDay } from "./time.ts";

/** 14 Jul 2026, 09:12 */
export function dayAndClockOf(at: number): string {
  return `${shortDayOf(at)}, ${clockOf(at)}`;
}

/** 09:12, or 14 Jul 2026, 09:12 */
export function momentOf(at: number, now: number): string {
  return startOfDay(at) === startOfDay(now) ? clockOf(at) : dayAndClockOf(at);
}

const tick = formatter({ timeStyle: "medium" });

/** 09:12:07, or 14 Jul 2026, 09:12:07 */
export function tickOf(at: number, now: number): string {
  return startOfDay(at) === startOfDay(now) ? tick().format(at) : `${shortDayOf(at)}, ${tick().format(at)}`;
}
