// One thing at a time is made of what waits or was refused, wherever it is pressed, also when one has looked elsewhere
// since and comes back to it: the next press was for what the first makes of it.
import { useSyncExternalStore } from "react";
import type { OpId } from "#protocol/ids.ts";
import { signal } from "../../store/source.ts";

const underWay = new Set<OpId>();
const changes = signal();

export const useUnderWay = (op: OpId): boolean => useSyncExternalStore(changes.subscribe, () => underWay.has(op));

/** Null where something is under way already. */
export async function oneAtATime<T>(op: OpId, begin: () => Promise<T>): Promise<T | null> {
  if (underWay.has(op)) return null;
  underWay.add(op);
  changes.tell();
  try {
    return await begin();
  } finally {
    underWay.delete(op);
    changes.tell();
  }
}
