import type { ChannelId, UserId } from "#protocol/ids.ts";
import { expect, test } from "vitest";
import { parseQuery, piecesOf, type Directory } from "./parse-query.ts";
import { readPeriod } from "./period.ts";
import { EVERYTHING, FACTS, type Query } from "./query.ts";

const NOW = new Date(2026, 10, 21, 12).getTime();
const user = (id: string): UserId => id as UserId;
const directory: Directory = {
  me: user("me"),
  people: [
    { user: user("me"), name: "Mara" },
    { user: user("a1"), name: "Ana Lima" },
    { user: user("a2"), name: "Anatol" },
    { user: user("z"), name: "Zoë" },
  ],
  channels: [
    { id: "g" as ChannelId, name: "general" },
    { id: "s" as ChannelId, name: "site-b" },
  ],
};
const parse = (typed: string) => parseQuery(typed, directory, NOW);
const queryOf = (typed: string): Query => parse(typed).query!;
const day = (year: number, month: number, date: number): number => new Date(year, month - 1, date).getTime();
const open = (...terms: string[]) => ({ terms, isOpen: true });
const whole = (...terms: string[]) => ({ terms, isOpen: false });
const clausesOf = (typed: string) => queryOf(typed).clauses.map(({ ways }) => ways);

test("words are found by their beginning, phrases as they stand, what is left out as typed", () => {
  expect(clausesOf('crane "lift plan"')).toEqual([[open("crane")], [whole("lift", "plan")]]);
  expect(clausesOf('"lift pl')).toEqual([[open("lift", "pl")]]);
  expect(clausesOf("“lift plan”")).toEqual([[whole("lift", "plan")]]);
  expect(queryOf("-art").clauses).toEqual([{ isExcluded: true, ways: [whole("art")] }]);
  expect(clausesOf("apt-get")).toEqual([[open("apt", "get")]]);
});

test("a name is also a mention of who is called so, by any part of it, and inside a phrase", () => {
  expect(clausesOf("lim")).toEqual([[open("lim"), whole("@a1")]]);
  expect(clausesOf("ana")).toEqual([[open("ana"), whole("@a1"), whole("@a2")]]);
  expect(clausesOf("@zoe")).toEqual([[open("zoe"), whole("@z")]]);
  expect(clausesOf('"thanks ana lima"')).toEqual([[whole("thanks", "ana", "lima"), whole("thanks", "@a1")]]);
  expect(clausesOf("a")).toEqual([[open("a")]]);
});

test.each<[string, Partial<Query>]>([
  ["from:me", { from: [user("me")] }],
  ["from:@zoe", { from: [user("z")] }],
  ["from:an", { from: [user("a1"), user("a2")] }],
  ['from:"Ana Lima"', { from: [user("a1")] }],
  ["-from:me", { notFrom: [user("me")] }],
  ["from:me from:zoë", { from: [user("me"), user("z")] }],
  ["in:#general", { in: ["g" as ChannelId] }],
  ["in:site", { in: ["s" as ChannelId] }],
  ["-in:general", { notIn: ["g" as ChannelId] }],
  ["has:link has:code", { has: FACTS.link | FACTS.code }],
  ["has:links", { has: FACTS.link }],
  ["-has:file", { hasNot: FACTS.file }],
  ["is:thread", { has: FACTS.thread }],
  ["before:2023-03-12", { until: day(2023, 3, 12) }],
  ["after:2023-03-12", { since: day(2023, 3, 13) }],
  ["-after:2023-03-12", { until: day(2023, 3, 13) }],
  ["on:2023-03", { since: day(2023, 3, 1), until: day(2023, 4, 1) }],
  ["after:2022 before:2024", { since: day(2023, 1, 1), until: day(2024, 1, 1) }],
  ["on:yesterday", { since: day(2026, 11, 20), until: day(2026, 11, 21) }],
  ["on:Today", { since: day(2026, 11, 21), until: day(2026, 11, 22) }],
])("%s asks for %j", (typed, expected) => {
  expect(parse(typed).faults).toEqual([]);
  expect(queryOf(typed)).toEqual({ ...EVERYTHING, ...expected });
});

test.each([
  ["from:quentin", { fault: "nobody", name: "quentin" }],
  ["in:#nowhere", { fault: "no-channel", name: "nowhere" }],
  ["has:money", { fault: "bad-has", value: "money" }],
  ["is:red", { fault: "bad-is", value: "red" }],
  ["before:soon", { fault: "bad-date", value: "soon" }],
  ["before:2023-02-30", { fault: "bad-date", value: "2023-02-30" }],
  ["after:2023-13", { fault: "bad-date", value: "2023-13" }],
])("%s says what is wrong and finds nothing", (typed, fault) => {
  expect(parse(`crane ${typed}`)).toEqual({ query: null, faults: [fault] });
});

test("what looks like a filter and is none is searched as text, and said", () => {
  expect(parse("form:ana")).toMatchObject({ faults: [{ fault: "not-a-filter", name: "form" }] });
  expect(clausesOf("form:xyz")).toEqual([[open("form", "xyz")]]);
  for (const typed of ["https://example.org/a", "12:30", "std::vector", ":tada:"])
    expect(parse(typed).faults).toEqual([]);
});

test("half of a filter is no fault while it is typed, and doesn't hide what else is asked", () => {
  for (const half of ["from:", "in:", "has:li", "is:th", "before:20", "before:2023-", "before:2023-0", "on:yest"])
    expect(parse(`crane ${half}`)).toMatchObject({ query: { clauses: [{}], since: null }, faults: [] });
  expect(parse("from:").query).toBeNull();
  expect(parse("  ").query).toBeNull();
  expect(parse('"').query).toBeNull();
});

test("pieces know where they stand", () => {
  const typed = 'lift  -from:"Ana Lima" in:';
  expect(piecesOf(typed).map(({ from, to, filter }) => [typed.slice(from, to), filter])).toEqual([
    ["lift", null],
    ['-from:"Ana Lima"', "from"],
    ["in:", "in"],
  ]);
});

test("a day of 23 hours is a day", () => {
  const period = readPeriod("2026-03-29", NOW);
  expect(period).toEqual({ from: day(2026, 3, 29), to: day(2026, 3, 30) });
});
