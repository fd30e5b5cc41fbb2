import { describe, expect, test } from "vitest";
import { mentionBeingTyped, type Selected } from "./edits.ts";
import { difference, toggleCode, toggleMark } from "./format.ts";
import { completeMention, peopleToOffer } from "./mention.ts";

/** `[` and `]` stand for the ends of the selection. */
function selected(sketch: string): Selected {
  const from = sketch.indexOf("[");
  const to = sketch.indexOf("]") - 1;
  return { text: sketch.replace("[", "").replace("]", ""), from, to };
}

function sketch({ text, from, to }: Selected): string {
  return `${text.slice(0, from)}[${text.slice(from, to)}]${text.slice(to)}`;
}

describe("marks", () => {
  test.each([
    ["a [b] c", "**", "a **[b]** c"],
    ["a **[b]** c", "**", "a [b] c"],
    ["a [b ]c", "**", "a **[b]** c"],
    ["a []", "*", "a *[]*"],
    ["*[a]*", "*", "[a]"],
    ["**[a]**", "*", "***[a]***"],
    ["***[a]***", "*", "**[a]**"],
  ])("%s by %s becomes %s", (before, mark, after) => {
    expect(sketch(toggleMark(selected(before), mark))).toBe(after);
  });

  test.each([
    ["a [b] c", "a `[b]` c"],
    ["a `[b]` c", "a [b] c"],
    ["[a\nb]", "```\n[a\nb]\n```"],
    ["x [a\nb\n]y", "x \n```\n[a\nb\n]```y"],
  ])("%j as code becomes %j", (before, after) => {
    expect(sketch(toggleCode(selected(before)))).toBe(after);
  });
});

describe("mentions", () => {
  test.each([
    ["@", { at: 0, typed: "" }],
    ["hi @an", { at: 3, typed: "an" }],
    ["hi (@Ana Ma", { at: 4, typed: "Ana Ma" }],
    ["me@an", null],
    ["@ana said some", null],
    ["@Øyvind", { at: 0, typed: "Øyvind" }],
    ["plain", null],
  ])("at the end of %j: %j", (text, query) => {
    expect(mentionBeingTyped(text)).toEqual(query);
  });

  test("the name takes the place of what was typed, with a space behind it", () => {
    const text = "hi @an";
    expect(sketch(completeMention({ text, from: 6, to: 6 }, { at: 3, typed: "an" }, "@Ana"))).toBe("hi @Ana []");
    expect(sketch(completeMention({ text: "hi @an now", from: 6, to: 6 }, { at: 3, typed: "an" }, "@Ana"))).toBe(
      "hi @Ana[] now",
    );
  });

  test("people are found by the beginning of any word of their name, whatever its accents", () => {
    const people = ["Bo", "Maria Ana", "Anä", "Zana"].map((name) => ({ name }));
    const offered = (settled: string | null): string[] =>
      peopleToOffer(people, { at: 3, typed: "an" }, "hi @an", settled).map(({ name }) => name);
    expect(offered(null)).toEqual(["Anä", "Maria Ana"]);
    // Chosen or dismissed for what stood before it; for what stands here, none.
    expect(offered("hi")).toEqual(["Anä", "Maria Ana"]);
    expect(offered("hi @a")).toEqual([]);
  });
});

describe("what has to be put in the place of what", () => {
  test.each([
    ["a b c", "a **b** c", { from: 2, to: 3, put: "**b**" }],
    ["a **b** c", "a b c", { from: 2, to: 7, put: "b" }],
    ["a", "aa", { from: 1, to: 1, put: "a" }],
    ["aa", "a", { from: 1, to: 2, put: "" }],
    ["same", "same", { from: 4, to: 4, put: "" }],
    ["", "new", { from: 0, to: 0, put: "new" }],
  ])("%j to %j", (text, next, expected) => {
    expect(difference(text, next)).toEqual(expected);
  });
});
