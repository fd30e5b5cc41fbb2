// What comes down to this device, of all its rooms together: an answer may have to wait behind that. What others say shows
// that a line comes down, not that it goes up, so it is no sign of life for longer than it takes.

export interface Traffic {
  /** A frame is here, of so many characters. */
  readonly came: (chars: number) => void;
  /** How long all that ever came was on its way, on a slow line; whole ms. The difference is what came in between. */
  readonly tookMs: () => number;
}

/** 32 kbit/s: half of what a slow line bears (row 16), for letters of more than a byte. */
const SLOW_CHARS_PER_MS = 4;

export function countTraffic(): Traffic {
  let chars = 0;
  return {
    came: (more) => {
      chars += more;
    },
    tookMs: () => Math.round(chars / SLOW_CHARS_PER_MS),
  };
}
