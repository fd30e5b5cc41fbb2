/** What lies on a device, past everything that its page believes. */
import type { Page } from "playwright-core";
import { ANSWERED, ENDED } from "../../web/features/answered.ts";
import { PLACES } from "../../web/features/composer/last-words.ts";
import { eventually } from "./eventually.ts";

/** Everything in the composers is on disk: no copy of it is needed. */
export function isKept(page: Page): Promise<void> {
  return eventually(() =>
    page.evaluate((places) => Object.entries(localStorage).filter(([key]) => key.startsWith(places)), PLACES),
  ).toEqual([]);
}

/** All that composers and editors hold lies in the copy that outlives the browser, as it is now (keep-beside.ts). */
export function isCopied(page: Page): Promise<void> {
  return eventually(() => uncopied(page)).toEqual([]);
}

/** What is in one of the two only, or says something else there. */
async function uncopied(page: Page): Promise<string[]> {
  const rows = (await read(page, "causeway", "meta", "getAll")) as readonly { readonly places?: object }[] | undefined;
  const copy: Record<string, string> = Object.assign({}, ...(rows ?? []).map((row) => row?.places));
  const here: Record<string, string> = await page.evaluate(
    (kinds) =>
      Object.fromEntries(Object.entries(localStorage).filter(([key]) => kinds.some((kind) => key.startsWith(kind)))),
    [PLACES, ANSWERED, ENDED],
  );
  return Object.keys({ ...copy, ...here }).filter((place) => copy[place] !== here[place]);
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
  const rows = await read(page, (await databaseOf(page)) ?? "", table, "getAll");
  return (rows ?? []) as unknown[];
}

/** How many pieces of space are set aside to make room with (`web/store/reserve.ts`). */
export async function piecesSetAside(page: Page): Promise<number> {
  return ((await read(page, "causeway.reserve", "bytes", "count")) ?? 0) as number;
}

/** @returns undefined where there is no such database, or it is being deleted */
async function read(page: Page, database: string, table: string, how: "getAll" | "count"): Promise<unknown> {
  return page.evaluate(
    async ([name, table, how]) => {
      const settled = <T>(request: IDBRequest<T>): Promise<T> =>
        new Promise((resolve, reject) => {
          request.addEventListener("success", () => resolve(request.result));
          request.addEventListener("error", () => reject(request.error ?? new Error("The database can't be read")));
        });
      const known = await indexedDB.databases();
      if (!known.some((each) => each.name === name)) return undefined;
      const opening = indexedDB.open(name);
      // Deleted since it was named: no empty one is made in its place, which the app would find.
      let isGone = false;
      opening.addEventListener("upgradeneeded", () => ((isGone = true), opening.transaction?.abort()));
      const db = await settled(opening).catch((error: unknown) => {
        if (isGone) return undefined;
        throw error;
      });
      try {
        return await (db && settled(db.transaction(table).objectStore(table)[how]() as IDBRequest<unknown>));
      } finally {
        db?.close();
      }
    },
    [database, table, how] as const,
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
