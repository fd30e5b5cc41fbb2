// How long to wait before another room is tried again: doubling, from half a second to half a minute.
import { BACKOFF_MAX_MS, BACKOFF_MIN_MS } from "#protocol/limits.ts";

/** @param failures in a row, from 1 */
export function backoffMs(failures: number): number {
  return Math.min(BACKOFF_MAX_MS, BACKOFF_MIN_MS * 2 ** (failures - 1));
}
