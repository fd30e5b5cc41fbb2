/** A small run of `npm run simulate`, and its control: the big ones are for the command itself. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inRoot } from "../scripts/paths.ts";
import { readLines } from "../scripts/simulate/lines.ts";
import { parseOptions } from "../scripts/simulate/options.ts";
import { type Outcome, runScenario } from "../scripts/simulate/scenario.ts";
import { isFaulty } from "../scripts/simulate/verdict.ts";
import type { App } from "./rig/app.ts";
import { startApp } from "./rig/server.ts";

const SEED = 20_261_121;
const RUN_WITHIN_MS = 150_000;

let app: App;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

async function run(args: readonly string[], isForgetful: boolean): Promise<Outcome> {
  const options = parseOptions(args, SEED);
  return runScenario({
    options,
    lines: await readLines(inRoot("scripts", "simulate", "lines.ndjson"), options.messages),
    deployment: { url: app.url, restart: () => app.restart() },
    isForgetful,
    say: () => undefined,
    progress: () => undefined,
  });
}

describe("simulated people", () => {
  test(
    "find each message once and in order, on every device, after cuts and a kill",
    async () => {
      const args = ["--people", "4", "--messages", "60", "--channels", "2", "--cuts", "4", "--kills", "1"];
      const outcome = await run(args, false);
      expect(outcome.bugs).toEqual([]);
      expect(outcome.verdict).toMatchObject({ findings: [], written: 60, replicas: 5 });
      expect(outcome).toMatchObject({ cuts: 4, kills: 1 });
    },
    RUN_WITHIN_MS,
  );

  test(
    "find faults where clients forget their numbers and ids",
    async () => {
      const args = ["--people", "4", "--messages", "60", "--channels", "1", "--cuts", "12", "--kills", "0"];
      const outcome = await run(args, true);
      expect(isFaulty(outcome.verdict)).toBe(true);
    },
    RUN_WITHIN_MS,
  );
});
