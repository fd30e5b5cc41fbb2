// Databases of people who signed out while another tab held them: a browser may have frozen it. What they could read in them
// is taken out at the next start, which whoever holds one doesn't keep from being done; the rest at one at which nobody does.
import { ended, settled } from "../store/database.ts";
import { LEAVING, LEFT, type Index } from "../store/index-database.ts";
import { dropSearchIndex, removePersonDatabaseUnless } from "../store/remove-database.ts";
import { stripPerson } from "../store/strip.ts";
import { ifAlone } from "./holding.ts";
import type { Ports } from "./ports.ts";
import { hasWords } from "./unsent.ts";

/**
 * Nobody is signed in on this device any more, and whoever hears of it later, or opens it next, knows.
 * @param removes also what is known of the person
 */
export async function leaveIndex(index: Index, name: string, removes: boolean): Promise<void> {
  await index.leave((tx) => {
    const meta = tx.objectStore("meta");
    meta.delete("last");
    meta.put(name, LEAVING + name);
    const left = meta.get(LEFT) as IDBRequest<number | undefined>;
    left.onsuccess = () => meta.put(Math.max(Date.now(), (left.result ?? 0) + 1), LEFT);
    if (removes) tx.objectStore("people").delete(name);
  });
  // It was this tab.
  await index.read();
}

/** What is known of somebody who left, and gave up what they had kept; not of who is here again. */
export async function forgetPerson({ begin }: Index, name: string): Promise<void> {
  if (begin === null) return;
  const tx = await begin("readwrite");
  const last = await settled(tx.objectStore("meta").get("last") as IDBRequest<string | undefined>);
  if (last !== name) tx.objectStore("people").delete(name);
  await ended(tx);
}

/** @param name of a database that is removed or emptied */
export async function haveLeft({ begin }: Index, name: string): Promise<void> {
  if (begin === null) return;
  const tx = await begin("readwrite");
  tx.objectStore("meta").delete(LEAVING + name);
  await ended(tx);
}

/** Of those who left before this start. */
export async function emptyLeavings(
  index: Index,
  { indexedDB: factory, locks }: Pick<Ports, "indexedDB" | "locks">,
): Promise<void> {
  if (factory === null) return;
  const marked = await leaving(index);
  const emptied = await Promise.allSettled(marked.map((name) => emptyOne(index, factory, locks, name)));
  // One that can't be emptied keeps none of the others.
  for (const each of emptied) if (each.status === "rejected") throw each.reason;
}

async function emptyOne(index: Index, factory: IDBFactory, locks: LockManager | null, name: string): Promise<void> {
  const [stripped] = await Promise.allSettled([stripPerson(factory, name)]);
  await ifAlone(locks, name, async () => {
    // Who is here again has it again.
    if (!(await leaving(index)).includes(name)) return;
    const isGone = await removePersonDatabaseUnless(factory, name, hasWords);
    if (!isGone) await dropSearchIndex(factory, name);
    // What they could read is still there: the mark is for the next start, or the next build.
    if (!isGone && stripped.status === "rejected") return;
    await haveLeft(index, name);
  });
  if (stripped.status === "rejected") throw stripped.reason;
}

async function leaving({ begin }: Index): Promise<readonly string[]> {
  if (begin === null) return [];
  const meta = (await begin()).objectStore("meta");
  return settled(meta.getAll(IDBKeyRange.bound(LEAVING, `${LEAVING}\uffff`)) as IDBRequest<string[]>);
}
