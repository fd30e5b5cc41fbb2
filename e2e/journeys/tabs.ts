/** Several tabs of one person. */
import type { Page } from "playwright-core";

/** Whether this tab holds the lock of the one that syncs. */
export function leads(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const probe = `probe-${Math.random()}`;
    return navigator.locks.request(probe, async () => {
      const { held = [] } = await navigator.locks.query();
      const own = held.find(({ name }) => name === probe)?.clientId;
      return held.some(({ clientId, name = "" }) => clientId === own && /^causeway\/[^/]+\/[^/]+$/.test(name));
    });
  });
}
