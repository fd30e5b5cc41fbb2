// The tables on disk. The one place that knows IndexedDB, bare: a page of messages is hundreds of requests, and what
// wraps each of them costs more than it does. The rest sees transactions.
import type { Migration, TableName } from "./schema.ts";
import { isRange, type Backend, type Key, type Range, type ReadTx, type WriteTx } from "./tx.ts";

export interface DatabaseEvents {
  /** Nothing can be stored through it any more. */
  readonly onClosed: (why: ClosedBecause) => void;
  /** A tab of an older build holds it and doesn't let go; opening waits for that. */
  readonly onBlocked?: () => void;
}

/** A newer build of the app needs it, another tab removes it, or the browser closed it. */
export type ClosedBecause = "upgraded-elsewhere" | "removed" | "terminated";

/** Above every build's: asked for by whoever wants a database alone, to remove it (remove-database.ts). */
export const ALONE_VERSION = 1e6;

/** What is stored could not be brought into today's form. All of it stands as it was, in the form it had. */
export class MigrationFailed extends Error {
  override readonly name = "MigrationFailed";
}

export async function openDatabase(
  factory: IDBFactory,
  name: string,
  migrations: readonly Migration[],
  events: DatabaseEvents,
): Promise<IDBDatabase> {
  const request = factory.open(name, migrations.length);
  const upgrade: { from: number; fault: unknown } = { from: 0, fault: null };
  request.addEventListener("upgradeneeded", ({ oldVersion }) => {
    const tx = request.transaction;
    if (tx === null) return;
    upgrade.from = oldVersion;
    try {
      for (const migrate of migrations.slice(oldVersion)) migrate(request.result, tx);
    } catch (error) {
      upgrade.fault = error;
      tx.abort();
    }
  });
  request.addEventListener("blocked", () => events.onBlocked?.());
  const db = await settled(request).catch((error: unknown) => {
    const cause = upgrade.fault ?? error;
    // One that is only being made has nothing to be left as it was.
    throw upgrade.from > 0 ? new MigrationFailed(`from version ${upgrade.from}`, { cause }) : cause;
  });
  const terminated = (): void => events.onClosed("terminated");
  // Whoever needs it for itself waits behind this tab, and must not wait for ever.
  db.addEventListener("versionchange", ({ newVersion }) => {
    db.removeEventListener("close", terminated);
    letGoOf(db);
    events.onClosed((newVersion ?? ALONE_VERSION) < ALONE_VERSION ? "upgraded-elsewhere" : "removed");
  });
  // Once, for it is also said by who finds it out (begun).
  db.addEventListener("close", terminated, { once: true });
  return db;
}

/** Whether the platform says that it keeps nothing for this page; anything else is a fault of what it keeps. */
export function isBlocked(error: unknown): boolean {
  return (
    error instanceof DOMException && ["SecurityError", "InvalidStateError", "NotAllowedError"].includes(error.name)
  );
}

/** Those that nobody took away: what is under way there still ends. */
const letGo = new WeakSet<IDBDatabase>();

export function letGoOf(db: IDBDatabase): void {
  letGo.add(db);
  db.close();
}

/** One that Firefox (153) took away lets nothing be begun, and may never say so: it is said here, to all that wait for it. */
export function begun(db: IDBDatabase, ...how: Parameters<IDBDatabase["transaction"]>): IDBTransaction {
  try {
    return db.transaction(...how);
  } catch (error) {
    const isGone = error instanceof DOMException && error.name === "InvalidStateError" && !letGo.has(db);
    if (isGone) db.dispatchEvent(new Event("close"));
    throw error;
  }
}

/** @param reopened what takes the place of a database that was lost; null where nothing does */
export function diskBackend(first: IDBDatabase, reopened: () => Promise<IDBDatabase> | null = () => null): Backend {
  let db = first;
  const begin = async (...[tables, ...how]: Parameters<IDBDatabase["transaction"]>): Promise<IDBTransaction> => {
    try {
      return begun(db, tables, ...how);
    } catch (error) {
      const next = reopened();
      if (next === null) throw error;
      db = await next;
      return begun(db, tables, ...how);
    }
  };
  return {
    kind: "disk",
    read: async (tables, body) => within(await begin([...tables]), reader, body),
    write: async (tables, durability, body) =>
      within(await begin([...tables], "readwrite", { durability }), writer, body),
    close: () => letGoOf(db),
  };
}

async function within<T, Tx>(
  tx: IDBTransaction,
  as: (tx: IDBTransaction) => Tx,
  body: (tx: Tx) => Promise<T>,
): Promise<T> {
  const done = ended(tx);
  // A body that throws first must not leave an unhandled rejection behind.
  done.catch(() => undefined);
  try {
    const value = await body(as(tx));
    await done;
    return value;
  } catch (error) {
    abort(tx);
    // The transaction's own failure (out of space) says more than the request it broke.
    await done.catch(() => undefined);
    throw tx.error ?? error;
  }
}

export function abort(tx: IDBTransaction): void {
  try {
    tx.abort();
  } catch {
    // It had ended by itself; there is nothing left to take back.
  }
}

/** Resolves when the transaction is committed, as durably as it was asked to be. */
export function ended(tx: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    tx.oncomplete = tx.onabort = ending(tx, tx.db, resolve, reject);
  });
}

export function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = request.onerror = ending(request, request.transaction?.db, resolve, reject);
  });
}

/**
 * Where the browser takes the database away, it fails by that: of what was begun just before, Chromium (156) says neither
 * that it ended nor that it didn't, and Firefox (153) answers no request of it.
 */
function ending<T>(
  of: (IDBTransaction | IDBRequest) & { readonly result?: T },
  db: IDBDatabase | undefined,
  resolve: (value: T) => void,
  reject: (why: DOMException) => void,
): (event: Event) => void {
  const end = ({ type }: Event): void => {
    db?.removeEventListener("close", end);
    // What one asks of a request that nobody answered throws.
    if (type === "close") reject(aborted());
    else if (type === "complete" || type === "success") resolve(of.result as T);
    else reject(faultOf(of));
  };
  db?.addEventListener("close", end);
  return end;
}

const aborted = (): DOMException => new DOMException("", "AbortError");

/** Why it failed. An abort that somebody asked for has no fault of its own. */
export function faultOf({ error }: IDBTransaction | IDBRequest): DOMException {
  return error ?? aborted();
}

const rangeOf = ({ lower, upper }: Range): IDBKeyRange => IDBKeyRange.bound(lower, upper);

// Requests are made on the bare transaction: idb's proxies would double the cost of a page of messages.
function reader(tx: IDBTransaction): ReadTx {
  return {
    get: (table, key) => settled(tx.objectStore(table).get(key as IDBValidKey)),
    all: (table, range, limit) => settled(tx.objectStore(table).getAll(range && rangeOf(range), limit)),
    count: (table, range) => settled(tx.objectStore(table).count(rangeOf(range))),
    find: (table, index, key) =>
      settled(
        tx
          .objectStore(table)
          .index(index)
          .get(key as IDBValidKey),
      ),
    allBy: (table, index, range) => settled(tx.objectStore(table).index(index).getAll(rangeOf(range))),
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
