// Whether what a room sends finds no room on this device, and nothing else keeps that room away.
import { isUnderWay, type LinkState } from "./link-state.ts";

export interface Shortage {
  readonly isOn: () => boolean;
  /** What came found none. */
  readonly failed: () => void;
  /** What came was stored. */
  readonly stored: () => void;
  /** The link is this by now. */
  readonly follow: (state: LinkState) => void;
  /** How often it was tried in vain, as far as the wait for the next try goes by that. */
  readonly attempt: () => number;
}

/** Tried again within seconds all the same: room may have been made at any time. */
const COUNTED_MAX = 4;

export function watchShortage(): Shortage {
  let count = 0;
  return {
    isOn: () => count > 0,
    failed: () => {
      count += 1;
    },
    stored: () => {
      count = 0;
    },
    follow: (state) => {
      const isOfSpace = state.name === "waiting" && (state.why === "space" || state.why === "pace");
      // What keeps it away now is something else.
      if (state.name !== "live" && !isUnderWay(state) && !isOfSpace) count = 0;
    },
    attempt: () => Math.max(0, Math.min(count, COUNTED_MAX) - 1),
  };
}
