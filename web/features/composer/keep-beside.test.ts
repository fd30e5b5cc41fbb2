import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { MessageId, UserId } from "#protocol/ids.ts";
import { ok } from "#protocol/result.ts";
import type { BesideDisk } from "../../store/beside.ts";
import { COPIED, type Beside } from "../../store/index-database.ts";
import type { Store } from "../../store/store.ts";
import type { KeptBeside } from "../../sync/ports.ts";
import { WAITING } from "../../sync/waiting.ts";
import { answer, ANSWERED, answeredIn, ENDED, followAnswers } from "../answered.ts";
import { keepBeside } from "./keep-beside.ts";
import { holdWords, letGo, letGoOfDraft, placeOf, PLACES, TAB, type Words } from "./last-words.ts";
import { restored, takeLeftWords } from "./left-words.ts";
import { putRight } from "./put-right.ts";

const ME = "olga" as UserId;
const EDIT = `${PLACES}${ME}.m1.7`;
const COMPOSER = `${ME}.c1`;
const ANSWER = ANSWERED + COMPOSER;
const words = (text: string): string => JSON.stringify([{ id: "m9", text, over: "", isSent: false }]);
const edit = (text: string): string => JSON.stringify([{ id: "m1", text, over: "", isSent: false, channel: "c1" }]);

/** Of tabs, by the names of their locks. */
let living: Set<string>;
let page: EventTarget;
let keeping: KeptBeside;

beforeEach(() => {
  vi.useFakeTimers();
  drafts.clear();
  drafts.add("c1");
  living = new Set();
  page = new EventTarget();
  vi.stubGlobal("localStorage", storage());
  vi.stubGlobal("sessionStorage", storage());
  vi.stubGlobal("StorageEvent", Changed);
  vi.stubGlobal("document", { activeElement: null, hasFocus: () => false });
  vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("dispatchEvent", page.dispatchEvent.bind(page));
  type Work = (lock: object | null) => unknown;
  const request = async (name: string, how: object | Work, work = how as Work) => work(living.has(name) ? null : {});
  vi.stubGlobal("navigator", { locks: { request } });
});
afterEach(() => {
  keeping.end();
  // What this tab shows is forgotten with it.
  followAnswers(() => undefined)();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

class Changed extends Event {
  readonly key: string | null;
  readonly newValue: string | null;
  readonly oldValue: string | null;
  constructor(type: string, { key = null, newValue = null, oldValue = null }: StorageEventInit) {
    super(type);
    this.key = key;
    this.oldValue = oldValue;
    this.newValue = newValue;
  }
}

/** As the browser's: what is stored are its own keys. */
function storage(): Storage {
  const methods = {
    getItem: (key: string) => own[key] ?? null,
    setItem: (key: string, value: string) => (own[key] = value),
    removeItem: (key: string) => delete own[key],
  };
  const own = Object.create(methods) as Record<string, string>;
  return own as unknown as Storage;
}

interface Opened {
  readonly disk: () => Beside["places"] | undefined;
  readonly copy: () => Beside | null;
  readonly change: (place: string, value: string | null, isAnothers?: boolean) => void;
}

/** Channels in whose composer something stands. */
const drafts = new Set<string>();
vi.mock(import("../../sync/has-draft.ts"), () => ({ hasDraft: async (_store, _me, channel) => drafts.has(channel) }));
const store = {} as Store;

/** As the database's. */
function diskOf(kept: Beside | null): BesideDisk & { readonly held: () => Beside | null } {
  let held = kept;
  return {
    held: () => held,
    read: async () => held ?? undefined,
    write: async (beside) => {
      if (held !== null && held.version >= beside.version) return held.version;
      held = beside;
      return null;
    },
  };
}

/** @param kept the last copy, where there is one */
async function opened(kept: Beside | null = null): Promise<Opened> {
  const disk = diskOf(kept);
  if (kept !== null) await putRight(ME, kept, store).catch(() => undefined);
  keeping = keepBeside(ME, disk, store);
  await vi.advanceTimersByTimeAsync(0);
  return {
    disk: () => disk.held()?.places,
    copy: disk.held,
    change: (key, newValue, isAnothers = false) => {
      if (newValue === null) localStorage.removeItem(key);
      else localStorage.setItem(key, newValue);
      const changed = new StorageEvent("storage", { key, newValue });
      if (isAnothers) Object.defineProperty(changed, "isTrusted", { value: true });
      dispatchEvent(changed);
    },
  };
}

const stored = (...places: string[]): (string | null)[] => places.map((place) => localStorage.getItem(place));

test("what is held is copied a moment after it changes, at once that it is no more, and what is answered; not what is another person's", async () => {
  const { disk, change } = await opened();
  const typed = `${PLACES}${ME}.c1.7`;
  change(EDIT, edit("Half"));
  change(typed, words("Half"));
  change(`${PLACES}mara.m1.7`, edit("Half"));
  change(`${ANSWERED}mara.c1`, "m2");
  expect(disk()).toEqual({});
  await vi.advanceTimersByTimeAsync(250);
  expect(disk()).toEqual({ [EDIT]: edit("Half"), [typed]: words("Half") });
  change(EDIT, null);
  expect(disk()).toEqual({ [typed]: words("Half") });
  change(typed, null);
  answer(COMPOSER, "m2");
  expect(disk()).toEqual({ [ANSWER]: "m2" });
  answer(COMPOSER, null);
  expect(disk()).toEqual({ [`${ENDED}${COMPOSER}`]: "m2" });
});

test("what another tab changes is left to that one", async () => {
  const { disk, change } = await opened();
  change(EDIT, edit("Half"), true);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(disk()).toEqual({});
});

test("what a killed browser lost comes back, what it has of before becomes what was typed last, and what was given up goes", async () => {
  const [lost, givenUp] = [`${PLACES}${ME}.m2.7`, `${PLACES}${ME}.m3.7`];
  localStorage.setItem(EDIT, edit("Hal"));
  localStorage.setItem(givenUp, edit("Given up"));
  localStorage.setItem(`${ANSWERED}${ME}.c2`, "m4");
  localStorage.setItem(COPIED + ME, "3");
  const heard: (string | null)[] = [];
  page.addEventListener("storage", (event) => heard.push((event as StorageEvent).key));
  const places = { [EDIT]: edit("Half"), [lost]: edit("Lost"), [ANSWER]: "m2" };
  const { disk } = await opened({ places, version: 9 });
  expect(stored(EDIT, lost, givenUp, ANSWER)).toEqual([edit("Half"), edit("Lost"), null, "m2"]);
  expect([answeredIn(COMPOSER), answeredIn(`${ME}.c2`)]).toEqual(["m2", null]);
  expect(heard).toEqual(expect.arrayContaining([EDIT, lost, givenUp, ANSWER]));
  expect(disk()).toEqual(places);
});

test("what was answered in a tab that comes back with the browser is what was answered last", async () => {
  sessionStorage.setItem(ANSWER, "m1");
  localStorage.setItem(ANSWER, "m2");
  sessionStorage.setItem(`${ANSWERED}mara.c1`, "m3");
  await opened({ places: {}, version: 1 });
  expect([answeredIn(COMPOSER), answeredIn("mara.c1"), ...stored(ANSWER)]).toEqual([null, "m3", null]);
});

test("what was given up with signing out goes, and that it was is in all later copies", async () => {
  localStorage.setItem(EDIT, edit("Half"));
  const waits = { op: "o1", at: 3, kind: "post", room: "r", channel: "c1", message: "m1", root: null, text: "Mine" };
  localStorage.setItem(
    `${WAITING}causeway/causeway/${ME}`,
    JSON.stringify({ texts: [waits], rest: [], database: "d" }),
  );
  const { copy } = await opened({ places: {}, version: 9, clearedAt: 5, givenUpAt: 5 });
  expect(stored(EDIT, `${WAITING}causeway/causeway/${ME}`)).toEqual([null, null]);
  expect(copy()).toEqual({ places: {}, version: Date.now(), clearedAt: 5, givenUpAt: 5 });
});

test("a storage that is as late as the copy stays as it is, whatever couldn't be copied since", async () => {
  localStorage.setItem(EDIT, edit("Half a thought"));
  localStorage.setItem(COPIED + ME, "9");
  const { disk } = await opened({ places: { [EDIT]: edit("Half"), [ANSWER]: "m2" }, version: 9 });
  expect(stored(EDIT, ANSWER)).toEqual([edit("Half a thought"), null]);
  expect(disk()).toEqual({ [EDIT]: edit("Half a thought") });
});

test("before the first copy everything stays, and so does what a tab that lives began since the start", async () => {
  localStorage.setItem(EDIT, edit("Half"));
  const first = await opened();
  expect(first.disk()).toEqual({ [EDIT]: edit("Half") });
  keeping.end();
  living.add(`${PLACES}7`);
  localStorage.setItem(COPIED + ME, "3");
  await opened({ places: {}, version: 9 });
  expect(stored(EDIT)).toEqual([edit("Half")]);
});

test("what was sent before it was known to be an answer isn't one, and neither is what is written next", async () => {
  drafts.clear();
  const places = { [ANSWER]: "m2", [`${ANSWERED}${ME}.c2`]: "m3", [`${PLACES}${ME}.c2.7`]: words("Half") };
  await opened({ places, version: 9 });
  expect([answeredIn(COMPOSER), answeredIn(`${ME}.c2`)]).toEqual([null, "m3"]);
});

describe("where the browser's data was cleared under the tab", () => {
  const tell = (key: string | null, oldValue: string | null = null, newValue: string | null = null): boolean =>
    dispatchEvent(new StorageEvent("storage", { key, oldValue, newValue }));
  const clearHere = (): void => void vi.stubGlobal("localStorage", storage());
  const clearAll = (): void => {
    clearHere();
    vi.stubGlobal("sessionStorage", storage());
  };
  /** What is answered in this tab, as it shows it, and as it stands for all, and in the copy. */
  const answers = (disk: Opened["disk"]): unknown => [
    answeredIn(COMPOSER),
    ...stored(ANSWER),
    disk()?.[ANSWER] ?? null,
  ];

  test("what is held is put back with the database, where the browser tells nobody; not once somebody has left", async () => {
    const { disk } = await opened();
    holdWords(`${ME}.m1`, { id: "m1" as MessageId, text: "Half", over: "", isSent: false });
    answer(COMPOSER, "m2");
    clearAll();
    // Another tab was quicker.
    localStorage.setItem(COPIED + ME, "9");
    keeping.remade();
    await vi.advanceTimersByTimeAsync(250);
    expect(stored(placeOf(`${ME}.m1`))).toEqual([expect.stringContaining("Half")]);
    expect(disk()).toMatchObject({ [placeOf(`${ME}.m1`)]: expect.stringContaining("Half"), [ANSWER]: "m2" });
    expect(sessionStorage.getItem(ANSWER)).toBe("m2");
    keeping.end();
    clearAll();
    keeping.remade();
    expect([{ ...localStorage }, { ...sessionStorage }]).toEqual([{}, {}]);
  });

  test("nothing is put back of what somebody gave up in another tab since, of which this one hears late", async () => {
    const disk = diskOf(null);
    keeping = keepBeside(ME, disk, store);
    await vi.advanceTimersByTimeAsync(0);
    holdWords(`${ME}.m1`, { id: "m1" as MessageId, text: "Half", over: "", isSent: false });
    answer(COMPOSER, "m2");
    clearAll();
    // As a sign-out does.
    await disk.write({ places: {}, version: Date.now() + 1_000, clearedAt: 5, givenUpAt: 5 });
    tell(null);
    await vi.advanceTimersByTimeAsync(250);
    expect({ ...localStorage }).toEqual({});
    expect(disk.held()).toMatchObject({ places: {}, givenUpAt: 5 });
  });

  test("what a text answers is put back for all tabs, where what is the tab's own stays", async () => {
    const { disk } = await opened();
    answer(COMPOSER, "m2");
    clearHere();
    tell(null);
    await vi.advanceTimersByTimeAsync(0);
    expect(answers(disk)).toEqual(["m2", "m2", "m2"]);
  });

  test.each(["another tab", "this one"])(
    "what another tab has sent since doesn't come back (chosen in %s)",
    async (by) => {
      const { disk } = await opened();
      if (by === "this one") answer(COMPOSER, "m2");
      else localStorage.setItem(ANSWER, "m2");
      expect(answeredIn(COMPOSER)).toBe("m2");
      clearAll();
      localStorage.setItem(ENDED + COMPOSER, "m2");
      keeping.remade();
      await vi.advanceTimersByTimeAsync(0);
      expect([answers(disk), stored(ENDED + COMPOSER)]).toEqual([[null, null, null], ["m2"]]);
    },
  );

  test("a tab in which nobody chose goes on to follow", async () => {
    await opened();
    localStorage.setItem(ANSWER, "m2");
    expect(answeredIn(COMPOSER)).toBe("m2");
    clearAll();
    keeping.remade();
    expect(stored(ANSWER)).toEqual(["m2"]);
    localStorage.setItem(ANSWER, "m5");
    tell(ANSWER, "m2", "m5");
    expect(answeredIn(COMPOSER)).toBe("m5");
  });

  test("what another tab answers by now stays, and this one answers what it did", async () => {
    const { disk } = await opened();
    answer(COMPOSER, "m2");
    clearAll();
    localStorage.setItem(ANSWER, "m3");
    keeping.remade();
    await vi.advanceTimersByTimeAsync(0);
    expect(answers(disk)).toEqual(["m2", "m3", "m3"]);
    expect(sessionStorage.getItem(ANSWER)).toBe("m2");
  });
});

test("what couldn't be copied is with the next change", async () => {
  const disk = diskOf(null);
  const write = vi.fn(disk.write);
  write.mockRejectedValue(new DOMException("", "QuotaExceededError"));
  keeping = keepBeside(ME, { ...disk, write }, store);
  await vi.advanceTimersByTimeAsync(0);
  localStorage.setItem(EDIT, edit("Half"));
  answer(COMPOSER, "m2");
  await vi.advanceTimersByTimeAsync(0);
  expect(disk.held()).toBeNull();
  write.mockImplementation(disk.write);
  answer(COMPOSER, "m3");
  await vi.advanceTimersByTimeAsync(0);
  expect(disk.held()?.places).toEqual({ [EDIT]: edit("Half"), [ANSWER]: "m3" });
});

test("what one does after a copy that couldn't be read stands at the next start, though the clock was set back", async () => {
  vi.setSystemTime(5);
  const disk = diskOf({ places: { [ANSWER]: "m2" }, version: 9 });
  const read = vi.fn(disk.read);
  read.mockRejectedValueOnce(new DOMException("", "UnknownError"));
  localStorage.setItem(ANSWER, "m2");
  localStorage.setItem(COPIED + ME, "3");
  keeping = keepBeside(ME, { ...disk, read }, store);
  await vi.advanceTimersByTimeAsync(0);
  answer(COMPOSER, null);
  localStorage.setItem(EDIT, edit("Half"));
  dispatchEvent(new StorageEvent("storage", { key: EDIT, newValue: edit("Half") }));
  await vi.advanceTimersByTimeAsync(250);
  keeping.end();
  keeping = keepBeside(ME, { ...disk, read }, store);
  await vi.advanceTimersByTimeAsync(0);
  expect([answeredIn(COMPOSER), stored(EDIT)]).toEqual([null, [edit("Half")]]);
  expect(disk.held()?.places).toEqual({ [EDIT]: edit("Half"), [`${ENDED}${COMPOSER}`]: "m2" });
});

test("no copy is made that the browser's storage has no room to be told of, and none over what it has no room for", async () => {
  const first = await opened();
  vi.spyOn(Object.getPrototypeOf(localStorage) as Storage, "setItem").mockImplementation(() => {
    throw new DOMException("", "QuotaExceededError");
  });
  answer(COMPOSER, "m2");
  expect(first.disk()).toEqual({});
  keeping.end();
  const places = { [EDIT]: edit("Half") };
  const again = await opened({ places, version: Date.now() + 1 });
  answer(COMPOSER, "m3");
  expect(again.disk()).toEqual(places);
});

test.each([
  ["grown", ["Meet", "Meet at", "Meet at 5"]],
  ["rewritten", ["Meet at 5", "Meet at 6", "We meet at 6"]],
  ["mended", ["Helo", "Hel", "Hello"]],
  ["shortened", ["Meet at 5", "Meet at", "Meet"]],
  ["given up", ["You fool", ""]],
  ["given up for another", ["You fool", "", "Dear Sir"]],
])("a draft that was %s since the browser last wrote its storage is as it was typed last", async (_, texts) => {
  const kept = diskOf(null);
  keeping = keepBeside(ME, kept, store);
  await vi.advanceTimersByTimeAsync(0);
  let draft = "";
  let written: [place: string, stored: string][] = [];
  let id = "m1" as MessageId;
  // As the composer does: each text is held, and let go of when it is the draft.
  for (const text of texts) {
    if (text === "") {
      letGo(COMPOSER, id);
      id = "m2" as MessageId;
    } else holdWords(COMPOSER, { id, text, over: draft, isSent: false });
    if (draft === "") written = Object.entries({ ...localStorage });
    await vi.advanceTimersByTimeAsync(100);
    draft = text;
    letGoOfDraft(COMPOSER, id, text);
  }
  await vi.advanceTimersByTimeAsync(250);
  keeping.end();
  // What it wrote, in the places of a tab that has ended.
  vi.stubGlobal("localStorage", storage());
  for (const [place, stored] of written) localStorage.setItem(place.replace(TAB, "7"), stored);
  keeping = keepBeside(ME, kept, store);
  await vi.advanceTimersByTimeAsync(0);
  const shown = new Promise<string>((resolve) => {
    const take = async (left: readonly Words[]): Promise<boolean> => {
      resolve(restored("olga.none", draft, draft, left));
      return true;
    };
    const isPosted = async () => ok(false);
    void takeLeftWords(COMPOSER, isPosted, take, new AbortController().signal).then(() => resolve(draft));
  });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await shown).toBe(texts.at(-1));
});
