/** What lies on a device, past everything that its page believes. */
import type { Page } from "playwright-core";
import { PLACES } from "../../web/features/composer/last-words.ts";
import { eventually } from "./eventually.ts";

/** Everything in the composers is on disk: no copy of it is needed. */
export function isKept(page: Page): Promise<void> {
  return eventually(() =>
    page.evaluate((places) => Object.entries(localStorage).filter(([key]) => key.startsWith(places)), PLACES),
  ).toEqual([]);
}

/** All of a table of the person's database; nothing where there is none. From any page of the app's origin. */
export function rowsOnDisk(page: Page, table: "entities" | "messages" | "outbox"): Promise<unknown[]> {
  return page.evaluate(async (table) => {
    const settled = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.addEventListener("success", () => resolve(request.result));
        request.addEventListener("error", () => reject(request.error ?? new Error("The database can't be read")));
      });
    // Not the index of who is here, nor that of the search.
    const known = await indexedDB.databases();
    const name = known.find((each) => /^causeway\/[^/]+\/[^/]+$/.test(each.name ?? ""))?.name;
    if (name === undefined) return [];
    const db = await settled(indexedDB.open(name));
    try {
      return await settled(db.transaction(table).objectStore(table).getAll() as IDBRequest<unknown[]>);
    } finally {
      db.close();
    }
  }, table);
}

/** Up to where somebody has read, as the device knows it; the furthest of all channels. */
export async function readUpTo(page: Page): Promise<number> {
  const known = (await rowsOnDisk(page, "entities")) as { readonly entity: { readonly kind: string; seq: number } }[];
  const waiting = (await rowsOnDisk(page, "outbox")) as { readonly op: string; readonly args: { seq: number } }[];
  return Math.max(
    0,
    ...known.flatMap(({ entity }) => (entity.kind === "read" ? [entity.seq] : [])),
    ...waiting.flatMap(({ op, args }) => (op === "read.set" ? [args.seq] : [])),
  );
}
