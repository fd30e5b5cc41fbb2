// How large a page to ask for and how long to wait for it. A browser shows a frame when it is here whole, so a page on its
// way and a line that is dead look alike: pages are therefore so small that one is here before a line counts as dead. Each
// connection begins small, for nobody says what it bears, and goes by how long its pages took. Pure.
//
// Where even that doesn't come, or the greeting before it, the line is worse than thought: the next
// connection asks for the least, and waits for twice as long. So too upwards: an op is as large as its text, and the first
// time its answer is late the line may be dead; after that, large ops get the time that they take.
import { PAGE_MAX_BYTES, PAGE_MIN_BYTES } from "#protocol/limits.ts";

export interface Pace {
  /** What to ask for next. */
  readonly bytes: number;
  /** Connections in a row on which a page that was due, or the greeting, didn't come in time. */
  readonly missedCount: number;
}

/** On 50 kbit/s two rooms at once have theirs in six seconds. */
const FIRST_BYTES = 16 * 1024;
/** A page should take no more of the time that an answer has: the way there and back is part of it, and varies. */
const SHARE_OF_ANSWER = 0.6;
/** Beginnings are fast on any line: its buffers are empty. */
const GROWS_AT_MOST = 4;
const WAITS_AT_MOST_MS = 60_000;
/** What is no larger isn't late for its size. */
const SMALL_BYTES = 4 * 1024;
/** 4 kbit/s: the longest text in the widest script is 48 s on its way. */
const SLOWEST_BYTES_PER_MS = 0.5;

export const PACE_BEGUN: Pace = { bytes: FIRST_BYTES, missedCount: 0 };

/** @param answerMs how long another answer may take */
export function pageCame({ bytes }: Pace, cameBytes: number, tookMs: number, answerMs: number): Pace {
  // A clock that was turned back says nothing.
  if (tookMs < 0) return { bytes, missedCount: 0 };
  const fits = (cameBytes * SHARE_OF_ANSWER * answerMs) / Math.max(1, tookMs);
  const isSlow = tookMs > SHARE_OF_ANSWER * answerMs;
  const next = isSlow ? Math.min(bytes, fits) : Math.max(bytes, Math.min(fits, bytes * GROWS_AT_MOST));
  return { bytes: Math.round(Math.min(PAGE_MAX_BYTES, Math.max(PAGE_MIN_BYTES, next))), missedCount: 0 };
}

/** @param isMissed a page was due, and the connection ended without it after all the time it had */
export function connectionEnded({ missedCount }: Pace, isMissed: boolean): Pace {
  const missed = isMissed ? missedCount + 1 : missedCount;
  return { bytes: missed > 0 ? PAGE_MIN_BYTES : FIRST_BYTES, missedCount: missed };
}

export function pageWithinMs({ missedCount }: Pace, answerMs: number): number {
  return Math.max(answerMs, Math.min(WAITS_AT_MOST_MS, answerMs * 2 ** missedCount));
}

/** Whether an op of so many bytes, unanswered for all the time it had, may have been on its way still. */
export function isLateForSize(bytes: number): boolean {
  return bytes > SMALL_BYTES;
}

/** How long so many bytes are on their way up at the most, on a line that was too slow for a large op before. */
export function sendingMs(bytes: number): number {
  return bytes / SLOWEST_BYTES_PER_MS;
}
