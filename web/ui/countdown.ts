// Whole seconds until a moment, for what is to be tried again.
import { useMemo, useSyncExternalStore } from "react";

/** Often enough that no second is skipped; what is shown changes once a second. */
const LOOK_EVERY_MS = 200;

interface Countdown {
  readonly subscribe: (listener: () => void) => () => void;
  /** Whole seconds; null where nothing is counted down to. */
  readonly left: () => number | null;
}

const NOTHING: Countdown = { subscribe: () => () => undefined, left: () => null };

/** @param at epoch ms, by the clock as it is now: whatever that is set to since, the timer behind it runs on as this does */
export function countdownTo(at: number): Countdown {
  const due = at - Date.now() + performance.now();
  return {
    subscribe: (listener) => {
      const timer = setInterval(listener, LOOK_EVERY_MS);
      return () => clearInterval(timer);
    },
    left: () => Math.max(0, Math.ceil((due - performance.now()) / 1_000)),
  };
}

/** @param at epoch ms; null for none */
export function useSecondsUntil(at: number | null): number | null {
  const { subscribe, left } = useMemo(() => (at === null ? NOTHING : countdownTo(at)), [at]);
  return useSyncExternalStore(subscribe, left);
}
