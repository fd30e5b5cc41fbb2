// Runs what changes many records, slice by slice: each slice and the place it reached are one transaction, so a tab may
// end at any moment and the next leader goes on from there.
import { REWORKS, TABLES, type Rework, type Tables } from "./schema.ts";
import type { Store } from "./store.ts";
import { keyOf, type Key } from "./tx.ts";

/** Records of one transaction: a few ms, so that what a person does comes between. */
const SLICE = 200;

/** Before every key, and behind every key. */
const FIRST: Key = Number.NEGATIVE_INFINITY;
const LAST: readonly unknown[] = [[[]]];

export interface Reworking {
  readonly store: Store;
  readonly leader: string;
  /** Between two slices. */
  readonly pause: () => Promise<void>;
  readonly isStopped: () => boolean;
}

export async function runReworks(deps: Reworking, reworks: readonly Rework[] = REWORKS): Promise<void> {
  for (const rework of reworks) {
    while (!deps.isStopped() && !(await slice(deps, rework))) await deps.pause();
  }
}

/** Answers whether nothing is left to do. */
function slice({ store, leader }: Reworking, { name, table, change }: Rework): Promise<boolean> {
  const key = `rework:${name}` as const;
  return store.write({ tables: [table, "meta"], durability: "relaxed", leader }, async (tx) => {
    const at = await tx.get("meta", key);
    const known = at?.key === key ? at : { after: null, isDone: false };
    if (known.isDone) return true;
    const range = { lower: known.after ?? FIRST, upper: LAST };
    const found: readonly Tables[typeof table][] = await tx.all(table, range, SLICE + 1);
    const after = JSON.stringify(known.after);
    const due = found.filter((record) => JSON.stringify(keyOf(TABLES[table], record)) !== after).slice(0, SLICE);
    for (const record of due) {
      const next = change(record);
      if (next !== record) tx.put(table, next);
    }
    const last = due.at(-1);
    const isDone = found.length <= SLICE;
    tx.put("meta", { key, after: last === undefined ? known.after : keyOf(TABLES[table], last), isDone });
    return isDone;
  });
}
