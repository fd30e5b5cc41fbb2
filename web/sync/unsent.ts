// What a person has on this device that nobody else has yet, in whichever of their workspaces.
import { isCounted, readOutbox } from "../store/outbox.ts";
import { storeSource } from "../store/export-source.ts";
import { cell } from "../store/source.ts";
import type { Store } from "../store/store.ts";
import type { ReadTx } from "../store/tx.ts";
import type { Loaded, View } from "../store/view.ts";
import type { Ports } from "./ports.ts";
import { exportLines, type ExportAbout } from "./export.ts";

/** So long a person who signs out waits for a draft; ms. */
const SYNCED_WITHIN_MS = 2_000;

export interface Unsent {
  /** On their way, by themselves. */
  readonly waitingCount: number;
  /** The person has to see to them. */
  readonly refusedCount: number;
  /** It can't be read, so nobody knows how much it is. */
  readonly isUnread?: true;
}

export function unsentView(store: Store, report: (error: unknown) => void): View<Loaded<Unsent>> {
  const counts = cell<Loaded<Unsent>>({ state: "loading" });
  const read = async (): Promise<void> => counts.set({ state: "ready", value: await countsOf(store) });
  const refresh = (): void =>
    void read().catch((error: unknown) => {
      counts.set({ state: "ready", value: { waitingCount: 0, refusedCount: 0, isUnread: true } });
      report(error);
    });
  return {
    snapshot: counts.snapshot,
    subscribe: (listener) => {
      const stop = counts.subscribe(listener);
      const stopStore = store.listen((commit) => {
        if (commit.some(({ table }) => table === "outbox")) refresh();
      });
      refresh();
      return () => {
        stop();
        stopStore();
      };
    },
  };
}

export async function countsOf(store: Store): Promise<Unsent> {
  const ops = (await store.read(["outbox"], readOutbox)).filter(isCounted);
  const refusedCount = ops.filter(({ refusal }) => refusal !== undefined).length;
  return { waitingCount: ops.length - refusedCount, refusedCount };
}

/**
 * Whether there are words that would go with this device: ops, and drafts that are on no other. The end of a draft is as
 * good as words: without it what was sent stands in the composer again.
 */
export async function hasWords(all: ReadTx["all"]): Promise<boolean> {
  const [ops, drafts] = await Promise.all([all("outbox"), all("drafts")]);
  return drafts.length > 0 || ops.some((op) => isCounted(op) || op.op === "draft.set");
}

/** Resolves when no draft, or its end, is on its way any more; after a while as things are. */
export async function draftsSynced(store: Store, { timers }: Pick<Ports, "timers">): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const look = async (): Promise<void> => {
    if (!(await store.read(["outbox"], readOutbox)).some(({ op }) => op === "draft.set")) resolve();
  };
  const stop = store.listen(() => void look().catch(reject));
  const timer = timers.set(resolve, SYNCED_WITHIN_MS);
  look().catch(reject);
  return promise.finally(() => {
    stop();
    timers.clear(timer);
  });
}

/** As lines of NDJSON: ops and drafts. */
export function unsentLines(store: Store, about: ExportAbout): AsyncIterable<string> {
  return exportLines(storeSource(store), about, ["outbox", "drafts"]);
}
