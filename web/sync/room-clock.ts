// How far a room's clock is ahead of this device's, as its greeting told. A clock that is set back meanwhile is noticed by
// what it said when the room was last heard: else what is written then would be said to be written before.

export interface RoomClock {
  /** @param at by the room's clock, epoch ms */
  readonly greeted: (at: number) => void;
  /** The room was heard: from here on it counts. */
  readonly look: () => void;
  readonly aheadMs: () => number;
}

export function roomClock(now: () => number): RoomClock {
  let aheadMs = 0;
  let lookedAt = now();

  const look = (): void => {
    const at = now();
    // One that is set right by going forward does no harm: a room takes no time later than its own.
    aheadMs += Math.max(0, lookedAt - at);
    lookedAt = at;
  };

  return {
    greeted: (at) => {
      lookedAt = now();
      aheadMs = at - lookedAt;
    },
    look,
    aheadMs: () => {
      look();
      return aheadMs;
    },
  };
}
