// A disk that hangs, or answers nobody: transactions that don't end, in a page of real Chromium.
import type { Page } from "playwright-core";

/** What befalls this page's disk from now on. */
export interface DiskFaults {
  /** Transactions that write don't come to their end. */
  readonly isHolding?: boolean;
  /** Only those begun since then, by the page's own clock; ms. */
  readonly since?: number;
  /** Those that are held fail, for want of space. */
  readonly isFailing?: boolean;
  /** They do, and nobody is told. */
  readonly isDeaf?: boolean;
}

declare global {
  interface Window {
    diskFaults: DiskFaults;
    /** How many transactions that write began while they were held, and how many of all came to their end. */
    diskCounts: { held: number; ended: number };
  }
}

export async function hold(page: Page, faults: DiskFaults): Promise<void> {
  await page.evaluate((given) => {
    window.diskFaults = given;
  }, faults);
}

export const diskCounts = (page: Page): Promise<Window["diskCounts"]> => page.evaluate(() => window.diskCounts);

/** An init script: from then on the page's disk does as `hold` says. */
export function faultyDisk(): void {
  window.diskFaults = {};
  window.diskCounts = { held: 0, ended: 0 };
  const { transaction: begin } = Object.getOwnPropertyDescriptors(IDBDatabase.prototype);
  IDBDatabase.prototype.transaction = function transaction(...args) {
    const tx = begin.value!.apply(this, args);
    const begunAt = performance.now();
    const goOn = (): void => {
      const { isHolding = false, since = 0 } = window.diskFaults;
      if (isHolding && begunAt >= since) tx.objectStore(tx.objectStoreNames[0]!).count().onsuccess = goOnOrFail;
    };
    let turns = 0;
    const goOnOrFail = (): void => {
      turns += 1;
      // As a browser would, when the last of its requests is done.
      if (!window.diskFaults.isFailing || turns < 20) return goOn();
      Object.defineProperty(tx, "error", { value: new DOMException("Made up by a test.", "QuotaExceededError") });
      tx.abort();
    };
    if (tx.mode === "readwrite") {
      if (window.diskFaults.isHolding) window.diskCounts.held += 1;
      tx.addEventListener("complete", () => (window.diskCounts.ended += 1));
      goOn();
    }
    return tx;
  };
  const complete = Object.getOwnPropertyDescriptor(IDBTransaction.prototype, "oncomplete")!;
  Object.defineProperty(IDBTransaction.prototype, "oncomplete", {
    ...complete,
    set(this: IDBTransaction, hear: (event: Event) => void) {
      complete.set?.call(this, (event: Event) => {
        if (this.mode === "readonly" || !window.diskFaults.isDeaf) hear.call(this, event);
      });
    },
  });
}
