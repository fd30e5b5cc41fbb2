// Whether a reducer's result is what stood there before: then the op is without effect and raises nothing ([OP14]).

/** Compares two JSON values whatever the order of their fields. */
export function isUnchanged(before: unknown, after: unknown): boolean {
  if (Object.is(before, after)) return true;
  if (typeof before !== "object" || typeof after !== "object" || before === null || after === null) return false;
  const keys = Object.keys(before);
  if (keys.length !== Object.keys(after).length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(after, key) && isUnchanged(Reflect.get(before, key) as unknown, Reflect.get(after, key) as unknown),
  );
}
