// Whether two snapshots say the same. Snapshots hold what frames don't: maps and sets, which have no fields to compare.

export function isAlike(before: unknown, after: unknown): boolean {
  if (Object.is(before, after)) return true;
  if (typeof before !== "object" || typeof after !== "object" || before === null || after === null) return false;
  if (before instanceof Map || after instanceof Map) {
    if (!(before instanceof Map && after instanceof Map) || before.size !== after.size) return false;
    return [...before].every(([key, value]) => after.has(key) && isAlike(value, after.get(key)));
  }
  if (before instanceof Set || after instanceof Set) {
    if (!(before instanceof Set && after instanceof Set) || before.size !== after.size) return false;
    return [...before].every((value) => after.has(value));
  }
  const keys = Object.keys(before);
  if (keys.length !== Object.keys(after).length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(after, key) && isAlike(Reflect.get(before, key) as unknown, Reflect.get(after, key) as unknown),
  );
}
