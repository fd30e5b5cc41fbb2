// Word of tabs that ended without a word: killed, crashed, or thrown away by the browser.

/** The lock that a tab has while it may say what it looks at. */
const livingLock = (tab: string): string => `causeway.tab.${tab}`;

/** Answers how to end it, before a tab freezes: Chromium freezes none that has a lock. */
export function live(locks: LockManager, tab: string): () => void {
  const life = new AbortController();
  const { signal } = life;
  const ended = (): Promise<void> => new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
  locks.request(livingLock(tab), { signal }, ended).catch(() => undefined);
  return () => life.abort();
}

/**
 * Calls back once when a tab has ended: whoever gets the lock it lives by has outlived it. Answers whether it will; not
 * for a tab that has none yet, of which that can't be told.
 */
export async function outlive(
  locks: LockManager,
  tab: string,
  signal: AbortSignal,
  ended: () => void,
): Promise<boolean> {
  const name = livingLock(tab);
  const lives = await locks.request(name, { ifAvailable: true, mode: "shared" }, (lock) => lock === null);
  if (!lives || signal.aborted) return false;
  locks.request(name, { mode: "shared", signal }, ended).catch(() => undefined);
  return true;
}
