/**
 * `npm run simulate`: people post real lines over a network that breaks, to a server that is killed, and a verdict
 * says what became of them. See simulate/options.ts for what can be asked for.
 */
import { basename, resolve } from "node:path";
import { launchApp } from "../e2e/rig/app.ts";
import { makeSnapshot } from "../e2e/rig/snapshot.ts";
import { inRoot } from "./paths.ts";
import { readLines } from "./simulate/lines.ts";
import { type Options, parseOptions, shorter, USAGE } from "./simulate/options.ts";
import { type Deployment, type Outcome, runScenario } from "./simulate/scenario.ts";
import { describe, isClean, isFaulty } from "./simulate/verdict.ts";
import { scratchFolder, withUndo } from "./undo.ts";

const options = await orExit(() =>
  parseOptions(process.argv.slice(2), crypto.getRandomValues(new Uint32Array(1))[0] ?? 0),
);
const file = options.from === null ? inRoot("scripts", "simulate", "lines.ndjson") : resolve(options.from);
const lines = await orExit(() => readLines(file, options.messages));
const isGood = await withUndo(async (undo) => {
  const deployment = await deploy(options, undo);
  const isAsPromised = await simulate(options, deployment);
  if (options.keep) await stayed();
  return isAsPromised;
});
// Sockets of clients that are still trying would keep the process.
process.exit(isGood ? 0 : 1);

async function simulate(asked: Options, deployment: Deployment): Promise<boolean> {
  if (asked.control === "only") return runControl(asked, deployment);
  const isAsPromised = await run(asked, deployment);
  return asked.control === "none" ? isAsPromised : (await runControl(shorter(asked), deployment)) && isAsPromised;
}

async function deploy({ url }: Options, undo: (step: () => unknown) => void): Promise<Deployment> {
  if (url !== null) return { url, restart: null };
  say("Building and starting a server of our own");
  const folder = scratchFolder(undo, "simulate");
  const app = await launchApp(await makeSnapshot(folder));
  undo(() => app.stop());
  return { url: app.url, restart: () => app.restart() };
}

async function run(asked: Options, deployment: Deployment): Promise<boolean> {
  const outcome = await play(asked, deployment, false);
  const { verdict, cuts, kills, settledMs, bugs } = outcome;
  report(outcome);
  say(
    `${describe(verdict)}; ${cuts} cuts, ${kills} kills; all in place ${(settledMs / 1_000).toFixed(1)} s after the last was mended`,
  );
  const isWhole = cuts >= asked.cuts && kills >= asked.kills;
  if (!isWhole) say(`Not all faults could be put in: ${cuts} of ${asked.cuts} cuts, ${kills} of ${asked.kills} kills`);
  return isClean(verdict) && isWhole && bugs.length === 0;
}

async function runControl(asked: Options, deployment: Deployment): Promise<boolean> {
  say("");
  say("Control: the same without numbers and id check, sending again in no order");
  const { verdict } = await play(asked, deployment, true);
  const { lost, doubled, outOfOrder } = verdict;
  const isProven = isFaulty(verdict);
  say(
    isProven
      ? `The harness can fail: of ${verdict.written} the control showed ${lost} lost, ${doubled} doubled, ${outOfOrder} out of order`
      : `The control showed no fault: this run proves nothing (${describe(verdict)})`,
  );
  return isProven;
}

async function play(asked: Options, deployment: Deployment, isForgetful: boolean): Promise<Outcome> {
  const { people, messages, channels, cuts, kills, seed } = asked;
  say(
    `${people} people, ${messages} messages of ${basename(file)}, ${channels} channels, ${cuts} cuts, ${kills} kills, seed ${seed}`,
  );
  return runScenario({ options: asked, lines: lines.slice(0, messages), deployment, isForgetful, say, progress: say });
}

function report({ verdict, bugs }: Outcome): void {
  for (const finding of verdict.findings) say(`  ${finding}`);
  for (const bug of bugs)
    say(`  a client reported: ${bug instanceof Error ? (bug.stack ?? bug.message) : String(bug)}`);
}

function stayed(): Promise<void> {
  say("The server stays up; Ctrl-C ends it");
  return new Promise(() => undefined);
}

/** What was asked for can't be done: said in a sentence, before anything is built. */
async function orExit<Value>(attempt: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await attempt();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}\n`);
    process.exit(2);
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
