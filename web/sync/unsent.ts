// What a person has on this device that nobody else has yet, in whichever of their workspaces.
import { isCounted, readOutbox } from "../store/outbox.ts";
import { storeSource } from "../store/export-source.ts";
import { cell } from "../store/source.ts";
import type { Store } from "../store/store.ts";
import type { Loaded, View } from "../store/view.ts";
import { exportLines, type ExportAbout } from "./export.ts";

export interface Unsent {
  /** On their way, by themselves. */
  readonly waitingCount: number;
  /** The person has to see to them. */
  readonly refusedCount: number;
}

export function unsentView(store: Store, report: (error: unknown) => void): View<Loaded<Unsent>> {
  const counts = cell<Loaded<Unsent>>({ state: "loading" });
  const read = async (): Promise<void> => {
    const ops = (await store.read(["outbox"], readOutbox)).filter(isCounted);
    const refusedCount = ops.filter(({ refusal }) => refusal !== undefined).length;
    counts.set({ state: "ready", value: { waitingCount: ops.length - refusedCount, refusedCount } });
  };
  const refresh = (): void => void read().catch(report);
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

/** As lines of NDJSON: ops and drafts. */
export function unsentLines(store: Store, about: ExportAbout): AsyncIterable<string> {
  return exportLines(storeSource(store), about, ["outbox", "drafts"]);
}
