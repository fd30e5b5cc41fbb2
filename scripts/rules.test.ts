import { expect, test } from "vitest";
import { idsOfTitles, ruleProblems } from "./rules.ts";

/** Brackets are put on here, so that no string of this file looks like a title that names a rule. */
const id = (name: string): string => `[${name}]`;
const title = (names: string[], quote = '"'): string => `test(${quote}${names.map(id).join(" ")} holds${quote}, f);`;

const rules = [
  `Text.\n- ${id("ZZ1")} one thing. - ${id("ZZ2")} another, see ${id("ZZ1")}.`,
  `| ${id("YY10")} a row | x |`,
];

const problemsOf = (notBuilt: string, ...tests: string[]): string[] =>
  ruleProblems({ rules, notBuilt, tests: new Map(tests.map((source, n) => [`t${n}.test.ts`, source])) });

test("a rule without a test and without a listed reason is a problem", () => {
  expect(problemsOf("", title(["ZZ1"]))).toEqual([`${id("YY10")} has no test`, `${id("ZZ2")} has no test`]);
});

test("tested and listed rules are fine, in any quotes and several in one title", () => {
  expect(problemsOf(`# Not built\n\n- ${id("YY10")} comes later`, title(["ZZ1", "ZZ2"], "`"))).toEqual([]);
});

test("a rule listed as not built must be untested, real, single and have a reason", () => {
  const list = ["ZZ1] later", "YY10]", "ZZ2] later", "ZZ2] later", "XX1] never was"]
    .map((line) => `- [${line}`)
    .join("\n");
  expect(problemsOf(list, title(["ZZ1"]))).toEqual([
    `${id("XX1")} is listed as not built, but no such rule exists`,
    `${id("YY10")} is listed as not built without a reason`,
    `${id("ZZ1")} is listed as not built, but t0.test.ts tests it`,
    `${id("ZZ2")} is listed as not built twice`,
  ]);
});

test("a test that names an unknown rule is a problem", () => {
  const list = ["ZZ1", "ZZ2", "YY10"].map((name) => `- ${id(name)} later`).join("\n");
  expect(problemsOf(list, title(["ZZ9"]))).toEqual([`${id("ZZ9")} is named by t0.test.ts, but no such rule exists`]);
});

test("a title in a table counts; an id in a comment or inside a text doesn't", () => {
  expect(idsOfTitles(`const rows = [["${id("ZZ1")} first", 1], ['${id("ZZ2")} ${id("ZZ3")} second', 2]];`)).toEqual([
    "ZZ1",
    "ZZ2",
    "ZZ3",
  ]);
  expect(idsOfTitles(`// ${title(["ZZ1"])}\n/* ${title(["ZZ2"])} */\ntest("as in ${id("ZZ2")}", f)`)).toEqual([]);
});
