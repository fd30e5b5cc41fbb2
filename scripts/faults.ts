/**
 * `npm run faults`: the long campaign. Seeded episodes in real Chromium against `wrangler dev`, over a proxy that breaks
 * the line in every way; see faults/options.ts for what can be asked for, and docs/reliability.md for what came of it.
 */
import { makeSnapshot } from "../e2e/rig/snapshot.ts";
import { isClean } from "./faults/judge.ts";
import { episodeSeed, isKilled, type Options, parseOptions, USAGE } from "./faults/options.ts";
import { count, isFaulty, note, openTally, saveTally, table, type Tally } from "./faults/tally.ts";
import { startWorker, type Worker } from "./faults/worker.ts";
import { withoutLimits } from "./faults/world.ts";
import { scratchFolder, withUndo } from "./undo.ts";

/** Enough for a fault to show in a client that forgets. */
const CONTROL_EPISODES = 6;
const SAVED_EVERY = 5;
/** An episode that the rig couldn't play is played again, so often. */
const TRIES = 3;

const options = optionsOrExit();
const isGood = await withUndo(async (undo) => {
  const folder = scratchFolder(undo, "faults");
  say("Building");
  const snapshot = withoutLimits(await makeSnapshot(folder));
  const workers = Array.from({ length: options.only === null ? options.workers : 1 }, () => startWorker(snapshot));
  undo(() => Promise.all(workers.map((worker) => worker.close())));
  return options.only === null ? campaign(options, workers) : replay(options.only, workers[0]!);
});
process.exit(isGood ? 0 : 1);

async function replay(episode: number, worker: Worker): Promise<boolean> {
  const { plan, verdict } = await worker.play({ seed: episode, isKilled: isKilled(episode), control: null });
  for (const step of plan.steps) say(JSON.stringify(step));
  for (const finding of verdict.findings) say(finding);
  say(isClean(verdict) ? `${verdict.messages} messages, nothing found` : `Failed`);
  return isClean(verdict);
}

async function campaign(asked: Options, workers: readonly Worker[]): Promise<boolean> {
  const tally = openTally(asked.state, asked.seed);
  const played = new Set(tally.played);
  const due = Array.from({ length: asked.runs }, (_, index) => index).filter((index) => !played.has(index));
  const before = tally.seconds;
  const begun = performance.now();
  const save = (): void => {
    tally.seconds = before + (performance.now() - begun) / 1_000;
    saveTally(asked.state, tally);
  };
  say(`${asked.runs} episodes of seed ${asked.seed}, ${played.size} of them played before, ${workers.length} workers`);
  await controls(tally, workers[0]!);
  save();
  await Promise.all(
    workers.map(async (worker) => {
      for (let index = due.shift(); index !== undefined; index = due.shift()) {
        await playOne(tally, worker, index);
        if (tally.played.length % SAVED_EVERY === 0) {
          save();
          progress(tally, asked);
        }
      }
    }),
  );
  save();
  say("");
  say(table(tally));
  for (const { episode, findings } of tally.failures) {
    say(`Failed: npm run faults -- --only ${episode}`);
    for (const finding of findings.slice(0, 5)) say(`  ${finding}`);
  }
  for (const { episode, why } of tally.broken) say(`Broken off: ${episode}: ${why.split("\n")[0]}`);
  const isProven = isFaulty(tally.controls.again) && isFaulty(tally.controls.never);
  if (!isProven) say("A control showed no fault: this run proves nothing");
  return tally.failures.length === 0 && tally.played.length >= asked.runs && isProven;
}

async function playOne(tally: Tally, worker: Worker, index: number): Promise<void> {
  const seed = episodeSeed(tally.seed, index);
  for (let tries = 1; tries <= TRIES; tries += 1) {
    try {
      const episode = await worker.play({ seed, isKilled: isKilled(seed), control: null });
      if (!isClean(episode.verdict)) say(`Failed: ${seed}: ${episode.verdict.findings.slice(0, 3).join("; ")}`);
      return note(tally, index, episode, isKilled(seed));
    } catch (error) {
      const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
      say(`Broken off: ${seed}: ${why}`);
      tally.broken.push({ episode: seed, why });
    }
  }
}

/** The same episodes by clients that forget; until they have failed there is nothing to count on. */
async function controls(tally: Tally, worker: Worker): Promise<void> {
  for (const control of ["again", "never"] as const) {
    const counts = tally.controls[control];
    for (let index = 0; index < CONTROL_EPISODES && !isFaulty(counts); index += 1) {
      const episode = await worker
        .play({ seed: episodeSeed(tally.seed, index), isKilled: false, control })
        .catch((error: unknown) => {
          say(`Broken off: control ${control}: ${String(error)}`);
          return null;
        });
      if (episode !== null) count(counts, episode.verdict);
    }
    say(
      `Control "${control}": ${counts.lost} lost, ${counts.doubled} doubled, ${counts.outOfOrder} out of order of ${counts.messages}`,
    );
  }
}

function progress({ open, killed, failures, broken, seconds }: Tally, { runs }: Options): void {
  const done = open.runs + killed.runs;
  say(
    `${done}/${runs}  ${open.messages + killed.messages} messages  ${failures.length} failed  ${broken.length} broken off  ${(seconds / Math.max(1, done)).toFixed(1)} s each`,
  );
}

function optionsOrExit(): Options {
  try {
    return parseOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}\n`);
    process.exit(2);
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
