// Randomness that can be had again: mulberry32, by seed.

export interface Seeded {
  /** 0 to 1. */
  readonly next: () => number;
  /** Whether something of this probability happens now. */
  readonly chance: (probability: number) => boolean;
  readonly pick: <Item>(items: readonly Item[]) => Item;
  /** From 0 to below. */
  readonly below: (count: number) => number;
  readonly shuffled: <Item>(items: readonly Item[]) => Item[];
}

export function seeded(seed: number): Seeded {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error("nothing to pick from");
      return item;
    },
    shuffled: (items) => {
      const rest = [...items];
      return items.flatMap(() => rest.splice(below(rest.length), 1));
    },
  };
}
