// A timeline whose code comes behind: what was said is not on the way to saying something.
import type { Timeline, TimelineSnapshot } from "./timeline-snapshots.ts";

const LOADING: TimelineSnapshot = { state: "loading" };

/** Opened by the first who listens; a failure to load is tried again by the next. */
export function laterTimeline(load: () => Promise<Timeline>): Timeline {
  let opened: Timeline | null = null;
  let opening: Promise<Timeline> | null = null;

  const open = (): Promise<Timeline> => {
    opening ??= load().then((timeline) => (opened = timeline));
    return opening.catch((error: unknown) => {
      opening = null;
      throw error;
    });
  };

  return {
    snapshot: () => opened?.snapshot() ?? LOADING,
    subscribe: (listener) => {
      let isOver = false;
      let stop: (() => void) | null = null;
      const listen = (timeline: Timeline): void => {
        if (isOver) return;
        stop = timeline.subscribe(listener);
        listener();
      };
      if (opened === null) open().then(listen, () => undefined);
      else listen(opened);
      return () => {
        isOver = true;
        stop?.();
      };
    },
    loadOlder: () => opened?.loadOlder(),
    loadNewer: () => opened?.loadNewer(),
    // At once where that can be: nothing of what stands there counts as seen from then on. Without its code nothing is shown.
    goTo: (id) =>
      opened?.goTo(id) ??
      open().then(
        (timeline) => timeline.goTo(id),
        () => false,
      ),
    // Behind the way it is said of.
    stay: () =>
      void open().then(
        (timeline) => timeline.stay(),
        () => undefined,
      ),
    leaveWay: () => opened?.leaveWay(),
    goToNewest: () => opened?.goToNewest(),
    trim: () => opened?.trim(),
    settled: async () => (await open()).settled(),
  };
}
