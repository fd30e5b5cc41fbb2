// One thing at a time is made of what waits or was refused, wherever it is pressed, also when one has looked elsewhere
// since and comes back to it: the next press was for what the first makes of it.
import type { OpId } from "#protocol/ids.ts";

const underWay = new Set<OpId>();

export const isUnderWay = (op: OpId): boolean => underWay.has(op);

/** Null where something is under way already. */
export async function oneAtATime<T>(op: OpId, begin: () => Promise<T>): Promise<T | null> {
  if (underWay.has(op)) return null;
  underWay.add(op);
  try {
    return await begin();
  } finally {
    underWay.delete(op);
  }
}
