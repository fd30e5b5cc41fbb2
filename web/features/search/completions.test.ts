import type { ChannelId, UserId } from "#protocol/ids.ts";
import { expect, test } from "vitest";
import { parseQuery, type Directory } from "../../sync/search/parse-query.ts";
import { completionsAt } from "./completions.ts";

const NOW = new Date(2026, 10, 21, 12).getTime();
const directory: Directory = {
  me: "me" as UserId,
  people: ["Mara", "Ana Lima", "Zoë"].map((name, at) => ({ user: `u${at}` as UserId, name })),
  channels: ["general", "site-b", "offsite"].map((name) => ({ id: name as ChannelId, name })),
};
const inserts = (typed: string, caret = typed.length): readonly string[] | null =>
  completionsAt(typed, caret, directory, NOW)?.options.map(({ insert }) => insert) ?? null;

test.each([
  ["fr", ["from:"]],
  ["-ha", ["-has:"]],
  ["be", ["before:"]],
  ["f", null],
  ["from", null],
  ["crane", null],
  ['"fr', null],
  ["from:", ["from:me ", 'from:"Ana Lima" ', "from:Mara ", "from:Zoë "]],
  ["from:@lim", ['from:"Ana Lima" ']],
  ["from:zoe", ["from:Zoë "]],
  ["from:Zoë", null],
  ["-in:#site", ["-in:site-b ", "-in:offsite "]],
  ["has:", ["has:link ", "has:code ", "has:reaction ", "has:pin ", "has:file "]],
  ["is:t", ["is:thread "]],
  ["before:", ["before:today ", "before:yesterday ", "before:2026-11 ", "before:2026 "]],
  ["nonsense:x", null],
  ["", null],
])("%s offers %j", (typed, expected) => expect(inserts(typed)).toEqual(expected));

test("it is the word at the caret that is completed", () => {
  expect(completionsAt("crane fr lift", 8, directory, NOW)).toMatchObject({ from: 6, to: 8 });
  expect(inserts("crane fr lift", 3)).toBeNull();
  expect(inserts("crane fr lift", 6)).toBeNull();
});

test.each(['Ann "AJ" Reed', "Ann “AJ” Reed", 'AJ" Reed', "«Reed»", "Ann Reed"])(
  "what is offered for %s is a filter for them",
  (name) => {
    const ann = "ann" as UserId;
    const people = [...directory.people, { user: ann, name }, { user: "other" as UserId, name: "Ann" }];
    const known = { ...directory, people };
    const typed = "from:reed";
    const [option] = completionsAt(typed, typed.length, known, NOW)!.options;
    expect(option!.label).toBe(name);
    expect(parseQuery(`${option!.insert}crane`, known, NOW)).toMatchObject({ faults: [], query: { from: [ann] } });
  },
);
