/** What bench/scroll.ts runs inside a page: each function stands alone, for it is sent there as text. */

export interface Frames {
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
  /** Longer than asked for. */
  readonly longCount: number;
  readonly count: number;
}

/** Resolves when so many messages are on the device and nothing is being compared any more. */
export async function whenStored({ count, withinMs }: { count: number; withinMs: number }): Promise<void> {
  const settled = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.addEventListener("success", () => resolve(request.result));
      request.addEventListener("error", () => reject(request.error ?? new Error("refused")));
    });
  const { name = "" } =
    (await indexedDB.databases()).find((known) => /^causeway\/[^/]+\/[^/]+$/.test(known.name ?? "")) ?? {};
  const db = await settled(indexedDB.open(name));
  const deadline = performance.now() + withinMs;
  for (;;) {
    const rooms = await settled(db.transaction("rooms").objectStore("rooms").getAll());
    const held = rooms.reduce((sum: number, room: { readonly heldCount?: number }) => sum + (room.heldCount ?? 0), 0);
    if (held > count && rooms.every(({ second }: { readonly second?: object | null }) => second == null)) break;
    if (performance.now() > deadline) throw new Error(`Only ${held} are on the device`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  db.close();
}

/** The plainest page there is for the same texts, scrolled to its end. */
export function layOut(texts: readonly string[]): void {
  document.body.style.margin = "0";
  const log = document.createElement("div");
  log.setAttribute("role", "log");
  Object.assign(log.style, { height: "100vh", overflowY: "scroll", font: "15px/22px sans-serif" });
  for (const text of texts) {
    const row = document.createElement("article");
    row.style.padding = "2px 16px";
    row.textContent = text;
    log.append(row);
  }
  document.body.replaceChildren(log);
  log.scrollTop = log.scrollHeight;
}

/** From now on the length of every frame is noted. */
export function watchFrames(): void {
  const frames: number[] = [];
  Reflect.set(globalThis, "frameTimes", frames);
  let before = performance.now();
  const next = (now: number): void => {
    if (Reflect.get(globalThis, "frameTimes") !== frames) return;
    frames.push(now - before);
    before = now;
    requestAnimationFrame(next);
  };
  requestAnimationFrame((now) => {
    before = now;
    requestAnimationFrame(next);
  });
}

/** Whether it stands at the very top. @param beginning what says there that nothing lies above; null where nothing does */
export function topReached(beginning: string | null): boolean {
  const log = document.querySelector("[role=log]");
  return log !== null && log.scrollTop === 0 && (beginning === null || log.textContent.includes(beginning));
}

/** Ends the noting. */
export function framesSoFar(longMs: number): Frames {
  const frames = (Reflect.get(globalThis, "frameTimes") as number[]).toSorted((one, other) => one - other);
  Reflect.set(globalThis, "frameTimes", null);
  const share = (part: number): number => frames[Math.min(frames.length - 1, Math.floor(frames.length * part))] ?? 0;
  return {
    p50: share(0.5),
    p95: share(0.95),
    max: share(1),
    longCount: frames.filter((ms) => ms > longMs).length,
    count: frames.length,
  };
}
