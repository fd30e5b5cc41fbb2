// A little space set aside for all people of this profile, so that there is always room to make room. In a browser whose
// quota is used up even a transaction that frees is refused, for it has to note what it freed; and deleted records give
// their space back only once a database is deleted, which makes the browser tidy up (both Chromium 156).
import { ended, openDatabase, settled } from "./database.ts";
import { deleteDatabase } from "./remove-database.ts";
import type { Migration } from "./schema.ts";

/** More than a browser was seen to be above its quota (half a megabyte), the notes of what is freed, and a few messages. */
const RESERVE_BYTES = 1_048_576;
/** The platform gives no more at once. */
const NOISE_BYTES = 65_536;

const MIGRATIONS: readonly Migration[] = [(db) => void db.createObjectStore("bytes")];

const NAME = "causeway.reserve";
/** An older build set less aside, under another. */
const KEY = `reserve ${RESERVE_BYTES}`;

/**
 * Sets it aside where it isn't; fails where there is no room for it.
 * @param besides so many bytes more there has to be room for; they are not kept
 */
export async function setAside(factory: IDBFactory, besides = 0): Promise<void> {
  const db = await openDatabase(factory, NAME, MIGRATIONS, { onClosed: () => undefined });
  try {
    const tx = db.transaction(["bytes"], "readwrite", { durability: "relaxed" });
    const done = ended(tx);
    done.catch(() => undefined);
    const bytes = tx.objectStore("bytes");
    if ((await settled(bytes.count(KEY))) === 0) {
      bytes.clear();
      bytes.put(noise(), KEY);
    }
    if (besides > 0) {
      bytes.put(new Uint8Array(besides), "room");
      bytes.delete("room");
    }
    await done;
  } finally {
    db.close();
  }
}

/** Gives it up, and with it what was deleted elsewhere. */
export function giveUp(factory: IDBFactory): Promise<void> {
  return deleteDatabase(factory, NAME);
}

/** What no browser can squeeze. */
function noise(): Uint8Array {
  const bytes = new Uint8Array(RESERVE_BYTES);
  for (let from = 0; from < RESERVE_BYTES; from += NOISE_BYTES) {
    crypto.getRandomValues(bytes.subarray(from, from + NOISE_BYTES));
  }
  return bytes;
}
