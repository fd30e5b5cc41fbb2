/** Ten episodes of the campaign (`npm run faults`), one of them in a browser that is killed, and its two controls. */
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { isClean } from "../../scripts/faults/judge.ts";
import { episodeSeed, isKilled } from "../../scripts/faults/options.ts";
import { startWorker, type Worker } from "../../scripts/faults/worker.ts";
import { withoutLimits } from "../../scripts/faults/world.ts";

const SEED = 2_026;
/** From the tenth on: the last of them is the twentieth. */
const FIRST = 10;
const COUNT = 10;
const PLAYED_WITHIN_MS = 150_000;
/** Episodes within which a client that forgets has shown it: about every second one happens to hide it. */
const CONTROLS = 12;

let worker: Worker;

beforeAll(() => {
  worker = startWorker(withoutLimits(inject("snapshot")));
});
afterAll(() => worker.close());

describe("random episodes: nothing lost, doubled, out of order, refused, or shown as sent too early; each as edited last", () => {
  const seeds = Array.from({ length: COUNT }, (_, at) => episodeSeed(SEED, FIRST + at));
  const changed = { episodes: 0, edited: 0, deleted: 0 };
  test.for(seeds)("episode %i", { timeout: PLAYED_WITHIN_MS }, async (seed) => {
    const { verdict } = await worker.play({ seed, isKilled: isKilled(seed), control: null });
    expect(verdict).toMatchObject({ lost: 0, doubled: 0, outOfOrder: 0, refused: 0, early: 0, findings: [] });
    expect(verdict.messages).toBeGreaterThanOrEqual(34);
    changed.episodes += 1;
    changed.edited += verdict.edited;
    changed.deleted += verdict.deleted;
  });

  test("in which messages were edited and deleted, too", ({ skip }) => {
    skip(changed.episodes < COUNT, "Some of them were left out.");
    expect(changed.edited).toBeGreaterThan(COUNT);
    expect(changed.deleted).toBeGreaterThan(0);
  });

  test.for(["again", "never"] as const)(
    "the judge finds a client that forgets: %s",
    { timeout: PLAYED_WITHIN_MS * CONTROLS },
    async (control) => {
      for (let at = 0; at < CONTROLS; at += 1) {
        const { verdict } = await worker.play({ seed: episodeSeed(SEED, at), isKilled: false, control });
        if (!isClean(verdict) && verdict.lost + verdict.doubled + verdict.outOfOrder > 0) return;
      }
      expect.fail(`No fault in ${CONTROLS} episodes`);
    },
  );
});
