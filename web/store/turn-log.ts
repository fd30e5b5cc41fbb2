// Chromium (156) keeps all databases of an origin in one LevelDB, and goes on writing into the log that it finds. Where it
// was killed in the midst of a record, what it writes behind that can be read until the next start, and is damage then: it
// removes everything. Once a log has grown to some megabytes the next one is begun, and what was torn is never read again.
import { noise, openBytes } from "./bytes-database.ts";
import { ended } from "./database.ts";
import { deleteDatabase } from "./remove-database.ts";

/** More than a log holds, which is four megabytes at most; in small pieces, for somebody may be typing. */
const TRANSACTIONS = 40;
const RECORDS = 4;
/** What is larger than 64 KB lies in a file of its own. */
const RECORD_BYTES = 32_768;

const NAME = "causeway.log";

/**
 * Where no other tab is open for which it has been done: by the first of several, and by the worker where there is none.
 * @param held until then this tab is one of those; null where it isn't one, who waits for nobody then
 * @param pause between two pieces: a commit that waits for the disk waits for what was written before it, too. Where it
 * fails, no more is written
 */
export async function turnLogAlone(
  factory: IDBFactory,
  locks: LockManager | null,
  held: Promise<void> | null,
  pause: () => Promise<void> = async () => undefined,
): Promise<void> {
  if (locks === null) return turnLog(factory, pause);
  await locks.request(NAME, { ifAvailable: true }, async (lock) => {
    if (lock !== null) await turnLog(factory, pause);
  });
  if (held !== null) await locks.request(NAME, { mode: "shared" }, () => held);
}

/** Writes so much that a new log is begun, and keeps none of it. Fails on a disk that has no room for it. */
async function turnLog(factory: IDBFactory, pause: () => Promise<void>): Promise<void> {
  const db = await openBytes(factory, NAME);
  try {
    for (let at = 0; at < TRANSACTIONS; at += 1) {
      const tx = db.transaction(["bytes"], "readwrite", { durability: "relaxed" });
      for (let key = 0; key < RECORDS; key += 1) tx.objectStore("bytes").put(noise(RECORD_BYTES), key);
      await ended(tx);
      await pause();
    }
  } finally {
    db.close();
    await deleteDatabase(factory, NAME);
  }
}
