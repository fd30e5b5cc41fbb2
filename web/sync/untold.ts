// What nobody told of: a tab that ended between storing an op and saying so leaves the other tabs with an older outbox.
import { readOutbox, workspaceOf } from "../store/outbox.ts";
import type { Replica } from "../store/replica.ts";
import type { OutboxRecord } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { Ports } from "./ports.ts";

/** What nobody told of waits no longer than that. */
const UNTOLD_EVERY_MS = 20_000;

/**
 * Looks now and then for what was written, changed or taken back without a word.
 *
 * @param found the replica was read anew
 */
export function watchUntold(store: Store, ports: Ports, replica: Replica, found: () => void): { close: () => void } {
  let timer: unknown = null;
  let isClosed = false;

  const look = async (): Promise<void> => {
    const stored = (await store.read(["outbox"], readOutbox)).filter((op) => workspaceOf(op) === replica.workspace);
    // An op that changed in its place, as one that is to be tried again, is another version of it.
    const known = (ops: readonly OutboxRecord[]): string =>
      ops.map(({ place, version }) => `${place}.${version}`).join();
    if (isClosed || known(stored) === known(replica.outbox())) return;
    await replica.reload();
    found();
  };

  const later = (): void => {
    timer = ports.timers.set(() => {
      if (isClosed) return;
      look().catch(ports.report);
      later();
    }, UNTOLD_EVERY_MS);
  };

  later();
  return {
    close: () => {
      isClosed = true;
      ports.timers.clear(timer);
    },
  };
}
