// A part of the app that isn't on the device yet comes over a line that may be bad just then.
import type { Ports } from "./ports.ts";

/** Between two tries, ms. */
const AGAIN_MS = 2_000;

/** Resolves when `load` has, however often it has to be asked. */
export function untilHere<Code>(load: () => Promise<Code>, timers: Ports["timers"]): Promise<Code> {
  return new Promise((resolve) => {
    const ask = (): void =>
      void load().then(resolve, () => {
        timers.set(ask, AGAIN_MS);
      });
    ask();
  });
}
