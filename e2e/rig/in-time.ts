/** Which browser tests there is no time for: `.ci/run` is ended at its hour, on a machine of half the speed as well. */
import { beforeAll } from "vitest";

/** Seconds since 1970, as `.ci/run` says it; without it there is time for all. */
const until = Number(process.env["TEST_UNTIL"] || Infinity);

export const isLate = (): boolean => Date.now() / 1_000 > until;

/** What a file's tests need, where there is time for any of them. */
export function prepare(work: () => unknown, timeoutMs?: number): void {
  beforeAll(async () => {
    if (!isLate()) await work();
  }, timeoutMs);
}
