/** Choices that come out the same for the same seed. */
export interface Seeded {
  /** In [0, 1). */
  readonly next: () => number;
  /** A whole number in [0, below). */
  readonly below: (below: number) => number;
  readonly chance: (probability: number) => boolean;
  /** Throws on an empty list: there is nothing to choose. */
  readonly pick: <Item>(items: readonly Item[]) => Item;
  readonly shuffled: <Item>(items: readonly Item[]) => Item[];
}

/** Mulberry32: 32 bits of state are plenty for a scenario, and it is the same on every machine. */
export function seeded(seed: number): Seeded {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error("Nothing to choose from");
      return item;
    },
    shuffled: (items) => {
      const list = [...items];
      for (let at = list.length - 1; at > 0; at -= 1) {
        const other = below(at + 1);
        [list[at], list[other]] = [list[other]!, list[at]!];
      }
      return list;
    },
  };
}
