// A moment in short: the clock, with the day where it isn't today.
import { clockOf, shortDayOf, startOfDay } from "./time.ts";

/** 09:12, or 14 Jul 2026, 09:12 */
export function momentOf(at: number, now: number): string {
  return startOfDay(at) === startOfDay(now) ? clockOf(at) : `${shortDayOf(at)}, ${clockOf(at)}`;
}

const tick = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

/** 09:12:07 */
export function tickOf(at: number): string {
  return tick.format(at);
}
