// Opens a person's store: on disk, or in memory where the browser keeps nothing.
import { diskBackend, isBlocked, openDatabase, type DatabaseEvents } from "./database.ts";
import { MIGRATIONS } from "./schema.ts";
import { createStore, type Bus, type Store } from "./store.ts";
import type { Backend } from "./tx.ts";

export async function openStore(
  factory: IDBFactory | null,
  name: string,
  bus: Bus,
  onClosed: DatabaseEvents["onClosed"],
  onBlocked: () => void = () => undefined,
  /** What takes the place of a database that was lost, while there is such a thing. */
  reopened?: () => Promise<IDBDatabase> | null,
): Promise<Store> {
  return createStore(await openBackend(factory, name, { onClosed, onBlocked }, reopened), bus);
}

async function openBackend(
  factory: IDBFactory | null,
  name: string,
  events: DatabaseEvents,
  reopened: (() => Promise<IDBDatabase> | null) | undefined,
): Promise<Backend> {
  if (factory !== null) {
    try {
      return diskBackend(await openDatabase(factory, name, MIGRATIONS, events), reopened);
    } catch (error) {
      // One of a newer build, one that can't be brought up to date, one that is broken: what it holds must not be
      // passed over.
      if (!isBlocked(error)) throw error;
    }
  }
  const { memoryBackend } = await import("./memory.ts");
  return memoryBackend();
}
