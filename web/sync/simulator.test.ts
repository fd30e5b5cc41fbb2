// The whole client and the real rooms through seeded storms (web/test/campaign). Every run must end with every text in
// its room once, in the order in which each device wrote it, every replica equal and every outbox empty. The controls,
// each a mechanism taken away, must fail. Seeds that once failed are beside it, for two processes to share the time.
// `npm run sim -- --runs 1000 --seed 1` plays many.
import { describe, expect, it } from "vitest";
import { run } from "../test/campaign/run.ts";
import { CONTROLS } from "../test/campaign/sabotage.ts";

const SMOKE = Array.from({ length: 24 }, (_, i) => 1_001 + i);
/** A control is judged over several seeds: a kind one proves nothing. */
const CONTROL_SEEDS = Array.from({ length: 12 }, (_, i) => 1 + i);

describe("the simulator", () => {
  it.each(SMOKE)(
    "[OP7] [OP8] [SY1] [RV6] loses, doubles and disorders nothing, and all replicas end equal (seed %i)",
    async (seed) => {
      expect((await run({ seed })).broken).toEqual([]);
    },
    240_000,
  );

  it("is the same run twice", async () => {
    const [first, second] = [await run({ seed: 7 }), await run({ seed: 7 })];
    expect(second).toEqual(first);
  }, 240_000);

  it.each(Object.keys(CONTROLS))(
    "fails where a mechanism is taken away: %s",
    async (control) => {
      for (const seed of CONTROL_SEEDS) {
        const sabotage = CONTROLS[control]?.();
        if (sabotage !== undefined && (await run({ seed, sabotage })).broken.length > 0) return;
      }
      expect.unreachable(`nothing was seen of ${control}`);
    },
    600_000,
  );
});
