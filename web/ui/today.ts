// Which day it is, as React state: "Today" doesn't stay so over midnight, nor does any time under way to another zone.
import { useSyncExternalStore } from "react";
import { lookForZone, startOfDay } from "./time.ts";

/** A little past midnight, for clocks that are set back by a second. */
const PAST_MIDNIGHT_MS = 2_000;
/** A timer stands still while the machine sleeps, and knows nothing of a clock that is set. */
const LOOK_EVERY_MS = 60_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout>;

/** Calls back when it may have become another day. */
export function followDay(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) arm();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearTimeout(timer);
  };
}

function arm(): void {
  const tomorrow = new Date(startOfDay(Date.now()));
  tomorrow.setDate(tomorrow.getDate() + 1);
  timer = setTimeout(
    () => {
      arm();
      lookForZone();
      for (const listener of listeners) listener();
    },
    Math.min(LOOK_EVERY_MS, tomorrow.getTime() - Date.now() + PAST_MIDNIGHT_MS),
  );
}

/** Its local midnight; epoch ms. Another one in another time zone, where what shows a time is to be rendered again. */
export function useToday(): number {
  return useSyncExternalStore(followDay, () => startOfDay(Date.now()));
}
