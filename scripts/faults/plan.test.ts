import { describe, expect, it } from "vitest";
import { MESSAGES_MIN, planOf, type Plan, type Step } from "./plan.ts";

const SEEDS = Array.from({ length: 200 }, (_, seed) => seed);
const plan = (seed: number, isKilled = false): Plan => planOf(seed, { people: 2, isKilled });
const textsOf = ({ steps }: Plan): string[] => steps.flatMap((step) => (step.do === "say" ? step.texts : []));

describe("the plan of an episode", () => {
  it("is the same for the same seed, and another for another", () => {
    expect(plan(7)).toEqual(plan(7));
    expect(plan(7).steps).not.toEqual(plan(8).steps);
  });

  it("has at least so many messages, no two of them alike", () => {
    for (const seed of SEEDS) {
      const texts = textsOf(plan(seed));
      expect(texts.length).toBeGreaterThanOrEqual(MESSAGES_MIN);
      expect(texts).toHaveLength(plan(seed).messageCount);
      expect(new Set(texts.map((text) => text.split(" ")[0])).size).toBe(texts.length);
    }
  });

  it("breaks something in every episode, and one line in one way at a time", () => {
    for (const seed of SEEDS) {
      const broken = new Set<number>();
      let breaks = 0;
      for (const step of plan(seed).steps) {
        if (step.do === "break") {
          expect(broken.has(step.who)).toBe(false);
          broken.add(step.who);
          breaks += 1;
        }
        if (step.do === "mend") broken.delete(step.who);
      }
      expect(breaks).toBeGreaterThan(0);
    }
  });

  it("has most episodes edit something, and many delete something", () => {
    const seedsThat = (what: Step["do"]): number =>
      SEEDS.filter((seed) => plan(seed).steps.some((step) => step.do === what)).length;
    expect(seedsThat("edit")).toBeGreaterThan(SEEDS.length / 2);
    expect(seedsThat("delete")).toBeGreaterThan(SEEDS.length / 4);
  });

  it("kills the browser once, in the middle, where it is asked to", () => {
    for (const seed of SEEDS) {
      const { steps } = plan(seed, true);
      expect(steps.filter((step) => step.do === "kill")).toHaveLength(1);
      const before = steps.slice(
        0,
        steps.findIndex((step) => step.do === "kill"),
      );
      expect(before.some((step) => step.do === "say")).toBe(true);
      expect(plan(seed).steps.some((step) => step.do === "kill")).toBe(false);
    }
  });
});
