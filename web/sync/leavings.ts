// Databases of people who signed out while another tab held them: a browser may have frozen it. What they could read in them
// is taken out at the next start, which whoever holds one doesn't keep from being done.
import { ended, settled } from "../store/database.ts";
import { LEAVING, type Index } from "../store/index-database.ts";
import { dropSearchIndex } from "../store/remove-database.ts";
import { stripPerson } from "../store/strip.ts";

/** Another tab holds what is stored, and doesn't let go. */
export class StillHeld extends Error {
  override readonly name = "StillHeld";
}

/** @param name of a database that is removed or emptied */
export async function haveLeft({ begin }: Index, name: string): Promise<void> {
  if (begin === null) return;
  const tx = await begin("readwrite");
  tx.objectStore("meta").delete(LEAVING + name);
  await ended(tx);
}

/** Of those who left before this start. */
export async function emptyLeavings(index: Index, factory: IDBFactory | null): Promise<void> {
  if (index.begin === null || factory === null) return;
  const meta = (await index.begin()).objectStore("meta");
  const marked = await settled(meta.getAll(IDBKeyRange.bound(LEAVING, `${LEAVING}\uffff`)) as IDBRequest<string[]>);
  for (const name of marked) {
    await stripPerson(factory, name);
    await haveLeft(index, name);
    await dropSearchIndex(factory, name);
  }
}
