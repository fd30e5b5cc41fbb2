// Full jitter between the contract's bounds ([AU7]): many clients that lost one room don't return as one.
import { BACKOFF_MAX_MS, BACKOFF_MIN_MS } from "#protocol/limits.ts";

/**
 * @param attempt failed tries so far, from 0
 * @param jitter 0 to 1
 */
export function backoffMs(attempt: number, jitter: number): number {
  const ceiling = Math.min(BACKOFF_MAX_MS, BACKOFF_MIN_MS * 2 ** (attempt + 1));
  return Math.round(BACKOFF_MIN_MS + jitter * (ceiling - BACKOFF_MIN_MS));
}
