// Days, months and years as one types them, in the reader's own time zone. Pure but for that.

export interface Period {
  /** Epoch ms, the first of it, and the first behind it. */
  readonly from: number;
  readonly to: number;
}

const DATE = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/;
const ON_THE_WAY = /^(?:\d{1,3}|\d{4}-|\d{4}-\d{1,2}-)$/;
const WORDS = ["today", "yesterday"];

/** `incomplete`: what may become one when it is typed on. */
export function readPeriod(typed: string, now: number): Period | "incomplete" | "bad" {
  const value = typed.toLowerCase();
  if (value === "today") return dayAt(now, 0);
  if (value === "yesterday") return dayAt(now, -1);
  if (ON_THE_WAY.test(value) || WORDS.some((word) => word.startsWith(value))) return "incomplete";
  const match = DATE.exec(value);
  if (match === null) return "bad";
  const [year, month, day] = match.slice(1).map((part) => (part === undefined ? null : Number(part)));
  if (year == null) return "bad";
  if (month == null) return { from: midnight(year, 0, 1), to: midnight(year + 1, 0, 1) };
  if (month < 1 || month > 12) return isOpen(month) ? "incomplete" : "bad";
  if (day == null) return { from: midnight(year, month - 1, 1), to: midnight(year, month, 1) };
  if (day < 1 || day > daysIn(year, month)) return isOpen(day) ? "incomplete" : "bad";
  return { from: midnight(year, month - 1, day), to: midnight(year, month - 1, day + 1) };
}

/** A nought may be the first of two digits. */
const isOpen = (value: number): boolean => value === 0;

function dayAt(now: number, offset: number): Period {
  const day = new Date(now);
  const at = (more: number): number => midnight(day.getFullYear(), day.getMonth(), day.getDate() + offset + more);
  return { from: at(0), to: at(1) };
}

function daysIn(year: number, month: number): number {
  return new Date(year, month, 0).getDate();
}

/** Years before 100 too, which the constructor takes for those of the last century. */
function midnight(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setFullYear(year, month, day);
  return date.setHours(0, 0, 0, 0);
}
