/** What is done inside a page, each function whole in itself, for it is sent there as text. */
import type { Line, Stands } from "./judge.ts";

export interface Burst {
  readonly composer: string;
  readonly texts: readonly string[];
  readonly withinMs: number;
}

/** Types each text and presses Enter, as fast as the page takes it. Answers those that were not taken. */
export async function typeAll({ composer, texts, withinMs }: Burst): Promise<string[]> {
  const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
  const find = (): HTMLTextAreaElement | null => document.querySelector(`textarea#${composer}`);
  const refused: string[] = [];
  for (const text of texts) {
    const deadline = performance.now() + withinMs;
    while ((find() === null || find()?.disabled === true) && performance.now() < deadline) await turn();
    const area = find();
    if (area === null) {
      refused.push(text);
      continue;
    }
    area.focus();
    document.execCommand("insertText", false, text);
    await turn();
    const enter = { key: "Enter", code: "Enter", bubbles: true, cancelable: true };
    area.dispatchEvent(new KeyboardEvent("keydown", enter));
    while (find()?.value !== "" && performance.now() < deadline) await turn();
    if (find()?.value !== "") {
      refused.push(text);
      area.select();
      document.execCommand("delete");
    }
  }
  return refused;
}

/** Types each text and presses Enter in one go: nothing else of the page runs between the two. */
export async function enterAtOnce({ composer, texts }: Pick<Burst, "composer" | "texts">): Promise<void> {
  for (const text of texts) {
    const area = document.querySelector<HTMLTextAreaElement>(`textarea#${composer}`);
    area?.focus();
    area?.select();
    document.execCommand("insertText", false, text);
    await Promise.resolve();
    area?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
    await Promise.resolve();
  }
}

/** Puts the caret where one types. Answers whether there is such a place. */
export function focusOn(composer: string): boolean {
  const area = document.querySelector<HTMLTextAreaElement>(`textarea#${composer}`);
  area?.focus();
  return area !== null && !area.disabled;
}

/** The id of the message on the screen that begins so; null where there is none. */
export function messageSaying(tag: string): string | null {
  const lines = [...document.querySelectorAll<HTMLElement>("[role=log] article")];
  return lines.find(({ textContent }) => textContent.includes(`${tag} `))?.dataset["messageId"] ?? null;
}

export function isGone(tag: string): boolean {
  return [...document.querySelectorAll("[role=log] article")].every(
    ({ textContent }) => !textContent.includes(`${tag} `),
  );
}

export function emptyOut(composer: string): void {
  const area = document.querySelector<HTMLTextAreaElement>(`textarea#${composer}`);
  area?.focus();
  area?.select();
  document.execCommand("delete");
}

export function typedSoFar(composer: string): string | null {
  return document.querySelector<HTMLTextAreaElement>(`textarea#${composer}`)?.value ?? null;
}

/** Whether nothing lies beside the database any more that a composer held when its tab ended. */
export function hasComeBack(places: string): boolean {
  return !Object.keys(localStorage).some((key) => key.startsWith(places));
}

/** The lines on the screen that this stretch begins with or that are newer. */
export function linesAfter(seq: number): Line[] {
  return [...document.querySelectorAll<HTMLElement>("[role=log] article")].flatMap(({ dataset, textContent }) => {
    const place = dataset["seq"] === undefined ? null : Number(dataset["seq"]);
    if (place !== null && place <= seq) return [];
    return [{ id: dataset["messageId"] ?? "", seq: place, delivery: dataset["delivery"] ?? "", text: textContent }];
  });
}

export interface Wish {
  /** What each text begins with. */
  readonly tags: readonly string[];
  readonly delivery: "shown" | "sent";
  readonly withinMs: number;
}

/** Waits until each of these is on the screen. Answers those that aren't. */
export async function whenShown({ tags, delivery, withinMs }: Wish): Promise<string[]> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const lines = [...document.querySelectorAll<HTMLElement>("[role=log] article")]
      .filter((line) => delivery === "shown" || line.dataset["delivery"] === "sent")
      .map(({ textContent }) => textContent);
    const missing = tags.filter((tag) => !lines.some((line) => line.includes(`${tag} `)));
    if (missing.length === 0 || performance.now() > deadline) return missing;
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
}

export interface Tail {
  readonly after: number;
  /** `seq id` of each, in order. */
  readonly places: readonly string[];
  readonly withinMs: number;
}

/** Waits until the screen ends as the room does, scrolled there if it doesn't stand there by itself. */
export async function whenAlike({ after, places, withinMs }: Tail): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  const wanted = places.join("\n");
  const scrollsFrom = performance.now() + 1_000;
  for (;;) {
    const lines = [...document.querySelectorAll<HTMLElement>("[role=log] article")].flatMap(({ dataset }) =>
      dataset["seq"] !== undefined && Number(dataset["seq"]) <= after
        ? []
        : [`${dataset["seq"]} ${dataset["messageId"]} ${dataset["delivery"]}`],
    );
    if (lines.join("\n") === wanted) return true;
    // Who read further up, or opened at what was unread, sees the end by scrolling to it.
    const log = document.querySelector("[role=log]");
    if (log !== null && performance.now() > scrollsFrom) log.scrollTop = log.scrollHeight;
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
}

export interface Held {
  readonly held: Stands[];
  /** What is to be posted, edited and deleted. */
  readonly left: string[];
}

/** What lies on this device: a channel's messages after a place, and what waits to be sent. */
export async function heldAfter({ room, after }: { readonly room: string; readonly after: number }): Promise<Held> {
  const result = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error("The database can't be read"));
    });
  const held: Stands[] = [];
  const left: string[] = [];
  for (const { name } of await indexedDB.databases()) {
    const opening = indexedDB.open(name!);
    // Deleted since it was named: no empty one is made in its place, which the app would find.
    let isGone = false;
    opening.onupgradeneeded = () => ((isGone = true), opening.transaction?.abort());
    const db = await result(opening).catch((error: unknown) => {
      if (isGone) return undefined;
      throw error;
    });
    if (db === undefined) continue;
    if (db.objectStoreNames.contains("messages")) {
      const tx = db.transaction(["messages", "outbox"]);
      const range = IDBKeyRange.bound([room, after + 1], [room, Number.MAX_SAFE_INTEGER]);
      const messages = result<{ message: Omit<Stands, "text"> & Partial<Stands> }[]>(
        tx.objectStore("messages").getAll(range),
      );
      const ops = await result<{ op: string; args: { id: string; text?: string } }[]>(
        tx.objectStore("outbox").getAll(),
      );
      // What was deleted has no text any more.
      held.push(...(await messages).map(({ message: { id, seq, text = "" } }) => ({ id, seq, text })));
      const changes = ops.filter(({ op }) => ["message.post", "message.edit", "message.delete"].includes(op));
      left.push(...changes.map(({ op, args }) => args.text ?? `${op} ${args.id}`));
    }
    db.close();
  }
  return { held, left };
}
