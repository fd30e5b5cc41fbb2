// Whose databases there may be on this device, for what goes through all of them.
import { settled } from "./database.ts";
import { OF_A_PERSON, openIndex } from "./index-database.ts";

/**
 * The names of all databases that begin as a person's does. Where the browser gives no list, for the file of one can't be
 * read (Firefox 153), those of the people that the index knows.
 */
export async function personNames(factory: IDBFactory): Promise<readonly string[]> {
  const listed = await factory.databases().catch(() => null);
  if (listed === null) return namesInIndex(factory).catch(() => []);
  return listed.map(({ name = "" }) => name).filter((name) => name.startsWith(OF_A_PERSON));
}

async function namesInIndex(factory: IDBFactory): Promise<readonly string[]> {
  const index = await openIndex(factory);
  try {
    const people = (await index.begin?.())?.objectStore("people");
    return people === undefined ? [] : await settled(people.getAllKeys() as IDBRequest<string[]>);
  } finally {
    index.close();
  }
}
