// Whole seconds until a moment, for what is to be tried again.
import { useSyncExternalStore } from "react";

/** Often enough that no second is skipped; what is shown changes once a second. */
const LOOK_EVERY_MS = 200;

function ticking(listener: () => void): () => void {
  const timer = setInterval(listener, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}

const still = (): (() => void) => () => undefined;

/** @param at epoch ms; null for none */
export function useSecondsUntil(at: number | null): number | null {
  return useSyncExternalStore(at === null ? still : ticking, () =>
    at === null ? null : Math.max(0, Math.ceil((at - Date.now()) / 1_000)),
  );
}
