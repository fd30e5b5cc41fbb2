import { describe, expect, test } from "vitest";
import { planOf, type PlanInput, type Step } from "./plan.ts";

const lines = Array.from({ length: 200 }, (_, at) => ({ nick: `n${at % 5}`, text: `line ${at}` }));
const input: PlanInput = {
  lines,
  personOf: (nick) => Number(nick.slice(1)),
  people: 5,
  channels: 4,
  cuts: 40,
  kills: 3,
  seed: 1,
  isMixed: true,
};

const ofKind = <Kind extends Step["do"]>(steps: readonly Step[], kind: Kind): Extract<Step, { do: Kind }>[] =>
  steps.filter((step): step is Extract<Step, { do: Kind }> => step.do === kind);

describe("the scenario", () => {
  const plan = planOf(input);
  const posts = ofKind(plan, "post");

  test("is the same for the same seed, and another for another", () => {
    expect(planOf(input)).toEqual(plan);
    expect(planOf({ ...input, seed: 2 })).not.toEqual(plan);
  });

  test("posts every line once, each by whoever said it", () => {
    expect(posts.map(({ text }) => text).toSorted()).toEqual(lines.map(({ text }) => text).toSorted());
    for (const { text, person } of posts) expect(person).toBe(Number(text.slice(5)) % 5);
  });

  test("keeps each channel's stretch of the file in its order", () => {
    for (const channel of [0, 1, 2, 3]) {
      const texts = posts.filter((post) => post.channel === channel).map(({ text }) => text);
      expect(texts).toEqual(lines.slice(channel * 50, (channel + 1) * 50).map(({ text }) => text));
    }
  });

  test("has as many cuts and kills as asked for, each cut before a post of whom it hits", () => {
    expect(ofKind(plan, "cut")).toHaveLength(40);
    expect(ofKind(plan, "kill")).toHaveLength(3);
    plan.forEach((step, at) => {
      if (step.do !== "cut") return;
      const next = plan.slice(at).find((later) => later.do === "post");
      expect(next).toMatchObject({ person: step.person });
    });
    expect(new Set(ofKind(plan, "cut").map(({ how }) => how)).size).toBe(4);
  });

  test("changes and answers only what stands before it, in the same channel", () => {
    const seen = new Map<number, number>();
    for (const step of plan) {
      if (step.do === "post") {
        if (step.root !== null) expect(seen.get(step.root)).toBe(step.channel);
        seen.set(step.key, step.channel);
      } else if ("key" in step) expect(seen.has(step.key)).toBe(true);
    }
    for (const kind of ["edit", "react"] as const) expect(ofKind(plan, kind).length).toBeGreaterThan(0);
    expect(posts.some(({ root }) => root !== null)).toBe(true);
  });

  test("nobody answers or marks what is removed", () => {
    const many = planOf({ ...input, lines: [...lines, ...lines, ...lines, ...lines, ...lines] });
    const removed = new Set(ofKind(many, "remove").map(({ key }) => key));
    expect(removed.size).toBeGreaterThan(0);
    for (const { key } of ofKind(many, "react")) expect(removed.has(key)).toBe(false);
    for (const { root } of ofKind(many, "post")) expect(root !== null && removed.has(root)).toBe(false);
  });

  test("can be posts and faults alone", () => {
    const kinds = new Set(planOf({ ...input, isMixed: false }).map((step) => step.do));
    expect(kinds).toEqual(new Set(["post", "cut", "kill"]));
  });

  test("works with more cuts than posts", () => {
    expect(ofKind(planOf({ ...input, lines: lines.slice(0, 3), cuts: 9 }), "cut")).toHaveLength(9);
  });
});
