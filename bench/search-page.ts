/** What bench/search.ts runs inside a page: each function stands alone, for it is sent there as text. */
import type { Query } from "../web/sync/search/query.ts";

export interface Asking {
  readonly worker: string;
  /** How the names of the rooms begin. */
  readonly rooms: string;
  readonly questions: readonly { readonly needle: string; readonly newest: Query; readonly best: Query }[];
  readonly rounds: number;
  readonly folded: readonly string[];
}

export interface Measured {
  readonly firstAnswerMs: number;
  /** Until all that is held is in the index. */
  readonly caughtUpMs: number;
  /** Of each question, in turns. */
  readonly index: readonly number[];
  readonly scan: readonly number[];
}

interface Filling {
  readonly records: readonly object[];
  /** Rooms whose messages are all here: the last call says so. */
  readonly rooms: readonly string[];
}

export async function fillDatabase({ records, rooms }: Filling): Promise<void> {
  const done = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.addEventListener("success", () => resolve(request.result));
      request.addEventListener("error", () => reject(request.error));
    });
  const name = (await indexedDB.databases()).find((known) => /^causeway\/[^/]+\/[^/]+$/.test(known.name ?? ""))?.name;
  const db = await done(indexedDB.open(name ?? ""));
  const tx = db.transaction(["messages", "rooms"], "readwrite");
  const messages = tx.objectStore("messages");
  const kept = tx.objectStore("rooms");
  for (const record of records) messages.put(record);
  for (const room of rooms) {
    const range = IDBKeyRange.bound([room, 0], [room, []]);
    const count = await done(messages.count(range));
    const before = (await done(kept.get(room))) as object | undefined;
    kept.put({
      epoch: "bench",
      head: count,
      generation: 0,
      isSweeping: false,
      second: null,
      floor: 0,
      top: 0,
      naming: [],
      heads: 0,
      you: null,
      ...before,
      name: room,
      cursor: count,
      ranges: [{ from: 1, to: null }],
      lastSeq: count,
      heldCount: count,
    });
  }
  await new Promise<void>((resolve, reject) => {
    tx.addEventListener("complete", () => resolve());
    tx.addEventListener("abort", () => reject(tx.error));
  });
  db.close();
}

export async function searchInPage(asking: Asking & { readonly waitsForKeep: boolean }): Promise<Measured> {
  const name = (await indexedDB.databases()).find((known) => /^causeway\/[^/]+\/[^/]+$/.test(known.name ?? ""))?.name;
  const begun = performance.now();
  const worker = new Worker(asking.worker, { type: "module" });
  const answers = new Map<number, () => void>();
  let whenRead: () => void = () => undefined;
  const isRead = new Promise<void>((resolve) => (whenRead = resolve));
  worker.addEventListener("message", ({ data }) => {
    if (data.type === "answer") answers.get(data.id)?.();
    if (data.type === "status" && data.status.state === "ready" && data.status.todo === 0) whenRead();
  });
  const ask = (asked: object | null): Promise<number> =>
    new Promise((resolve) => {
      const id = answers.size + 1;
      const at = performance.now();
      answers.set(id, () => resolve(performance.now() - at));
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no target
      worker.postMessage({ type: "ask", id, rooms: asking.rooms, asked });
    });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no target
  worker.postMessage({ type: "open", name, isFed: false });
  await ask(null);
  const firstAnswerMs = performance.now() - begun;
  await isRead;
  const caughtUpMs = performance.now() - begun;
  const index: number[] = [];
  const scan: number[] = [];
  for (let round = 0; round < asking.rounds; round += 1) {
    for (const { needle, newest } of asking.questions) {
      const order = round % 2 === 0 ? "newest" : "best";
      index.push(await ask({ query: newest, order, limit: 30, now: Date.now() }));
      const at = performance.now();
      let count = 0;
      for (const text of asking.folded) if (text.includes(needle)) count += 1;
      if (count >= 0) scan.push(performance.now() - at);
    }
  }
  // It stores itself when all has been quiet.
  while (asking.waitsForKeep) {
    const kept = (await indexedDB.databases()).find((known) => known.name === `${name}/search`);
    const db =
      kept === undefined
        ? null
        : await new Promise<IDBDatabase>((resolve) => {
            const request = indexedDB.open(`${name}/search`);
            request.addEventListener("success", () => resolve(request.result));
          });
    const count =
      db === null
        ? 0
        : await new Promise<number>((resolve) => {
            const request = db.transaction("state").objectStore("state").count();
            request.addEventListener("success", () => resolve(request.result));
          });
    db?.close();
    if (count > 0) break;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return { firstAnswerMs, caughtUpMs, index, scan };
}

/** Counts from now on the tasks of 50 ms and more on the main thread. */
export function watchLongTasks(): void {
  const tasks: number[] = [];
  Reflect.set(globalThis, "longTasks", tasks);
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: "longtask",
  });
}

/** How long each of them took. */
export function longTasks(): readonly number[] {
  return Reflect.get(globalThis, "longTasks") as number[];
}
