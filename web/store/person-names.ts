// Whose databases there may be on this device, for what goes through all of them.
import { OWN_ISSUER } from "#protocol/issuer.ts";
import { settled } from "./database.ts";
import { COPIED, OF_A_PERSON, openIndex, personDatabase } from "./index-database.ts";

/**
 * The names of all databases that begin as a person's does. Where the browser gives no list, for the file of one can't be
 * read (Firefox 153), those of the people that the index knows, or the notes of what composers hold.
 * @param noted the keys of all notes beside the databases
 */
export async function personNames(factory: IDBFactory, noted: readonly string[]): Promise<readonly string[]> {
  const listed = await factory.databases().catch(() => null);
  if (listed === null) return [...new Set([...(await namesInIndex(factory).catch(() => [])), ...namesCopied(noted)])];
  return listed.map(({ name = "" }) => name).filter((name) => name.startsWith(OF_A_PERSON));
}

function namesCopied(noted: readonly string[]): readonly string[] {
  const copied = noted.filter((key) => key.startsWith(COPIED));
  return copied.map((key) => personDatabase(OWN_ISSUER, key.slice(COPIED.length)));
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
