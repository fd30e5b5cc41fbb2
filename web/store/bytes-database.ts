// A database that holds nothing but bytes, for the room that they take or make.
import { openDatabase } from "./database.ts";
import type { Migration } from "./schema.ts";

const MIGRATIONS: readonly Migration[] = [(db) => void db.createObjectStore("bytes")];
/** The platform gives no more at once. */
const NOISE_BYTES = 65_536;

/** With one table, `bytes`. */
export function openBytes(factory: IDBFactory, name: string): Promise<IDBDatabase> {
  return openDatabase(factory, name, MIGRATIONS, { onClosed: () => undefined });
}

/** What no browser can squeeze: where it came again after 64 KB, a private window's kept a tenth of it. */
export function noise(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let from = 0; from < length; from += NOISE_BYTES)
    crypto.getRandomValues(bytes.subarray(from, from + NOISE_BYTES));
  return bytes;
}
