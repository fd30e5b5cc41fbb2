/** What bench/catch-up.ts runs inside a page: each function stands alone, for it is sent there as text. */

/** Since the start of the navigation; ms. */
export interface Figures {
  /** The newest was on screen. */
  readonly newest: number;
  /** All were on disk. */
  readonly stored: number;
  /** A question asked then was answered over all of them. */
  readonly searched: number;
  /** What tasks took beyond 50 ms each. */
  readonly blocked: number;
}

export interface Asked {
  readonly missed: number;
  readonly withinMs: number;
}

interface Seen {
  newest: number;
  blocked: number;
}

/** In a database of its own on the same origin, 200 at a time, as pages come. Ms. */
export async function floorOf(texts: readonly string[]): Promise<number> {
  const settled = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.addEventListener("success", () => resolve(request.result));
      request.addEventListener("error", () => reject(request.error ?? new Error("refused")));
    });
  const opening = indexedDB.open("plain", 1);
  opening.addEventListener("upgradeneeded", () => opening.result.createObjectStore("rows", { keyPath: "seq" }));
  const db = await settled(opening);
  const from = performance.now();
  for (let first = 0; first < texts.length; first += 200) {
    const tx = db.transaction("rows", "readwrite", { durability: "relaxed" });
    for (const [at, text] of texts.slice(first, first + 200).entries()) {
      const seq = first + at;
      tx.objectStore("rows").put({ seq, id: crypto.randomUUID(), author: "someone", createdAt: seq, text });
    }
    await new Promise((resolve) => tx.addEventListener("complete", resolve));
  }
  const took = performance.now() - from;
  db.close();
  await settled(indexedDB.deleteDatabase("plain"));
  return took;
}

/** From before the app's own code: notes when the newest is painted, and every long task. */
export function watch(newest: string): void {
  const seen: Seen = { newest: 0, blocked: 0 };
  Reflect.set(globalThis, "seen", seen);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.blocked += Math.max(0, duration - 50);
  }).observe({ type: "longtask", buffered: true });
  const look = (): void => {
    const last = [...document.querySelectorAll("[role=log] article")].at(-1)?.textContent ?? "";
    if (last.includes(newest)) requestAnimationFrame(() => (seen.newest = performance.now()));
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Answers when all are stored and searched. */
export async function until({ missed, withinMs }: Asked): Promise<Figures> {
  const settled = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.addEventListener("success", () => resolve(request.result));
      request.addEventListener("error", () => reject(request.error ?? new Error("refused")));
    });
  const seen = Reflect.get(globalThis, "seen") as Seen;
  const deadline = performance.now() + withinMs;
  const moment = async (): Promise<void> => {
    if (performance.now() > deadline) throw new Error("Not all of it came");
    await new Promise((resolve) => setTimeout(resolve, 50));
  };
  const nameOf = async (): Promise<string | undefined> =>
    (await indexedDB.databases()).find((known) => /^causeway\/[^/]+\/[^/]+$/.test(known.name ?? ""))?.name;

  let name = await nameOf();
  for (; name === undefined; name = await nameOf()) await moment();
  const db = await settled(indexedDB.open(name));
  // The room's record says how many are held; counting them would cost more than storing them.
  const held = async (): Promise<number> => {
    const rooms = await settled(db.transaction("rooms").objectStore("rooms").getAll());
    // While a comparison goes on, not all of it is here.
    if (rooms.some(({ second }: { readonly second?: object | null }) => second != null)) return 0;
    return rooms.reduce((sum: number, record: { readonly heldCount?: number }) => sum + (record.heldCount ?? 0), 0);
  };
  while ((await held()) <= missed) await moment();
  const stored = performance.now();
  db.close();

  // As by somebody who looks for something at that moment: the worker starts, and reads all that came.
  dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true }));
  const searchedCount = (): number => {
    const said = /Searching ([\d,]+) messages/.exec(document.querySelector("main")?.textContent ?? "");
    return Number(said?.[1]?.replaceAll(",", "") ?? 0);
  };
  while (searchedCount() <= missed) await moment();
  const searched = performance.now();
  while (seen.newest === 0) await moment();
  return { newest: seen.newest, stored, searched, blocked: seen.blocked };
}
