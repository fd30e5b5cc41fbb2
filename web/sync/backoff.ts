// Full jitter between the contract's bounds ([AU7]): many clients that lost one room don't return as one.
import { TIMING, type Timing } from "./timing.ts";

/**
 * @param attempt failed tries so far, from 0
 * @param jitter 0 to 1
 */
export function backoffMs(
  attempt: number,
  jitter: number,
  { backoffMinMs, backoffMaxMs }: Pick<Timing, "backoffMinMs" | "backoffMaxMs"> = TIMING,
): number {
  const ceiling = Math.min(backoffMaxMs, backoffMinMs * 2 ** (attempt + 1));
  return Math.round(backoffMinMs + jitter * (ceiling - backoffMinMs));
}
