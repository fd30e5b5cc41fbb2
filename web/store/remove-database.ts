// Databases that go as a whole: a person's at a sign-out that removes everything, the search index whenever space is short.
import { abort, ALONE_VERSION, faultOf, settled } from "./database.ts";
import { isBroken } from "./faults.ts";
import type { ReadTx } from "./tx.ts";

/** The search index beside a person's database; made again whenever it isn't there. */
export function searchDatabase(name: string): string {
  return `${name}/search`;
}

export async function removePersonDatabase(factory: IDBFactory, name: string): Promise<void> {
  await deleteDatabase(factory, name);
  // After it: without the one the search worker ends, and keeps nothing any more.
  await dropSearchIndex(factory, name);
}

/**
 * Removes it unless something must stay; answers whether it did. Asked when nobody else has it open any more: what
 * another tab stored until then counts, and from then on it stores nothing.
 */
export async function removePersonDatabaseUnless(
  factory: IDBFactory,
  name: string,
  mustStay: (all: ReadTx["all"]) => Promise<boolean>,
): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const alone = factory.open(name, ALONE_VERSION);
  let isAlone = false;
  const look = async (tx: IDBTransaction): Promise<boolean> => {
    const all: ReadTx["all"] = (table) => settled(tx.objectStore(table).getAll());
    let removing: Promise<void> | null = null;
    try {
      const isNew = tx.db.objectStoreNames.length === 0;
      // Asked for while nobody else has it, it is next in turn, before whoever would open it again.
      if (isNew || !(await mustStay(all).catch(cannotBeRead))) removing = removePersonDatabase(factory, name);
    } finally {
      // The version was only a way to be alone.
      abort(tx);
    }
    await removing;
    return removing !== null;
  };
  alone.addEventListener("upgradeneeded", () => {
    isAlone = true;
    if (alone.transaction !== null) look(alone.transaction).then(resolve, reject);
  });
  // It always ends in one, for it is taken back.
  alone.addEventListener("error", () => {
    if (!isAlone) reject(faultOf(alone));
  });
  return promise;
}

/** What must stay may be in there. */
function cannotBeRead(error: unknown): true {
  if (!isBroken(error)) throw error;
  return true;
}

/** The first thing to make way when space is short: a search worker that runs goes on from memory. */
export function dropSearchIndex(factory: IDBFactory, name: string): Promise<void> {
  return deleteDatabase(factory, searchDatabase(name));
}

export async function deleteDatabase(factory: IDBFactory, name: string): Promise<void> {
  await settled(factory.deleteDatabase(name));
}
