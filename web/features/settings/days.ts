// Days as a sentence names them.
import { formatter } from "../../ui/time.ts";

const longDay = formatter({ dateStyle: "long" });

/** 12 March 2023 */
export function longDayOf(at: number): string {
  return longDay().format(at);
}

/** The choices, from all to least. */
export const KEEP_DAYS = [null, 365, 90, 30, 0] as const;
