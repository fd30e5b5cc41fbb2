// Times as the reader writes them, in their time zone, be it another one tomorrow.
import { timelineSays } from "./strings-timeline.ts";

const clock = formatter({ timeStyle: "short" });
const exact = formatter({ dateStyle: "full", timeStyle: "short" });
const shortDay = formatter({ dateStyle: "medium" });
const dayThisYear = formatter({ weekday: "long", day: "numeric", month: "long" });
const dayAnyYear = formatter({ weekday: "long", day: "numeric", month: "long", year: "numeric" });

/** Made once, for making one is slow, and anew in another time zone, for it keeps the one it was made in. */
export function formatter(options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
  let made: { readonly zone: number; readonly format: Intl.DateTimeFormat } | undefined;
  return () => {
    if (made?.zone !== zone) made = { zone, format: new Intl.DateTimeFormat(undefined, options) };
    return made.format;
  };
}

/** 09:12 */
export function clockOf(at: number): string {
  return clock().format(at);
}

/** 9:12, without what tells morning from evening: for where the full time stands above. */
export function briefClockOf(at: number): string {
  const parts = clock()
    .formatToParts(at)
    .filter(({ type }) => type !== "dayPeriod");
  return parts
    .map(({ value }) => value)
    .join("")
    .trim();
}

/** Tuesday, 14 July 2026 at 09:12 */
export function exactTimeOf(at: number): string {
  return exact().format(at);
}

/** 14 Jul 2026 */
export function shortDayOf(at: number): string {
  return shortDay().format(at);
}

/** The day asked for last: rows ask in their order, some hundred for each day, and finding a midnight is slow. */
let day = { from: 0, to: 0 };

/** By its distance from UTC, in minutes. */
let zone = new Date().getTimezoneOffset();

/** Nobody tells a page that its device has come to another time zone. */
export function lookForZone(): void {
  const now = new Date().getTimezoneOffset();
  if (now === zone) return;
  zone = now;
  day = { from: 0, to: 0 };
}

/** The local midnight that begins the day of `at`: equal for equal days. */
export function startOfDay(at: number): number {
  if (at < day.from || at >= day.to) {
    const from = midnightOf(at);
    // Be it one of 23 hours or of 25: that much later it is the day after.
    day = { from, to: midnightOf(from + 36 * 3_600_000) };
  }
  return day.from;
}

function midnightOf(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** Today, Yesterday, or the day by name, with its year where it isn't this one. */
export function dayOf(at: number, now: number): string {
  const day = startOfDay(at);
  const today = startOfDay(now);
  if (day === today) return timelineSays.today;
  // Noon of the day before, so that a day of 23 or 25 hours counts as one.
  if (day === startOfDay(today - 12 * 3_600_000)) return timelineSays.yesterday;
  return new Date(at).getFullYear() === new Date(now).getFullYear()
    ? dayThisYear().format(at)
    : dayAnyYear().format(at);
}
