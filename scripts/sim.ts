/**
 * `npm run sim -- --runs 1000 --seed 1`: that many seeded runs of the simulator (web/test/campaign), in two processes,
 * with the controls that must fail, and a table of it. `--replay 17` tells one run line by line; `--shrink 17` finds
 * the least of it that still fails; `--control <name>` plays one with a mechanism taken away; with `--frees` history makes
 * way on devices now and then; with `--flaps` people are taken out of private channels and put back while they write;
 * with `--drafts` drafts are sent from several devices of a person; with `--leaves` people sign out with what waits.
 */
import { fork, type ChildProcess } from "node:child_process";
import { parseArgs } from "node:util";
import { inRoot } from "./paths.ts";

interface Outcome {
  readonly seed: number;
  readonly broken: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly said: number;
  readonly frames: number;
  readonly virtualMs: number;
}

/** As web/test/campaign/process.ts takes it. */
interface Asked {
  readonly seed: number;
  readonly control: string | null;
  readonly modes: Readonly<Record<"frees" | "flaps" | "drafts" | "leaves", boolean>>;
  readonly isLoud: boolean;
  readonly shrinks: boolean;
}

interface Reply {
  readonly outcome: Outcome;
  readonly kept?: readonly number[];
}

const PROCESSES = 2;
/** A control is judged over so many seeds: a kind one proves nothing, and two of the faults show in one out of ten. */
const CONTROL_SEEDS = 36;
const CONTROLS = ["no-numbers", "no-resend", "gaps-passed-over", "ack-before-write"] as const;

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    processes: { type: "string", default: String(PROCESSES) },
    replay: { type: "string" },
    shrink: { type: "string" },
    control: { type: "string" },
    frees: { type: "boolean", default: false },
    flaps: { type: "boolean", default: false },
    drafts: { type: "boolean", default: false },
    leaves: { type: "boolean", default: false },
    "no-controls": { type: "boolean", default: false },
  },
});

const { frees, flaps, drafts, leaves } = values;
const modes = { frees, flaps, drafts, leaves };
const one = values.replay ?? values.shrink;
process.exitCode = one === undefined ? await campaign() : await single(Number(one));

async function single(seed: number): Promise<number> {
  const child = start();
  const shrinks = values.shrink !== undefined;
  const { outcome, kept } = await ask(child, {
    seed,
    control: values.control ?? null,
    modes,
    isLoud: true,
    shrinks,
  });
  child.kill();
  say(JSON.stringify(outcome, null, 2));
  if (kept !== undefined) say(`Steps that matter: ${kept.join(", ")}`);
  return outcome.broken.length === 0 ? 0 : 1;
}

async function campaign(): Promise<number> {
  const [runs, first, processes] = [values.runs, values.seed, values.processes].map(Number) as [number, number, number];
  const started = performance.now();
  const seeds = Array.from({ length: runs }, (_, i) => first + i);
  const outcomes = await all(seeds, values.control ?? null, processes, (outcome) => {
    if (outcome.broken.length > 0) say(failure(outcome));
  });
  const failed = outcomes.filter(({ broken }) => broken.length > 0);
  const seconds = (performance.now() - started) / 1_000;
  say(table(outcomes, seconds));
  if (failed.length > 0) say(`Failing seeds: ${failed.map(({ seed }) => seed).join(", ")}`);
  if (values["no-controls"] || values.control !== undefined) return failed.length === 0 ? 0 : 1;
  const blind = await controls(first, processes);
  return failed.length === 0 && blind === 0 ? 0 : 1;
}

/** Each must fail on one of its seeds at least. Answers how many didn't. */
async function controls(first: number, processes: number): Promise<number> {
  let blind = 0;
  for (const control of CONTROLS) {
    const seeds = Array.from({ length: CONTROL_SEEDS }, (_, i) => first + i);
    const outcomes = await all(seeds, control, processes, () => undefined);
    const caught = outcomes.filter(({ broken }) => broken.length > 0);
    if (caught.length === 0) blind += 1;
    const example = caught[0]?.broken[0]?.split("\n")[0]?.slice(0, 90) ?? "";
    say(`control ${control.padEnd(20)} fails ${caught.length} of ${seeds.length} runs${example && `: ${example}`}`);
  }
  if (blind > 0) say(`${blind} controls were not seen: the verdict is worth nothing`);
  return blind;
}

async function all(
  seeds: readonly number[],
  control: string | null,
  processes: number,
  each: (outcome: Outcome) => void,
): Promise<Outcome[]> {
  const left = [...seeds];
  const outcomes: Outcome[] = [];
  const work = async (): Promise<void> => {
    let child = start();
    for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
      const asked = { seed, control, modes, isLoud: false, shrinks: false };
      const outcome = await ask(child, asked).then(
        (reply) => reply.outcome,
        (error: unknown) => {
          // What nobody caught ended the process: that is a failure of this seed, and the others go on.
          child = start();
          return { seed, broken: [String(error)], counts: {}, said: 0, frames: 0, virtualMs: 0 };
        },
      );
      outcomes.push(outcome);
      if (outcomes.length % 100 === 0) say(`${outcomes.length} of ${seeds.length}`);
      each(outcome);
    }
    child.kill();
  };
  await Promise.all(Array.from({ length: processes }, work));
  return outcomes;
}

function start(): ChildProcess {
  return fork(inRoot("web", "test", "campaign", "process.ts"), {
    // Much is made and thrown away: rarer collections are a third of the time.
    execArgv: ["--max-semi-space-size=64", "--stack-trace-limit=4"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
}

function ask(child: ChildProcess, asked: Asked): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error(`the process ended at seed ${asked.seed}`));
    child.once("exit", ended);
    child.once("message", (reply) => {
      child.off("exit", ended);
      resolve(reply as Reply);
    });
    child.send(asked);
  });
}

function failure({ seed, broken }: Outcome): string {
  const rules = broken.slice(0, 3).map((rule) => `    ${rule.split("\n").slice(0, 2).join(" ")}`);
  return [`seed ${seed} fails`, ...rules, `    npm run sim -- --replay ${seed}`].join("\n");
}

function table(outcomes: readonly Outcome[], seconds: number): string {
  const sum = (of: (outcome: Outcome) => number): number => outcomes.reduce((total, each) => total + of(each), 0);
  const broken = (rule: string): number =>
    outcomes.filter((each) => each.broken.some((one) => one.includes(rule))).length;
  const failed = outcomes.filter((each) => each.broken.length > 0).length;
  const rows: readonly (readonly [string, number | string])[] = [
    ["runs", outcomes.length],
    ["runs that failed", failed],
    ["  lost", broken("lost")],
    ["  doubled", broken("doubled")],
    ["  out of order", broken("[I2]")],
    ["  replicas unequal", broken("[SY1]") + broken("[I3]")],
    ["  at rest never, or waiting for ever", broken("[I5]")],
    ["messages accepted", sum(({ said }) => said)],
    ["  one with another device's", sum(({ counts }) => counts["taken for another"] ?? 0)],
    ["faults", sum(({ counts }) => total(counts, "trouble"))],
    ["frames carried", sum(({ frames }) => frames)],
    ["hours lived through", (sum(({ virtualMs }) => virtualMs) / 3_600_000).toFixed(1)],
    ["seconds", seconds.toFixed(0)],
  ];
  return rows.map(([name, value]) => `${name.padEnd(36)} ${String(value).padStart(10)}`).join("\n");
}

function total(counts: Readonly<Record<string, number>>, prefix: string): number {
  return Object.entries(counts).reduce((sum, [name, count]) => (name.startsWith(prefix) ? sum + count : sum), 0);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
