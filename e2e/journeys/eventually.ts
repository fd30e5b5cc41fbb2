/** Waiting for a condition, with the last value in the failure. */
import { expect } from "vitest";

/** It tells whether, not how fast: on two busy cores what takes half a second has taken fifteen. */
const WITHIN_MS = 30_000;

/** `await eventually(() => page.title()).toBe("…")` */
export function eventually<Value>(read: () => Value | Promise<Value>, withinMs = WITHIN_MS, everyMs = 50) {
  return expect.poll(read, { timeout: withinMs, interval: everyMs });
}
