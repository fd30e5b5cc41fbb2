// One person's store: transactions whose commits are told to this tab's views and to the other tabs, in that order and
// only after they are durable. What a transaction put and removed is the whole of what is told.
import type { TableName, Tables } from "./schema.ts";
import type { Backend, Durability, Key, Range, ReadTx, WriteTx } from "./tx.ts";

export type Change = {
  [T in TableName]:
    | { readonly table: T; readonly put: Tables[T] }
    | { readonly table: T; readonly remove: Key | Range };
}[TableName];

export type Commit = readonly Change[];

/** Between the tabs of one person; nothing comes back to the sender. */
export interface Bus {
  readonly send: (message: unknown) => void;
  readonly listen: (listener: (message: unknown) => void) => () => void;
  readonly close: () => void;
}

export interface WriteOptions {
  readonly tables: readonly TableName[];
  readonly durability: Durability;
  /** Only while this tab is the leader; else nothing is written and `NotLeader` is thrown. */
  readonly leader?: string;
}

export interface Store {
  readonly kind: Backend["kind"];
  readonly read: <T>(tables: readonly TableName[], body: (tx: ReadTx) => Promise<T>) => Promise<T>;
  readonly write: <T>(options: WriteOptions, body: (tx: WriteTx) => Promise<T>) => Promise<T>;
  /** Hears every commit of this tab and of the others. */
  readonly listen: (listener: (commit: Commit) => void) => () => void;
  readonly close: () => void;
}

/** Another tab leads now. Expected: whoever wrote stops leading. */
export class NotLeader extends Error {
  override readonly name = "NotLeader";
}

export function createStore(backend: Backend, bus: Bus): Store {
  const listeners = new Set<(commit: Commit) => void>();
  const publish = (commit: Commit): void => {
    for (const listener of listeners)
      try {
        listener(commit);
      } catch (error) {
        // Stored is stored: the others hear of it, and who wrote mustn't take it for refused.
        reportError(error);
      }
  };
  const stopListening = bus.listen((message) => {
    if (isCommitMessage(message)) publish(message.commit);
  });
  return {
    kind: backend.kind,
    read: backend.read,
    write: async ({ tables, durability, leader }, body) => {
      const commit: Change[] = [];
      const names = leader === undefined || tables.includes("meta") ? tables : [...tables, "meta" as const];
      const value = await backend.write(names, durability, async (tx) => {
        if (leader !== undefined) await checkLeader(tx, leader);
        return body(recorded(tx, commit));
      });
      if (commit.length > 0) {
        publish(commit);
        try {
          bus.send({ type: "commit", commit });
        } catch {
          // Closed by a tab that is being left.
        }
      }
      return value;
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => {
      stopListening();
      listeners.clear();
      backend.close();
    },
  };
}

async function checkLeader(tx: ReadTx, leader: string): Promise<void> {
  const record = await tx.get("meta", "leader");
  if (record?.key !== "leader" || record.tab !== leader) throw new NotLeader();
}

function recorded(tx: WriteTx, commit: Change[]): WriteTx {
  return {
    ...tx,
    put: (table, value) => {
      tx.put(table, value);
      commit.push({ table, put: value } as Change);
    },
    add: async (table, value) => {
      const place = await tx.add(table, value);
      commit.push({ table, put: { ...value, place } as Tables["outbox"] });
      return place;
    },
    remove: (table, key) => {
      tx.remove(table, key);
      commit.push({ table, remove: key } as Change);
    },
  };
}

/** Our own tabs of the same origin are the only senders, and all run this code or a build beside it. */
function isCommitMessage(message: unknown): message is { readonly type: "commit"; readonly commit: Commit } {
  return typeof message === "object" && message !== null && "type" in message && message.type === "commit";
}
