import { describe, expect, it } from "vitest";
import { episodeSeed, isKilled, parseOptions } from "./options.ts";

describe("npm run faults", () => {
  it("has a campaign of its own for each seed", () => {
    expect(parseOptions([])).toEqual({ runs: 3_000, seed: 1, workers: 2, state: ".state/faults-1.json", only: null });
    expect(parseOptions(["--runs", "60", "--seed", "9"])).toMatchObject({ runs: 60, state: ".state/faults-9.json" });
    expect(parseOptions(["--state", "elsewhere.json", "--workers", "1"])).toMatchObject({
      state: "elsewhere.json",
      workers: 1,
    });
  });

  it("plays a single episode again as it was: the same seed, and killed if it was killed", () => {
    const seeds = Array.from({ length: 40 }, (_, index) => episodeSeed(3, index));
    expect(seeds.filter(isKilled)).toEqual([3_000_019, 3_000_039]);
    expect(parseOptions(["--only", "3000019"]).only).toBe(3_000_019);
  });

  it.each([["--runs", "0"], ["--seed", "x"], ["--workers", ""], ["--unknown"]])("refuses %s %s in words", (...args) => {
    expect(() => parseOptions(args)).toThrow(/./);
  });
});
