// How far a room's clock is ahead of this device's, as its greeting told. A clock that is set back meanwhile is noticed by
// what it said when the room was last heard: else what is written then would be said to be written before.

export interface RoomClock {
  /** @param at by the room's clock, epoch ms */
  readonly greeted: (at: number) => void;
  /** The room was heard: from here on it counts. */
  readonly look: () => void;
  readonly aheadMs: () => number;
  /** By the room's clock it is so late at least, however this device's was set since; null where it never told. Epoch ms. */
  readonly leastAt: () => number | null;
}

/** It is looked at more often than that while its link stands: what is said to have passed beyond it was set. */
const LOOKED_WITHIN_MS = 10 * 60_000;

export function roomClock(now: () => number): RoomClock {
  let aheadMs = 0;
  let lookedAt = now();
  let leastAt: number | null = null;

  const look = (): void => {
    const at = now();
    // One that is set right by going forward does no harm: a room takes no time later than its own.
    aheadMs += Math.max(0, lookedAt - at);
    if (leastAt !== null) leastAt += Math.min(LOOKED_WITHIN_MS, Math.max(0, at - lookedAt));
    lookedAt = at;
  };

  return {
    greeted: (at) => {
      lookedAt = now();
      aheadMs = at - lookedAt;
      leastAt = at;
    },
    look,
    aheadMs: () => {
      look();
      return aheadMs;
    },
    leastAt: () => {
      look();
      return leastAt;
    },
  };
}
