// Which day it is, as React state: "Today" doesn't stay so over midnight.
import { useSyncExternalStore } from "react";
import { startOfDay } from "./time.ts";

/** A little past midnight, for clocks that are set back by a second. */
const PAST_MIDNIGHT_MS = 2_000;

function subscribe(listener: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  function arm(): void {
    const tomorrow = new Date(startOfDay(Date.now()));
    tomorrow.setDate(tomorrow.getDate() + 1);
    timer = setTimeout(
      () => {
        listener();
        arm();
      },
      tomorrow.getTime() - Date.now() + PAST_MIDNIGHT_MS,
    );
  }
  arm();
  return () => clearTimeout(timer);
}

/** Its local midnight; epoch ms. */
export function useToday(): number {
  return useSyncExternalStore(subscribe, () => startOfDay(Date.now()));
}
