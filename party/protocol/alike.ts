// Whether two values say the same: what a reducer makes is then without effect and raises nothing ([OP14]), and a snapshot
// is no news.

/**
 * Compares JSON values whatever the order of their fields, and what only snapshots hold: maps and sets, which have no fields
 * to compare, but an order; in another one they are taken for others.
 */
export function isAlike(before: unknown, after: unknown): boolean {
  if (Object.is(before, after)) return true;
  if (typeof before !== "object" || typeof after !== "object" || before === null || after === null) return false;
  if (before.constructor !== after.constructor) return false;
  if (before instanceof Map || before instanceof Set) return isAlike([...before], [...(after as typeof before)]);
  const keys = Object.keys(before);
  if (keys.length !== Object.keys(after).length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(after, key) && isAlike(Reflect.get(before, key) as unknown, Reflect.get(after, key) as unknown),
  );
}
