// The browser's database as one tab holds it: its transactions end with the tab, wherever they were; and a full disk
// takes them back.

export interface TabDiskHooks {
  /** Whether this write finds the disk full. */
  readonly isFull: () => boolean;
  /** A transaction was committed, and its tab doesn't know yet. */
  readonly committed: (mode: IDBTransactionMode) => void;
  /** One was begun. */
  readonly begun: (mode: IDBTransactionMode) => void;
}

export interface TabDisk {
  readonly factory: IDBFactory;
  readonly die: () => void;
}

/** As in browsers: fake-indexeddb (6.2.8) may leave the connection of an upgrade that is taken back open for ever. */
export function endsWithItsUpgrade(request: IDBOpenDBRequest): void {
  request.addEventListener("upgradeneeded", () => {
    const { result, transaction } = request;
    transaction?.addEventListener("abort", () => result.close());
  });
}

export function openTabDisk(factory: IDBFactory, hooks: TabDiskHooks): TabDisk {
  const databases = new Set<IDBDatabase>();
  const open = new Set<IDBTransaction>();
  let isDead = false;

  const opened = (db: IDBDatabase): void => {
    if (isDead) return db.close();
    databases.add(db);
    const begin = db.transaction.bind(db);
    db.transaction = (names, mode = "readonly", options) => {
      if (isDead) throw new DOMException("The tab is gone", "InvalidStateError");
      const tx = begin(names, mode, options);
      open.add(tx);
      tx.addEventListener("complete", () => {
        open.delete(tx);
        hooks.committed(mode);
      });
      tx.addEventListener("abort", () => open.delete(tx));
      if (mode === "readwrite" && hooks.isFull()) fill(tx);
      hooks.begun(mode);
      return tx;
    };
  };

  return {
    factory: {
      open: (name: string, version?: number) => {
        const request = factory.open(name, version);
        request.addEventListener("success", () => opened(request.result));
        endsWithItsUpgrade(request);
        return request;
      },
      deleteDatabase: (name: string) => factory.deleteDatabase(name),
      databases: () => factory.databases(),
      cmp: (one: unknown, other: unknown) => factory.cmp(one, other),
    },
    die: () => {
      isDead = true;
      for (const tx of open) abort(tx);
      open.clear();
      for (const db of databases) db.close();
    },
  };
}

/** The first thing it stores takes it back, for want of space. */
function fill(tx: IDBTransaction): void {
  const storeOf = tx.objectStore.bind(tx);
  tx.objectStore = (name) => {
    const store = storeOf(name);
    for (const write of ["put", "add"] as const) {
      const through = store[write].bind(store);
      store[write] = (value: unknown, key?: IDBValidKey) => {
        const request = through(value, key);
        const reason = new DOMException("No space left", "QuotaExceededError");
        Object.defineProperty(tx, "error", { value: reason, configurable: true, writable: true });
        queueMicrotask(() => abort(tx));
        return request;
      };
    }
    return store;
  };
}

function abort(tx: IDBTransaction): void {
  try {
    tx.abort();
  } catch {
    // It had ended.
  }
}
