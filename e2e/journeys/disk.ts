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

/** The person's database: not the index of who is here, nor that of the search. From any page of the app's origin. */
function databaseOf(page: Page): Promise<string | undefined> {
  return page.evaluate(async () => {
    const known = await indexedDB.databases();
    return known.find((each) => /^causeway\/[^/]+\/[^/]+$/.test(each.name ?? ""))?.name;
  });
}

const STORES_WITHIN_MS = 5_000;

/** Whether anything can be stored, as nobody holds a transaction that doesn't end. Of a device that has a database. */
export async function canStore(page: Page): Promise<boolean> {
  return page.evaluate(
    ([name, withinMs]) =>
      new Promise<boolean>((resolve) => {
        setTimeout(() => resolve(false), withinMs);
        const opening = indexedDB.open(name);
        opening.addEventListener("success", () => {
          const db = opening.result;
          db.transaction([...db.objectStoreNames], "readwrite").addEventListener("complete", () => resolve(true));
          // Once that has ended, or the page has.
          db.close();
        });
      }),
    [(await databaseOf(page)) ?? "", STORES_WITHIN_MS] as const,
  );
}

/** All of a table of the person's database; nothing where there is none, or it is being deleted. */
export async function rowsOnDisk(page: Page, table: "entities" | "heads" | "messages" | "outbox"): Promise<unknown[]> {
  const database = await databaseOf(page);
  if (database === undefined) return [];
  return page.evaluate(
    async ([name, table]) => {
      const settled = <T>(request: IDBRequest<T>): Promise<T> =>
        new Promise((resolve, reject) => {
          request.addEventListener("success", () => resolve(request.result));
          request.addEventListener("error", () => reject(request.error ?? new Error("The database can't be read")));
        });
      const opening = indexedDB.open(name);
      // Deleted since it was named: no empty one is made in its place, which the app would find.
      let isGone = false;
      opening.addEventListener("upgradeneeded", () => ((isGone = true), opening.transaction?.abort()));
      const db = await settled(opening).catch((error: unknown) => {
        if (isGone) return undefined;
        throw error;
      });
      if (db === undefined) return [];
      try {
        return await settled(db.transaction(table).objectStore(table).getAll() as IDBRequest<unknown[]>);
      } finally {
        db.close();
      }
    },
    [database, table] as const,
  );
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
