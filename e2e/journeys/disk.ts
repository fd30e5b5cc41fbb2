/** What lies on a device, past everything that its page believes. */
import type { Page } from "playwright-core";

/** All of a table of the person's database; nothing where there is none. From any page of the app's origin. */
export function rowsOnDisk(page: Page, table: "messages" | "outbox"): Promise<unknown[]> {
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
