import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { UserId } from "#protocol/ids.ts";
import type { Beside } from "../../store/beside.ts";
import { answer, ANSWERED, answeredIn, followAnswers } from "../answered.ts";
import { COPIED, keepBeside } from "./keep-beside.ts";
import { PLACES } from "./last-words.ts";

const ME = "olga" as UserId;
const EDIT = `${PLACES}${ME}.m1.7`;
const COMPOSER = `${ME}.c1`;
const ANSWER = ANSWERED + COMPOSER;
const edit = (text: string): string => JSON.stringify([{ id: "m1", text, over: "", isSent: false, channel: "c1" }]);

/** Of tabs, by the names of their locks. */
let living: Set<string>;
let page: EventTarget;
let end: () => void;

beforeEach(() => {
  vi.useFakeTimers();
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
  end();
  // What this tab shows is forgotten with it.
  followAnswers(() => undefined)();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

class Changed extends Event {
  readonly key: string | null;
  readonly newValue: string | null;
  constructor(type: string, { key = null, newValue = null }: StorageEventInit) {
    super(type);
    this.key = key;
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
  readonly change: (place: string, value: string | null, isAnothers?: boolean) => void;
}

/** @param kept the last copy, where there is one */
async function opened(kept: Beside | null = null): Promise<Opened> {
  let disk = kept;
  end = keepBeside(ME, { read: async () => disk, write: async (beside) => void (disk = beside) });
  await vi.advanceTimersByTimeAsync(0);
  return {
    disk: () => disk?.places,
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

test("what is typed is copied a moment later, what is given up and what is answered at once", async () => {
  const { disk, change } = await opened();
  change(EDIT, edit("Half"));
  expect(disk()).toEqual({});
  await vi.advanceTimersByTimeAsync(250);
  expect(disk()).toEqual({ [EDIT]: edit("Half") });
  answer(COMPOSER, "m2");
  expect(disk()).toEqual({ [EDIT]: edit("Half"), [ANSWER]: "m2" });
  change(EDIT, null);
  expect(disk()).toEqual({ [ANSWER]: "m2" });
  answer(COMPOSER, null);
  expect(disk()).toEqual({});
});

test("what another tab changes is left to that one", async () => {
  const { disk, change } = await opened();
  change(EDIT, edit("Half"), true);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(disk()).toEqual({});
});

test("a composer's own words aren't copied, nor what is another person's", async () => {
  const { disk, change } = await opened();
  change(`${PLACES}${ME}.c1.7`, JSON.stringify([{ id: "m9", text: "Half", over: "", isSent: false }]));
  change(`${PLACES}mara.m1.7`, edit("Half"));
  change(`${ANSWERED}mara.c1`, "m2");
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
  expect(answeredIn(COMPOSER)).toBe("m1");
  await opened({ places: {}, version: 1 });
  expect([answeredIn(COMPOSER), ...stored(ANSWER)]).toEqual([null, null]);
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
  end();
  living.add(`${PLACES}7`);
  localStorage.setItem(COPIED + ME, "3");
  await opened({ places: {}, version: 9 });
  expect(stored(EDIT)).toEqual([edit("Half")]);
});

test("who signs out while it is put right gets nothing back", async () => {
  let answerRead: (kept: Beside) => void = () => undefined;
  const read = (): Promise<Beside> => new Promise((resolve) => (answerRead = resolve));
  end = keepBeside(ME, { read, write: async () => undefined });
  await vi.advanceTimersByTimeAsync(0);
  end();
  answerRead({ places: { [EDIT]: edit("Half") }, version: 9 });
  await vi.advanceTimersByTimeAsync(0);
  expect(stored(EDIT, COPIED + ME)).toEqual([null, null]);
});

test("what couldn't be copied is with the next change", async () => {
  let isFull = true;
  let disk: Beside | null = null;
  const write = async (beside: Beside): Promise<void> => {
    if (isFull) throw new DOMException("", "QuotaExceededError");
    disk = beside;
  };
  end = keepBeside(ME, { read: async () => null, write });
  await vi.advanceTimersByTimeAsync(0);
  answer(COMPOSER, "m2");
  await vi.advanceTimersByTimeAsync(0);
  isFull = false;
  dispatchEvent(new StorageEvent("storage", { key: EDIT, newValue: "" }));
  await vi.advanceTimersByTimeAsync(250);
  expect(disk).toMatchObject({ places: { [ANSWER]: "m2" } });
});

test("what is given up after a copy that couldn't be read doesn't come back with it, though the clock was set back", async () => {
  let disk: Beside = { places: { [ANSWER]: "m2" }, version: 9 };
  const write = async (beside: Beside): Promise<void> => void (disk = beside);
  const read = vi.fn(async (): Promise<Beside> => disk);
  read.mockRejectedValueOnce(new DOMException("", "UnknownError"));
  localStorage.setItem(ANSWER, "m2");
  localStorage.setItem(COPIED + ME, "3");
  end = keepBeside(ME, { read, write });
  await vi.advanceTimersByTimeAsync(0);
  answer(COMPOSER, null);
  vi.setSystemTime(5);
  answer(COMPOSER, "m3");
  answer(COMPOSER, null);
  end();
  end = keepBeside(ME, { read, write });
  await vi.advanceTimersByTimeAsync(0);
  expect([answeredIn(COMPOSER), disk.places]).toEqual([null, {}]);
});

test("no copy is made that the browser's storage has no room to be told of, and none over what it has no room for", async () => {
  const first = await opened();
  vi.spyOn(Object.getPrototypeOf(localStorage) as Storage, "setItem").mockImplementation(() => {
    throw new DOMException("", "QuotaExceededError");
  });
  answer(COMPOSER, "m2");
  expect(first.disk()).toEqual({});
  end();
  const places = { [EDIT]: edit("Half") };
  const again = await opened({ places, version: Date.now() + 1 });
  answer(COMPOSER, "m3");
  expect(again.disk()).toEqual(places);
});
