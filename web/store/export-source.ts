// What is stored, read as it is, in whatever form a build of any age has left it: for taking it away from a device.
import { settled } from "./database.ts";
import { openExisting } from "./open-existing.ts";
import type { Store } from "./store.ts";
import type { TableName } from "./schema.ts";

export interface ExportSource {
  /** In the order of keys, some at a time. A table that isn't there is empty. */
  readonly rows: (table: TableName) => AsyncIterable<readonly unknown[]>;
  readonly close: () => void;
}

/** Records read at once. */
const PAGE = 500;

/**
 * A database by its name; null where there is none. It doesn't stand in the way of a tab that brings it up to date.
 */
export async function diskSource(factory: IDBFactory, name: string): Promise<ExportSource | null> {
  const db = await openExisting(factory, name);
  if (db === null) return null;
  db.addEventListener("versionchange", () => db.close());
  return {
    rows: async function* rows(table) {
      if (!db.objectStoreNames.contains(table)) return;
      let after: IDBValidKey | null = null;
      for (;;) {
        const store: IDBObjectStore = db.transaction(table).objectStore(table);
        const range: IDBKeyRange | null = after === null ? null : IDBKeyRange.lowerBound(after, true);
        // Both asked for before either is awaited: a transaction that is given nothing to do ends.
        const asked: Promise<IDBValidKey[]> = settled(store.getAllKeys(range, PAGE));
        const values: readonly unknown[] = await settled(store.getAll(range, PAGE));
        const keys: readonly IDBValidKey[] = await asked;
        if (values.length > 0) yield values;
        after = keys.at(-1) ?? null;
        if (after === null || keys.length < PAGE) return;
      }
    },
    close: () => db.close(),
  };
}

/** An open store; also the one in memory, of which nothing stays. */
export function storeSource(store: Store): ExportSource {
  return {
    rows: async function* rows(table) {
      yield await store.read([table], (tx) => tx.all(table));
    },
    close: () => undefined,
  };
}
