/** Which browser tests there is no time for. */
import { beforeAll } from "vitest";
import { UNTIL_MS } from "../../scripts/until.ts";

export const isLate = (): boolean => Date.now() > UNTIL_MS;

/** What a file's tests need, where there is time for any of them. */
export function prepare(work: () => unknown, timeoutMs?: number): void {
  beforeAll(async () => {
    if (!isLate()) await work();
  }, timeoutMs);
}
