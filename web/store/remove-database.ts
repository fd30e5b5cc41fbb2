// Databases that go as a whole: a person's at a sign-out that removes everything, the search index whenever space is short.
import { settled } from "./database.ts";

/** The search index beside a person's database; made again whenever it isn't there. */
export function searchDatabase(name: string): string {
  return `${name}/search`;
}

export async function removePersonDatabase(factory: IDBFactory, name: string): Promise<void> {
  await deleteDatabase(factory, name);
  // After it: without the one the search worker ends, and keeps nothing any more.
  await dropSearchIndex(factory, name);
}

/** The first thing to make way when space is short: a search worker that runs goes on from memory. */
export function dropSearchIndex(factory: IDBFactory, name: string): Promise<void> {
  return deleteDatabase(factory, searchDatabase(name));
}

export async function deleteDatabase(factory: IDBFactory, name: string): Promise<void> {
  await settled(factory.deleteDatabase(name));
}
