// The index against the plain way: whatever is asked, and however the messages came, both find the same.
import fc from "fast-check";
import type { ChannelId, UserId } from "#protocol/ids.ts";
import { TEXT_MAX_CHARS } from "#protocol/limits.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { expect, test } from "vitest";
import { runOf, type Run } from "./fold.ts";
import { PLACES_MAX } from "./postings.ts";
import { EVERYTHING, FACTS, isMatch, type Doc, type Query } from "./query.ts";
import { SearchIndex } from "./search-index.ts";

const WORDS = [
  "crane",
  "cranes",
  "Cran",
  "lift",
  "Lift-plan",
  "the",
  "a",
  "東京",
  "京都タワー",
  "ตลาด",
  "น้ำ",
  "㌖",
  "<@u1>",
  "É",
  "e",
  "👍",
  "⚠\uFE0FLift",
  "1\uFE0F\u20E3the",
  "京\u{E0100}都",
  "ﾀﾞﾜｰ",
];
const ROOMS = ["channel:w_a", "channel:w_b", "channel:w_c"] as RoomName[];
const USERS = ["u1", "u2"] as UserId[];

const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 8 }).map((words) => words.join(" "));
const doc: fc.Arbitrary<Doc> = fc
  .record({
    room: fc.constantFrom(...ROOMS),
    seq: fc.integer({ min: 1, max: 12 }),
    rev: fc.integer({ min: 1, max: 4 }),
    author: fc.constantFrom(...USERS),
    facts: fc.nat(63),
    text,
  })
  // A place's time never changes; several places share one.
  .map((made) => ({ ...made, at: 1_000 + Math.floor(made.seq / 2) }));

const run: fc.Arbitrary<Run> = fc
  .tuple(fc.array(fc.constantFrom(...WORDS, "cr", "京", "タ", "ลา"), { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([words, isOpen]) => runOf(words.join(" "), isOpen)!);
const query: fc.Arbitrary<Query> = fc.record({
  clauses: fc.array(fc.record({ isExcluded: fc.boolean(), ways: fc.array(run, { minLength: 1, maxLength: 2 }) }), {
    maxLength: 3,
  }),
  from: fc.option(fc.subarray(USERS)),
  notFrom: fc.subarray(USERS, { maxLength: 1 }),
  in: fc.option(fc.subarray(["a", "b", "c"] as ChannelId[])),
  notIn: fc.subarray(["a", "b"] as ChannelId[]),
  has: fc.constantFrom(0, 0, 1, 2, 33),
  hasNot: fc.constantFrom(0, 0, 4),
  since: fc.option(fc.integer({ min: 999, max: 1_007 })),
  until: fc.option(fc.integer({ min: 999, max: 1_007 })),
});

type Step =
  | { readonly do: "put"; readonly doc: Doc }
  | { readonly do: "remove"; readonly doc: Doc }
  | { readonly do: "drop"; readonly room: RoomName; readonly below: number }
  | { readonly do: "flush" | "tidy" | "reopen" };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: doc.map((made): Step => ({ do: "put", doc: made })) },
  { weight: 2, arbitrary: doc.map((made): Step => ({ do: "remove", doc: made })) },
  {
    weight: 1,
    arbitrary: fc
      .record({ room: fc.constantFrom(...ROOMS), below: fc.nat(14) })
      .map((made): Step => ({ do: "drop", ...made })),
  },
  { weight: 3, arbitrary: fc.constantFrom<Step>({ do: "flush" }, { do: "tidy" }, { do: "reopen" }) },
);

/** The messages that stand in the end, the plain way. */
function standing(steps: readonly Step[]): Doc[] {
  const held = new Map<string, Doc>();
  for (const made of steps) {
    if (made.do === "put") {
      const key = `${made.doc.room}/${made.doc.seq}`;
      if ((held.get(key)?.rev ?? 0) < made.doc.rev) held.set(key, made.doc);
    } else if (made.do === "remove") held.delete(`${made.doc.room}/${made.doc.seq}`);
    else if (made.do === "drop") {
      for (const [key, { room, seq }] of held) if (room === made.room && seq < made.below) held.delete(key);
    }
  }
  return [...held.values()];
}

function indexAfter(steps: readonly Step[]): SearchIndex {
  let index = new SearchIndex();
  for (const made of steps) {
    if (made.do === "put") index.put(made.doc);
    else if (made.do === "remove") index.remove(made.doc);
    else if (made.do === "drop") index.removeWhere(made.room, (seq) => seq < made.below);
    else if (made.do === "flush") index.flush();
    else if (made.do === "tidy") while (index.tidy());
    // As it comes back from the disk.
    else index = new SearchIndex(structuredClone(index.parts()));
  }
  return index;
}

const isAny = (): boolean => true;
const newestFirst = (one: Doc, other: Doc): number =>
  other.at - one.at || (one.room < other.room ? -1 : one.room > other.room ? 1 : other.seq - one.seq);

test("any question finds what the plain way finds, newest first, whatever was put, edited, deleted and merged", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), query, fc.integer({ min: 1, max: 8 }), (steps, asked, limit) => {
      const expected = standing(steps)
        .filter((made) => isMatch(made, asked))
        .toSorted(newestFirst);
      const found = indexAfter(steps).find({ query: asked, order: "newest", limit, now: 2_000 }, isAny);
      expect(found.total).toBe(expected.length);
      expect(found.places).toEqual(expected.slice(0, limit).map(({ room, seq }) => ({ room, seq })));
    }),
    { numRuns: 600 },
  );
});

test("best first finds the same messages as newest first, and the same ones whichever way the index was made", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), query, (steps, asked) => {
      const rebuilt = indexAfter(standing(steps).map((made) => ({ do: "put", doc: made })));
      const ask = (index: SearchIndex, limit: number) =>
        index.find({ query: asked, order: "best", limit, now: 2_000 }, isAny);
      const all = ask(indexAfter(steps), 100);
      expect(all).toEqual(ask(rebuilt, 100));
      expect(ask(rebuilt, 3).places).toEqual(all.places.slice(0, 3));
      expect(all.total).toBe(all.places.length);
    }),
    { numRuns: 300 },
  );
});

test("words as typed come before longer ones, words side by side before words apart", () => {
  const index = new SearchIndex();
  const texts = ["lifting the crane", "a crane for the lift", "the crane lift", "cranes lifted"];
  texts.forEach((said, at) =>
    index.put({ room: ROOMS[0]!, seq: at + 1, rev: 1, at: 10 - at, author: USERS[0]!, facts: 0, text: said }),
  );
  const asked: Query = {
    ...EVERYTHING,
    clauses: ["crane", "lift"].map((word) => ({ isExcluded: false, ways: [runOf(word, true)!] })),
  };
  const { places } = index.find({ query: asked, order: "best", limit: 4, now: 10 }, isAny);
  expect(places.map(({ seq }) => texts[seq - 1])).toEqual([
    "the crane lift",
    "a crane for the lift",
    "lifting the crane",
    "cranes lifted",
  ]);
});

const DAY_MS = 24 * 3_600_000;
const LATER = 1_000 * DAY_MS;
const WEEK_OLD = { rev: 1, author: USERS[0]!, facts: 0, text: "the lift", at: LATER - 7 * DAY_MS };

test.each<[string, Partial<Doc>, Partial<Doc>]>([
  ["the word as it was typed before one that begins so", { text: "lift it" }, { text: "lifted it" }],
  ["words side by side before the same words apart", { text: "lift crane it" }, { text: "lift it crane" }],
  ["a short text before a long one", { text: "lift" }, { text: "the lift on the other side of the site" }],
  ["what somebody reacted to", { facts: FACTS.reaction }, {}],
  ["what somebody answered", { facts: FACTS.thread }, {}],
  ["what is pinned", { facts: FACTS.pin }, {}],
  ["what is recent before what is a little shorter", { text: "lift it" }, { at: LATER - 400 * DAY_MS, text: "lift" }],
  ["what is old and as typed before what is new and begins so", { at: 0, text: "lift it" }, { text: "lifted it" }],
])("best first is %s, all else alike, in one segment and in two", (_what, first, second) => {
  // Of two that are alike in all the one in the first room stands first: it is the one that answers less well.
  const one: Doc = { ...WEEK_OLD, room: ROOMS[1]!, seq: 1, ...first };
  const other: Doc = { ...WEEK_OLD, room: ROOMS[0]!, seq: 1, ...second };
  const words = one.text.includes("crane") ? ["lift", "crane"] : ["lift"];
  const query: Query = {
    ...EVERYTHING,
    clauses: words.map((word) => ({ isExcluded: false, ways: [runOf(word, true)!] })),
  };
  for (const isApart of [false, true]) {
    const index = new SearchIndex();
    for (const made of [other, one]) {
      index.put(made);
      if (isApart) index.flush();
    }
    const best = (limit: number) => index.find({ query, order: "best", limit, now: LATER }, isAny).places;
    expect(best(2).map(({ room }) => room)).toEqual([one.room, other.room]);
    expect(best(1).map(({ room }) => room)).toEqual([one.room]);
  }
});

test.each(["link", "code", "file"] as const)("that it has a %s makes no answer better", (fact) => {
  const index = new SearchIndex();
  const base = { room: ROOMS[0]!, rev: 1, author: USERS[0]!, text: "the lift" };
  index.put({ ...base, seq: 1, at: 1, facts: FACTS[fact] });
  index.put({ ...base, seq: 2, at: 2, facts: 0 });
  const asked: Query = { ...EVERYTHING, clauses: [{ isExcluded: false, ways: [runOf("lift", true)!] }] };
  const { places } = index.find({ query: asked, order: "best", limit: 2, now: 2 }, isAny);
  expect(places.map(({ seq }) => seq)).toEqual([2, 1]);
});

test("a question after every message doesn't leave a segment for each", () => {
  const index = new SearchIndex();
  for (let seq = 1; seq <= 500; seq += 1) {
    index.put({ room: ROOMS[0]!, seq, rev: 1, at: seq, author: USERS[0]!, facts: 0, text: "crane" });
    index.flush();
  }
  expect(index.parts().length).toBeLessThan(40);
  expect(index.extent(isAny).count).toBe(500);
});

test.each([
  ["⚠\uFE0FAchtung", "achtung"],
  ["❤\uFE0Fyou", "you"],
  ["☎\uFE0F555", "555"],
  ["1\uFE0F\u20E3First", "first"],
  ["ℹ\uFE0FInfo", "info"],
  ["葛\u{E0100}飾区", "葛飾"],
  ["葛飾区", "葛\u{E0100}飾"],
  ["ｶﾞｲﾄﾞ", "ガイド"],
  ["ガイド", "ｶﾞｲﾄﾞ"],
  ["カ\u3099イト\u3099", "ガイド"],
])("%s is found by %s", (text, word) => {
  const index = new SearchIndex();
  index.put({ room: ROOMS[0]!, seq: 1, rev: 1, at: 1, author: USERS[0]!, facts: 0, text });
  const asked: Query = { ...EVERYTHING, clauses: [{ isExcluded: false, ways: [runOf(word, true)!] }] };
  expect(index.find({ query: asked, order: "newest", limit: 1, now: 10 }, isAny).total).toBe(1);
});

/** In a message of its own in front of others. */
function indexBehind(long: string, texts: readonly string[]): [SearchIndex, Doc[]] {
  const docs = [long, ...texts].map((said, at): Doc => ({
    room: ROOMS[0]!,
    seq: at + 1,
    rev: 1,
    at: at + 1,
    author: USERS[0]!,
    facts: 0,
    text: said,
  }));
  const index = new SearchIndex();
  for (const made of docs) index.put(made);
  return [index, docs];
}

test("a text at its longest moves none of those behind it, though its letters fold to six places each", () => {
  const parts = fc.constantFrom("ำ", "㌖", "กำหนดการประชุมใหญ่สามัญประจำปี", "a ", "㌀京", "น้ำ 東京");
  const ends = fc.tuple(fc.nat(30), fc.integer({ min: 1, max: 4 }));
  const slices = fc.array(fc.oneof(ends, text), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(parts, slices, ends, fc.boolean(), (part, others, asking, isOpen) => {
      const long = part.repeat(TEXT_MAX_CHARS).slice(0, TEXT_MAX_CHARS);
      const cut = ([from, length]: readonly [number, number]): string => long.slice(from, from + length);
      const texts = others.map((other) => (typeof other === "string" ? other : cut(other)));
      const [index, docs] = indexBehind(long, texts);
      const way = runOf(cut(asking), isOpen);
      if (way === null) return;
      const asked: Query = { ...EVERYTHING, clauses: [{ isExcluded: false, ways: [way] }] };
      const expected = docs.filter((made) => isMatch(made, asked)).map(({ seq }) => seq);
      const { places } = index.find({ query: asked, order: "newest", limit: 99, now: 99 }, isAny);
      expect(places.map(({ seq }) => seq)).toEqual(expected.toReversed());
    }),
    { numRuns: 60 },
  );
});

test("a text longer than any that can be sent is found by what it begins with, and moves nothing", () => {
  const [index] = indexBehind(`crane ${"lift ".repeat(2 * PLACES_MAX)}`, [
    "lift the crane",
    "the crane",
    "a crane lift",
  ]);
  const seqsOf = (words: string): number[] => {
    const clauses = [{ isExcluded: false, ways: [runOf(words, false)!] }];
    const asked = { query: { ...EVERYTHING, clauses }, order: "newest" as const, limit: 9, now: 9 };
    return index.find(asked, isAny).places.map(({ seq }) => seq);
  };
  expect(seqsOf("crane")).toEqual([4, 3, 2, 1]);
  expect(seqsOf("lift")).toEqual([4, 2, 1]);
  expect(seqsOf("the crane")).toEqual([3, 2]);
  expect(seqsOf("crane lift")).toEqual([4, 1]);
});

test("only the rooms that are searched count", () => {
  const index = new SearchIndex();
  ROOMS.forEach((room, at) =>
    index.put({ room, seq: 1, rev: 1, at: 100 + at, author: USERS[0]!, facts: 0, text: "x" }),
  );
  expect(index.extent((room) => room !== ROOMS[0])).toEqual({ count: 2, oldestAt: 101 });
  expect(index.extent(() => false)).toEqual({ count: 0, oldestAt: null });
});
