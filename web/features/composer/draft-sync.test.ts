import { expect, test } from "vitest";
import { without } from "#protocol/ops/merge-draft.ts";
import {
  arrived,
  failed,
  grownFrom,
  isGone,
  isUntouched,
  kept,
  opened,
  oursIn,
  took,
  wrote,
  type DraftSync,
} from "./draft-sync.ts";

const fresh = took("");
const unread = opened(null, undefined);
const holding = took;
const after = (...texts: string[]): DraftSync => texts.reduce(wrote, fresh);

test.each<[string, DraftSync, stored: string, typed: string, isTyping: boolean, text: string]>([
  ["the first draft from disk fills the composer", unread, "half", "", true, "half"],
  ["a draft from disk doesn't replace what was typed already", unread, "half", "new", true, "new"],
  ["one's own words come back and nothing moves", after("a"), "a", "a", true, "a"],
  ["one's own words come back after more was typed", after("a"), "a", "ab", true, "ab"],
  ["older words of one's own come back last of all", after("a", "ab"), "a", "ab", true, "ab"],
  ["another device's draft comes into an empty composer", fresh, "from the phone", "", true, "from the phone"],
  ["another device's draft follows itself while nobody types here", kept(after(""), ""), "b", "", false, "b"],
  ["what is being taken away on disk doesn't come back with another device's", after("a", ""), "a\nb", "", false, ""],
  ["another device's draft leaves alone what is typed here", fresh, "from the phone", "mine", false, "mine"],
  [
    "another tab's draft leaves alone even what is stored, while somebody types",
    holding("mine"),
    "b",
    "mine",
    true,
    "mine",
  ],
  ["a draft sent elsewhere goes here too", holding("a"), "", "a", false, ""],
])("%s", (_, sync, stored, typed, isTyping, text) => {
  expect(arrived(sync, stored, typed, isTyping).text).toBe(text);
});

test("what of one's own is on disk is known by what came to its end there, in whatever order it is heard of", () => {
  const { sync } = arrived(after("a", "ab", "abc"), "ab", "abc", true);
  expect(oursIn(sync)).toEqual(["", "a", "ab", "abc"]);
  expect(grownFrom(kept(kept(sync, "a"), "ab"))).toEqual({ over: "ab", drafts: ["abc"] });
  expect(kept(sync, "ab")).toMatchObject({ over: ["ab"], written: ["abc"] });
  // The same once more, with another between.
  expect(kept(after("a", "ab", "a"), "a").written).toEqual(["ab", "a"]);
  // Heard of late, when something else stands there by now.
  expect(kept(took("phone"), "a")).toEqual(took("phone"));
});

test("what couldn't be stored stands nowhere, and what was stored before it still does", () => {
  expect(oursIn(failed(after("Hel", "Hello"), "Hello"))).toEqual(["", "Hel"]);
  expect(oursIn(kept(failed(after("Hel", "Hel"), "Hel"), "Hel"))).toEqual(["Hel"]);
});

test("a composer takes over what the one before hadn't got to the disk, and nothing that stands beside it", () => {
  const next = opened("phone", { over: "", drafts: ["Hal"], text: "Half" });
  expect(oursIn(next)).toEqual(["", "Hal", "Half"]);
  // Where that couldn't be stored either it isn't known to be there, and stays.
  expect(isUntouched(failed(wrote(next, "Half"), "Half"), "Half")).toBe(false);
  expect(arrived(next, "Hal\nphone", "Half", true)).toMatchObject({ text: "Half", sync: { isBeside: true } });
  // Which of them had got there doesn't matter any more once what stands here has.
  expect(oursIn(kept(wrote(next, "Half"), "Half"))).toEqual(["Half"]);
});

test("what came beside what is typed here is taken over once nobody types", () => {
  const beside = arrived(after("mine"), "mine\nfrom the phone", "mine", true);
  expect(beside.text).toBe("mine");
  expect(beside.sync).toMatchObject({ isBeside: true, written: ["mine"] });
  const later = arrived(kept(beside.sync, "mine"), "mine\nfrom the phone, and more", "mine", false);
  expect(later.text).toBe("mine\nfrom the phone, and more");
  expect(later.sync).toEqual(took("mine\nfrom the phone, and more"));
});

test("what was taken over from elsewhere goes when it is sent there, though one's own emptying never came back alone", () => {
  const taken = arrived(kept(wrote(holding("mine"), ""), ""), "from the phone", "", true);
  expect(taken.text).toBe("from the phone");
  expect(arrived(taken.sync, "", taken.text, false).text).toBe("");
});

test("what nobody touched since it was on disk is known from what was typed here", () => {
  const beside = arrived(holding("half"), "", "half", true).sync;
  expect(isUntouched(beside, "half")).toBe(true);
  expect(isUntouched(beside, "half more")).toBe(false);
  expect(isUntouched(wrote(beside, "half more"), "half more")).toBe(false);
  expect(isUntouched(holding("half"), "half")).toBe(false);
});

test("what was typed on beside another's, and is on disk, is untouched again", () => {
  const beside = arrived(holding("a"), "a\nphone", "a", true).sync;
  const typedOn = arrived(wrote(beside, "a b"), "a b\nphone", "a b", true).sync;
  expect(isUntouched(typedOn, "a b")).toBe(false);
  expect(isUntouched(kept(typedOn, "a b"), "a b")).toBe(true);
  expect(isGone(arrived(kept(typedOn, "a b"), "", "a b", true).sync, "", "a b")).toBe(true);
  // What was typed since isn't.
  expect(kept(wrote(typedOn, "a b c"), "a b").written).toEqual(["a b c"]);
});

test("what is on its way to the store stays, whatever is found there before: a composer opened anew hasn't seen it yet", () => {
  const { text, sync } = arrived(wrote(unread, "Half"), "", "Half", false);
  expect([text, sync.written]).toEqual(["Half", ["Half"]]);
});

test.each<[string, stored: string, sent: readonly string[], left: string]>([
  ["as it was stored", "Hello", ["Hello"], ""],
  ["as it came to be stored on its way", "Hello there", ["Hello there", "Hello"], ""],
  ["and what another device wrote stays", "Hello\nphone", ["Hello there", "Hello"], "phone"],
  ["but nothing that was never part of it", "Hello you", ["Hello"], "Hello you"],
  ["where nothing is", "Hello", [], "Hello"],
])("what another tab is sending is no draft here: %s", (_, stored, sent, left) => {
  expect(without(stored, sent)).toBe(left);
});

test("what was sent or rewritten elsewhere is gone here, however long the focus stays; what stands beside it isn't", () => {
  const arrivedHere = (stored: string): DraftSync => arrived(holding("half"), stored, "half", true).sync;
  expect(isGone(arrivedHere(""), "", "half")).toBe(true);
  expect(isGone(arrivedHere("half done"), "half done", "half")).toBe(true);
  expect(isGone(arrivedHere("half\nfrom the phone"), "half\nfrom the phone", "half")).toBe(false);
  expect(isGone(arrivedHere(""), "", "half more")).toBe(false);
});
