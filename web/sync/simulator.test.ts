// The whole client and the real rooms through seeded storms (web/test/campaign). Every run must end with every text in
// its room once, in the order in which each device wrote it, every replica equal and every outbox empty. The controls,
// each a mechanism taken away, must fail. Seeds that once failed are beside it, for two processes to share the time.
// `npm run sim -- --runs 1000 --seed 1` plays many.
import { describe, expect, it } from "vitest";
import { run } from "../test/campaign/run.ts";
import { CONTROLS } from "../test/campaign/sabotage.ts";

const SMOKE = Array.from({ length: 24 }, (_, i) => 1_001 + i);
/** Runs in which drafts that several devices send are one message: with any change of the client, in some of them still. */
const DRAFTED = [2_175, 999_002, 999_006, 999_022, 999_026, 999_027, 999_032, 999_034];
/** Runs in which people sign out, with what waits and without, and are back. In the first a topic was dropped with an ok. */
const LEFT = [1_119, 1_152, 1_217, 1_413, 1_225, 1_251, 1_568];
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

  it("[OP18] makes one message of a draft that several devices send, and of all else what was said", async () => {
    const outcomes = [];
    for (const seed of DRAFTED) outcomes.push(await run({ seed, drafts: true }));
    expect(outcomes.flatMap(({ broken }) => broken)).toEqual([]);
    expect(outcomes.some(({ counts }) => (counts["taken for another"] ?? 0) > 0)).toBe(true);
  }, 240_000);

  it("has all of it there once, in order, after people signed out with what waited and came back", async () => {
    const outcomes = [];
    for (const seed of LEFT) outcomes.push(await run({ seed, leaves: true }));
    expect(outcomes.flatMap(({ broken }) => broken)).toEqual([]);
    const kinds = ["signed out", "kept what waits", "discarded by leaving"];
    for (const kind of kinds) expect(outcomes.some(({ counts }) => (counts[kind] ?? 0) > 0)).toBe(true);
  }, 240_000);

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
