import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { MessageId } from "#protocol/ids.ts";
import { ok } from "#protocol/result.ts";
import { answeredIn } from "../answered.ts";
import { holdWords, letGo, PLACES, sent, TAB, wordsHeld } from "./last-words.ts";
import { letGoOfSaid, discarded, joined, restored, takeLeftWords } from "./left-words.ts";

beforeEach(() => {
  vi.stubGlobal("StorageEvent", Event);
  vi.stubGlobal("dispatchEvent", () => true);
});
afterEach(() => vi.unstubAllGlobals());

test.each([
  ["it takes the place of what it was typed over", "Half", { over: "Half", text: "Half a thought" }, "Half a thought"],
  ["also where most of it was deleted", "Half a thought", { over: "Half a thought", text: "Ha" }, "Ha"],
  ["a draft stored on the way to it gives way", "Half a", { over: "", text: "Half a thought" }, "Half a thought"],
  ["an older copy of what was stored since is dropped", "Half a thought", { over: "", text: "Half" }, "Half a thought"],
  [
    "what another device wrote meanwhile stands behind it",
    "Theirs",
    { over: "Mine", text: "Mine too" },
    "Mine too\nTheirs",
  ],
  ["it doesn't stand there twice", "Mine\nTheirs", { over: "Mi", text: "Mine" }, "Mine\nTheirs"],
  [
    "of a draft that another device wrote beside it takes the place of its own words alone",
    "Mine\nTheirs",
    { over: "Mine", text: "Mine too" },
    "Mine too\nTheirs",
  ],
  [
    "of drafts that were on their way it takes the place as well",
    "Hello there!!",
    { over: "", drafts: ["Hel", "Hello there!!"], text: "Hello there", isSent: true },
    "Hello there",
  ],
  [
    "of two that grew line by line it takes the place of the longer",
    "Mine\nand more\nTheirs",
    { over: "Mine\nand more", drafts: ["Mine", "Mine\nand more"], text: "Mine\nand more still", isSent: true },
    "Mine\nand more still\nTheirs",
  ],
  ["into an empty composer", "", { over: "Long gone", text: "Mine" }, "Mine"],
])("a text left behind: %s", (_, draft, words, becomes) => {
  expect(joined(draft, [words])).toBe(becomes);
});

test("several texts left behind stand in the order they were written in", () => {
  const words = [
    { over: "", text: "First" },
    { over: "", text: "Second" },
    { over: "", text: "Half of the third" },
  ];
  expect(joined("", words)).toBe("First\nSecond\nHalf of the third");
  expect(joined("Theirs", words)).toBe("First\nSecond\nHalf of the third\nTheirs");
  expect(
    joined("Half", [
      { over: "Half", text: "Half and whole" },
      { over: "", text: "Next" },
    ]),
  ).toBe("Half and whole\nNext");
});

test.each([
  ["and nobody types: it is there alone", "", "", "Half a thought"],
  ["in the place of the draft it was typed over", "Half", "Half", "Half a thought"],
  ["above what is being typed", "", "Hello", "Half a thought\nHello"],
  ["also where that is how it begins itself", "", "Half", "Half a thought\nHalf"],
  [
    "or stands in it",
    "",
    "He had half a thought, Half a thought",
    "Half a thought\nHe had half a thought, Half a thought",
  ],
  ["above what was added to the draft meanwhile", "Half", "Half and more", "Half a thought\nand more"],
  ["above a draft that was rewritten meanwhile", "Half", "Whole", "Half a thought\nWhole"],
])("a text comes back %s", (_, stored, shown, becomes) => {
  expect(restored("olga.none", stored, shown, [{ over: stored, text: "Half a thought" }])).toBe(becomes);
});

test.each([
  ["a sent text that another one contains", "Book a table", { text: "ok", isSent: true }, "ok\nBook a table"],
  ["a sent text that the draft begins with", "No idea yet", { text: "No", isSent: true }, "No\nNo idea yet"],
  ["a text that another word contains", "Is nothing left?", { text: "no", isSent: false }, "no\nIs nothing left?"],
])("%s comes back beside it", (_, draft, words, becomes) => {
  expect(joined(draft, [{ over: "", ...words }])).toBe(becomes);
});

test("a sent text that stands in the draft doesn't come back twice", () => {
  expect(joined("Sent\nTheirs", [{ over: "", text: "Sent", isSent: true }])).toBe("Sent\nTheirs");
});

test("what is stored already doesn't come back into what is being typed", () => {
  expect(restored("olga.none", "Half a thought", "Half a thought, and", [{ over: "", text: "Half" }])).toBe(
    "Half a thought, and",
  );
});

test("what is discarded in another tab, or with a sign-out, is not held here either", () => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  const words = (text: string) => ({ id: "m" as MessageId, text, over: "", isSent: false });
  const key = `${PLACES}olga.one.${TAB}`;
  holdWords("olga.one", words("An edit"));
  holdWords("olga.other", words("Another"));
  discarded({ key, newValue: null });
  expect(wordsHeld("olga.one")).toEqual([words("An edit")]);
  kept.delete(key);
  discarded({ key, newValue: null });
  expect(wordsHeld("olga.one")).toEqual([]);
  expect(wordsHeld("olga.other")).toEqual([words("Another")]);
  // Blocked by now, it says nothing of what was discarded.
  vi.stubGlobal("localStorage", undefined);
  discarded({ key: `${PLACES}olga.other.${TAB}`, newValue: null });
  expect(wordsHeld("olga.other")).toEqual([words("Another")]);
});

test("where localStorage has no room for it, this tab holds it all the same", () => {
  const full = (): never => {
    throw new DOMException("Full", "QuotaExceededError");
  };
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: full, removeItem: () => undefined });
  vi.stubGlobal("StorageEvent", function told(_: string, about: StorageEventInit) {
    return about;
  });
  vi.stubGlobal("dispatchEvent", discarded);
  const edit = { id: "m" as MessageId, text: "An edit", over: "", isSent: false };
  holdWords("olga.full", edit);
  expect(wordsHeld("olga.full")).toEqual([edit]);
  letGo("olga.full", edit.id);
  expect(wordsHeld("olga.full")).toEqual([]);
});

test("an edit that was saved by a tab which ended before it let go of it isn't left, and is forgotten; another one is", async () => {
  const words = (text: string): string => JSON.stringify([{ id: "m", text, over: "As it was", isSent: false }]);
  const kept = { [`${PLACES}olga.m.gone`]: words("Mended"), [`${PLACES}olga.m.open`]: words("Mended") };
  vi.stubGlobal("localStorage", {
    ...kept,
    getItem: (key: string) => localStorage[key] ?? null,
    removeItem: (key: string) => void delete localStorage[key],
  });
  const isFree = (name: string): boolean => name !== `${PLACES}open`;
  const request = async (name: string, _: LockOptions, run: (lock: object | null) => unknown): Promise<unknown> =>
    run(isFree(name) ? {} : null);
  vi.stubGlobal("navigator", { locks: { request } });
  vi.stubGlobal("StorageEvent", Event);
  const dispatched = vi.fn<typeof dispatchEvent>();
  vi.stubGlobal("dispatchEvent", dispatched);
  const left = (said: string): Promise<boolean> => letGoOfSaid("olga.m", (text) => text === said);
  expect(await left("As it was")).toBe(true);
  expect(await left("Mended")).toBe(false);
  expect(Object.keys(localStorage).filter((key) => key.startsWith(PLACES))).toEqual([`${PLACES}olga.m.open`]);
  expect(dispatched).toHaveBeenCalledOnce();
});

test("an edit that was left behind is found while another one of the same tab is looked for", async () => {
  const words = JSON.stringify([{ id: "m", text: "Mended", over: "As it was", isSent: false }]);
  vi.stubGlobal("localStorage", { [`${PLACES}olga.m.gone`]: words, getItem: () => words });
  const isLeft = (): Promise<boolean> => letGoOfSaid("olga.m", () => false);
  expect(await navigator.locks.request(`${PLACES}gone`, { mode: "shared" }, isLeft)).toBe(true);
});

test.each([
  ["is answered again as it comes back", "olga.back", "Something else", "m9"],
  ["isn't where it was sent from here meanwhile: what is written next answers nothing", "olga.sent", "Yes", null],
])("what a text that a tab left behind answers %s", async (_, owner, sentHere, answered) => {
  const words = JSON.stringify([{ id: "m1", text: "Yes", over: "", isSent: true, answers: "m9" }]);
  vi.stubGlobal("localStorage", {
    [`${PLACES}${owner}.gone`]: words,
    getItem: (key: string) => localStorage[key] ?? null,
    setItem: (key: string, value: string) => void (localStorage[key] = value),
    removeItem: (key: string) => void delete localStorage[key],
  });
  vi.stubGlobal("navigator", {});
  sent.push([owner, { id: "m2" as MessageId, text: sentHere, order: performance.now(), over: [sentHere] }]);
  const take = vi.fn<() => boolean>(() => true);
  await takeLeftWords(owner, async (id) => ok(id === "m2"), take, new AbortController().signal);
  expect(take).toHaveBeenCalledTimes(answered === null ? 0 : 1);
  expect(answeredIn(owner)).toBe(answered);
});
