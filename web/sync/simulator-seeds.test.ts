// The seeds that once failed, as simulator.test.ts plays its own.
import { describe, expect, it } from "vitest";
import { run } from "../test/campaign/run.ts";
import { FLAPPING_SEEDS, SEEDS } from "../test/campaign/seeds.ts";

describe("the simulator", () => {
  it.each(SEEDS)(
    "once failed with seed %i: %s",
    async (seed) => {
      expect((await run({ seed })).broken).toEqual([]);
    },
    240_000,
  );

  it.each(FLAPPING_SEEDS)(
    "[AU4] [RV5] once failed with seed %i and --flaps: %s",
    async (seed) => {
      expect((await run({ seed, flaps: true })).broken).toEqual([]);
    },
    240_000,
  );
});
