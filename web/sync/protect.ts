// Asks the browser to protect this device's storage when there first is something to lose: when something is queued here
// that nobody else has yet. Never at a first visit, which gives the browser no reason to say yes.
import { isCounted } from "../store/outbox.ts";
import type { Commit, Store } from "../store/store.ts";
import type { Ports } from "./ports.ts";

export interface ProtectDeps {
  readonly store: Pick<Store, "listen">;
  readonly ports: Pick<Ports, "page" | "report" | "storage">;
  readonly isLive: () => boolean;
}

/** Once; the answer is shown where storage is. */
export function protectWhenQueued({ store, ports, isLive }: ProtectDeps): void {
  const stop = store.listen((commit) => {
    // Of several tabs the one that is seen asks, for a browser may ask the person.
    if (!isQueued(commit) || isLive() || !ports.page.isVisible()) return;
    stop();
    void ask().catch(ports.report);
  });

  const ask = async (): Promise<void> => {
    if ((await ports.storage?.persisted()) === false) await ports.storage?.persist?.();
  };
}

function isQueued(commit: Commit): boolean {
  return commit.some((change) => change.table === "outbox" && "put" in change && isCounted(change.put));
}
