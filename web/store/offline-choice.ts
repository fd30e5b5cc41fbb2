// The choice to work offline as whoever leads hears of it, from whichever tab it is made in.
import type { Store } from "./store.ts";
import { readWorkOffline } from "./work-offline.ts";

export interface OfflineChoice {
  /** Null until the disk has said. */
  readonly now: () => boolean | null;
  readonly stop: () => void;
}

/**
 * Asked once, then heard from the commits of any tab. A disk that can't say it forbids nothing.
 * @param changed told whenever it is another than before, and when the disk has said
 */
export function watchOfflineChoice(store: Store, changed: () => void): OfflineChoice {
  let choice: boolean | null = null;
  const become = (on: boolean): void => {
    if (on === choice) return;
    choice = on;
    changed();
  };
  const stop = store.listen((commit) => {
    for (const change of commit)
      if (change.table === "meta" && "put" in change && change.put.key === "workOffline") become(change.put.on);
  });
  void store.read(["meta"], readWorkOffline).then(
    (on) => {
      if (choice === null) become(on);
    },
    () => become(false),
  );
  return { now: () => choice, stop };
}
