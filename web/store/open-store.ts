// Opens a person's store: on disk, or in memory where the browser keeps nothing.
import { diskBackend, openDatabase, type DatabaseEvents } from "./database.ts";
import { MIGRATIONS } from "./schema.ts";
import { createStore, type Bus, type Store } from "./store.ts";
import type { Backend } from "./tx.ts";

export async function openStore(
  factory: IDBFactory | null,
  name: string,
  bus: Bus,
  onClosed: DatabaseEvents["onClosed"],
): Promise<Store> {
  return createStore(await openBackend(factory, name, onClosed), bus);
}

async function openBackend(
  factory: IDBFactory | null,
  name: string,
  onClosed: DatabaseEvents["onClosed"],
): Promise<Backend> {
  if (factory !== null) {
    try {
      return diskBackend(await openDatabase(factory, name, MIGRATIONS, { onClosed }));
    } catch (error) {
      // A database of a newer build is whole and must not be passed over; anything else means nothing can be kept.
      if (error instanceof DOMException && error.name === "VersionError") throw error;
    }
  }
  const { memoryBackend } = await import("./memory.ts");
  return memoryBackend();
}
