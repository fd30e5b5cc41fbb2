// When a tab has Chromium begin another log (store/turn-log.ts): behind what the opening reads and writes, and in steps.
import { turnLogAlone } from "../store/turn-log.ts";
import type { Ports } from "./ports.ts";

/** What is written before that may be lost with the next start. */
const AFTER_MS = 3_000;
/** All of it takes some five seconds, and nobody who takes over, or types, waits for it. */
const STEPS_MS = 100;

/**
 * @param mayTurn asked when it is time
 * @returns to be called when the tab lets go of the databases
 */
export function turnLogLater(
  factory: IDBFactory,
  { locks, timers }: Pick<Ports, "locks" | "timers">,
  mayTurn: () => boolean,
): () => void {
  const held = Promise.withResolvers<void>();
  const pause = (): Promise<void> => new Promise((resolve) => timers.set(resolve, STEPS_MS));
  const timer = timers.set(() => {
    if (mayTurn()) void turnLogAlone(factory, locks, held.promise, pause).catch(() => undefined);
  }, AFTER_MS);
  return () => {
    timers.clear(timer);
    held.resolve();
  };
}
