// The choice to work offline as whoever leads hears of it, from whichever tab it is made in.
import type { Store } from "./store.ts";
import { readWorkOffline } from "./work-offline.ts";

export interface OfflineChoice {
  /** Null until the disk has said. */
  readonly now: () => boolean | null;
  readonly stop: () => void;
}

/**
 * Asked once, then at every commit of any tab that chose: where two tabs choose at once, word of the older choice may come
 * behind the newer, and what is stored is what was chosen last. A disk that can't say it forbids nothing but what was heard.
 * @param changed told whenever it is another than before, and when the disk has said
 */
export function watchOfflineChoice(store: Store, changed: () => void): OfflineChoice {
  let choice: boolean | null = null;
  let heard = false;
  let asked = 0;
  const become = (on: boolean): void => {
    if (on === choice) return;
    choice = on;
    changed();
  };
  const ask = (): void => {
    const turn = ++asked;
    const unlessAskedSince = (on: boolean): void => {
      if (turn === asked) become(on);
    };
    void store.read(["meta"], readWorkOffline).then(unlessAskedSince, () => unlessAskedSince(heard));
  };
  const stop = store.listen((commit) => {
    for (const change of commit) {
      if (change.table !== "meta" || !("put" in change) || change.put.key !== "workOffline") continue;
      heard = change.put.on;
      // To be quiet at once does no harm; to speak waits until it is sure.
      if (heard) become(true);
      ask();
    }
  });
  ask();
  return {
    now: () => choice,
    stop: () => {
      // What is on its way is asked for by nobody any more.
      asked += 1;
      stop();
    },
  };
}
