// What comes down to this device, of all its rooms together: an answer may have to wait behind that. What others say shows
// that a line comes down, not that it goes up, so it is no sign of life for longer than it takes.

export interface Traffic {
  /** A frame is here. */
  readonly came: (text: string) => void;
  /** How long all that ever came was on its way, on a slow line; whole ms. The difference is what came in between. */
  readonly tookMs: () => number;
}

/** 40 kbit/s: on one of 50 (row 16) what comes fills more time than it takes. */
const SLOW_BYTES_PER_MS = 5;

export function countTraffic(): Traffic {
  const encoder = new TextEncoder();
  let bytes = 0;
  return {
    came: (text) => {
      bytes += encoder.encode(text).length;
    },
    tookMs: () => Math.round(bytes / SLOW_BYTES_PER_MS),
  };
}
