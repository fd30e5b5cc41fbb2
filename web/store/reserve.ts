// A little space set aside for all people of this profile, so that there is always room to make room. In a browser whose
// quota is used up even a transaction that frees is refused, for it has to note what it freed; and deleted records give
// their space back only once a database is deleted, which makes the browser tidy up (both Chromium 156).
import { noise, openBytes } from "./bytes-database.ts";
import { ended, settled } from "./database.ts";
import { deleteDatabase } from "./remove-database.ts";

/**
 * All of them together are more than a browser is above its quota by when it is full: while it tidies up, what was and what
 * comes of it both count, and so does a log of up to four megabytes. Of one megabyte nothing was left in one of five tries.
 */
const PIECES = 6;
const PIECE_BYTES = 1_048_576;

const NAME = "causeway.reserve";

/**
 * Sets aside what isn't yet, as much as there is room for; fails where that isn't all.
 * @param besides so many bytes more there has to be room for; they are not kept
 */
export async function setAside(factory: IDBFactory, besides = 0): Promise<void> {
  const db = await openBytes(factory, NAME);
  const within = async (change: (bytes: IDBObjectStore) => void): Promise<void> => {
    const tx = db.transaction(["bytes"], "readwrite", { durability: "relaxed" });
    change(tx.objectStore("bytes"));
    await ended(tx);
  };
  try {
    const kept = await settled(db.transaction(["bytes"]).objectStore("bytes").getAllKeys());
    // An older build set one piece aside, under a name.
    if (kept.some((key) => typeof key === "string")) await within((bytes) => void bytes.clear());
    for (let at = 0; at < PIECES; at += 1) {
      if (!kept.includes(at)) await within((bytes) => void bytes.put(noise(PIECE_BYTES), at));
    }
    if (besides === 0) return;
    await within((bytes) => {
      bytes.put(new Uint8Array(besides), "room");
      bytes.delete("room");
    });
  } finally {
    db.close();
  }
}

/** Gives it up, and with it what was deleted elsewhere: also where there is none, for an empty one can always be made. */
export async function giveUp(factory: IDBFactory): Promise<void> {
  await openBytes(factory, NAME).then(
    (db) => db.close(),
    () => undefined,
  );
  await deleteDatabase(factory, NAME);
}
