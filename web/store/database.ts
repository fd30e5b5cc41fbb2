// The tables on disk, through idb. One place that knows IndexedDB; the rest sees transactions.
import { unwrap, wrap, type IDBPDatabase } from "idb";
import type { Migration, TableName } from "./schema.ts";
import { isRange, type Backend, type Key, type Range, type ReadTx, type WriteTx } from "./tx.ts";

export interface DatabaseEvents {
  /** The browser closed it, or a newer build of the app needs it: nothing can be stored through it any more. */
  readonly onClosed: (why: "upgraded-elsewhere" | "terminated") => void;
}

export async function openDatabase(
  factory: IDBFactory,
  name: string,
  migrations: readonly Migration[],
  events: DatabaseEvents,
): Promise<IDBPDatabase> {
  const request = factory.open(name, migrations.length);
  request.addEventListener("upgradeneeded", ({ oldVersion }) => {
    for (const migrate of migrations.slice(oldVersion)) migrate(request.result);
  });
  const db = wrap(await opened(request));
  // A tab of a newer build waits behind this one; it must not wait for ever.
  db.addEventListener("versionchange", () => {
    db.close();
    events.onClosed("upgraded-elsewhere");
  });
  db.addEventListener("close", () => events.onClosed("terminated"));
  return db;
}

function opened(request: IDBOpenDBRequest): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("the database can't be opened")));
  });
}

export function deleteDatabase(factory: IDBFactory, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = factory.deleteDatabase(name);
    request.addEventListener("success", () => resolve());
    request.addEventListener("error", () => reject(request.error ?? new Error("the database can't be removed")));
  });
}

export function diskBackend(db: IDBPDatabase): Backend {
  return {
    kind: "disk",
    read: async (tables, body) => {
      const tx = db.transaction([...tables], "readonly");
      const value = await body(reader(unwrap(tx)));
      await tx.done;
      return value;
    },
    write: async (tables, durability, body) => {
      const tx = db.transaction([...tables], "readwrite", { durability });
      const done = tx.done;
      // Looked at below; a body that throws first must not leave an unhandled rejection behind.
      done.catch(() => undefined);
      try {
        const value = await body(writer(unwrap(tx)));
        await done;
        return value;
      } catch (error) {
        abort(unwrap(tx));
        // The transaction's own failure (out of space) says more than the request it broke.
        await done.catch(() => undefined);
        throw unwrap(tx).error ?? error;
      }
    },
    close: () => db.close(),
  };
}

function abort(tx: IDBTransaction): void {
  try {
    tx.abort();
  } catch {
    // It had ended by itself; there is nothing left to take back.
  }
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the database refused a request"));
  });
}

const rangeOf = ({ lower, upper }: Range): IDBKeyRange => IDBKeyRange.bound(lower, upper);

// Requests are made on the bare transaction: idb's proxies would double the cost of a page of messages.
function reader(tx: IDBTransaction): ReadTx {
  return {
    get: (table, key) => settled(tx.objectStore(table).get(key as IDBValidKey)),
    all: (table, range) => settled(tx.objectStore(table).getAll(range === undefined ? undefined : rangeOf(range))),
    find: (table, index, key) =>
      settled(
        tx
          .objectStore(table)
          .index(index)
          .get(key as IDBValidKey),
      ),
  };
}

function writer(tx: IDBTransaction): WriteTx {
  return {
    ...reader(tx),
    put: (table, value) => void tx.objectStore(table).put(value),
    add: (table, value) => settled(tx.objectStore(table).add(value)) as Promise<number>,
    remove: (table: TableName, key: Key | Range) =>
      void tx.objectStore(table).delete(isRange(key) ? rangeOf(key) : (key as IDBValidKey)),
  };
}
