// A timeline whose code comes behind: what was said is not on the way to saying something.
import { loadedOnce } from "./loaded-once.ts";
import type { Timeline, TimelineSnapshot } from "./timeline-snapshots.ts";

const LOADING: TimelineSnapshot = { state: "loading" };

/** Opened by the first who listens; a failure to load is tried again by the next. */
export function laterTimeline(load: () => Promise<Timeline>): Timeline {
  let opened: Timeline | null = null;
  const open = loadedOnce(async () => (opened = await load()));

  /**
   * At once where that can be: nothing of what stands there counts as seen from then on. Else behind what was said
   * before, and where its code can't be had nothing comes of it.
   */
  const say = <T>(what: (timeline: Timeline) => T): T | Promise<T | false> =>
    opened === null ? open().then(what, () => false) : what(opened);

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
      void say(listen);
      return () => {
        isOver = true;
        stop?.();
      };
    },
    loadOlder: () => opened?.loadOlder(),
    loadNewer: () => opened?.loadNewer(),
    goTo: async (id) => say((timeline) => timeline.goTo(id)),
    stay: () => void say((timeline) => timeline.stay()),
    leaveWay: () => void say((timeline) => timeline.leaveWay()),
    goToNewest: () => void say((timeline) => timeline.goToNewest()),
    trim: () => opened?.trim(),
    settled: async () => (await open()).settled(),
  };
}
