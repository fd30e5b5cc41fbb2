// Opens a person's store: on disk, or in memory where the browser keeps nothing.
import { diskBackend, MigrationFailed, openDatabase, type DatabaseEvents } from "./database.ts";
import { MIGRATIONS } from "./schema.ts";
import { createStore, type Bus, type Store } from "./store.ts";
import type { Backend } from "./tx.ts";

export async function openStore(
  factory: IDBFactory | null,
  name: string,
  bus: Bus,
  onClosed: DatabaseEvents["onClosed"],
  onBlocked: () => void = () => undefined,
): Promise<Store> {
  return createStore(await openBackend(factory, name, { onClosed, onBlocked }), bus);
}

async function openBackend(factory: IDBFactory | null, name: string, events: DatabaseEvents): Promise<Backend> {
  if (factory !== null) {
    try {
      return diskBackend(await openDatabase(factory, name, MIGRATIONS, events));
    } catch (error) {
      // A database of a newer build is whole and must not be passed over, nor one that can't be brought up to date;
      // anything else means nothing can be kept.
      if (error instanceof MigrationFailed) throw error;
      if (error instanceof DOMException && error.name === "VersionError") throw error;
    }
  }
  const { memoryBackend } = await import("./memory.ts");
  return memoryBackend();
}
