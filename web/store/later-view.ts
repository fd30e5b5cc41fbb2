// A view whose code comes behind; until it is here another one stands in for it.
import { signal } from "./source.ts";
import type { View } from "./view.ts";

/** What any view of the disk says before it is here. */
export const LOADING: View<{ readonly state: "loading" }> = {
  subscribe: () => () => undefined,
  snapshot: () => loading,
};
const loading = { state: "loading" } as const;

/** Asked for by the first who looks; a failure to load is tried again by the next. */
export function laterView<Snapshot>(early: View<Snapshot>, load: () => Promise<View<Snapshot>>): View<Snapshot> {
  const arrived = signal();
  let view = early;
  let isAsked = false;
  const now = (): View<Snapshot> => {
    if (!isAsked) {
      isAsked = true;
      load().then(
        (loaded) => {
          view = loaded;
          arrived.tell();
        },
        () => {
          isAsked = false;
        },
      );
    }
    return view;
  };
  return {
    snapshot: () => now().snapshot(),
    subscribe: (listener) => {
      let stop = now().subscribe(listener);
      const stopWaiting = arrived.subscribe(() => {
        stop();
        stop = view.subscribe(listener);
        listener();
      });
      return () => {
        stopWaiting();
        stop();
      };
    },
  };
}
