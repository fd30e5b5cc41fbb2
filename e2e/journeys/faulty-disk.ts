// A disk that hangs, or answers nobody: transactions that don't end, in a page of real Chromium.
import type { Page } from "playwright-core";

/** What befalls this page's disk from now on. */
export interface DiskFaults {
  /** Transactions that write don't come to their end. */
  readonly isHolding?: boolean;
  /** They do, and nobody is told. */
  readonly isDeaf?: boolean;
}

declare global {
  interface Window {
    diskFaults: DiskFaults;
  }
}

export async function hold(page: Page, faults: DiskFaults): Promise<void> {
  await page.evaluate((given) => {
    window.diskFaults = given;
  }, faults);
}

/** An init script: from then on the page's disk does as `hold` says. */
export function faultyDisk(): void {
  window.diskFaults = {};
  const { transaction: begin } = Object.getOwnPropertyDescriptors(IDBDatabase.prototype);
  IDBDatabase.prototype.transaction = function transaction(...args) {
    const tx = begin.value!.apply(this, args);
    const goOn = (): void => {
      if (window.diskFaults.isHolding) tx.objectStore(tx.objectStoreNames[0]!).count().onsuccess = goOn;
    };
    if (tx.mode === "readwrite") goOn();
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
