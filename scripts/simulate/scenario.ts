/** One run from the first sign-up to the verdict, against a server that may be killed meanwhile. */
import { act, tryReact } from "./act.ts";
import { gatherEvidence, isSent, isSettled, readRooms } from "./collect.ts";
import { gatherCrew, type Crew } from "./crew.ts";
import { Diary } from "./diary.ts";
import { castOf, type Line } from "./lines.ts";
import type { Options } from "./options.ts";
import { planOf } from "./plan.ts";
import { until } from "./until.ts";
import { judge, type Verdict } from "./verdict.ts";

export interface Deployment {
  readonly url: string;
  /** Kills it with SIGKILL and starts it again on the same data; null where it isn't ours. */
  readonly restart: (() => Promise<void>) | null;
}

export interface ScenarioInput {
  readonly options: Options;
  readonly lines: readonly Line[];
  readonly deployment: Deployment;
  /** The negative control. */
  readonly isForgetful: boolean;
  readonly say: (line: string) => void;
  /** How things stand, often. */
  readonly progress: (line: string) => void;
}

export interface Outcome {
  readonly verdict: Verdict;
  /** Cuts that hit an open connection, and kills. */
  readonly cuts: number;
  readonly kills: number;
  /** From the last word written, everything mended, to empty outboxes and whole replicas. */
  readonly settledMs: number;
  /** Bugs that the clients reported; none of them is expected. */
  readonly bugs: readonly unknown[];
}

/** A back-off may be at its longest when the network returns, and a hung socket needs its time to be noticed. */
const SETTLED_WITHIN_MS = 120_000;
const PROGRESS_EVERY_MS = 2_000;
/** Who takes longer than this to settle is named. */
const SLOW_MS = 3_000;

export async function runScenario(input: ScenarioInput): Promise<Outcome> {
  const { options, lines, deployment, isForgetful, say } = input;
  const { people, channels, cuts, kills, seed } = options;
  const { names, personOf } = castOf(lines, people);
  const plan = planOf({
    lines,
    personOf: (nick) => personOf.get(nick) ?? 0,
    people,
    channels,
    cuts,
    kills,
    seed,
    // Copies have other ids: there would be nothing to hang an edit or a reaction on.
    isMixed: !isForgetful,
  });
  const bugs: unknown[] = [];
  const report = (error: unknown): void => void bugs.push(error);
  const crew = await gatherCrew({ url: deployment.url, names, channelCount: channels, seed, isForgetful, report });
  const { email, password, ref } = crew.watcher;
  say(`Look in: ${deployment.url}/w/${ref.slug}  sign in as ${email}, password ${password}`);

  const diary = new Diary();
  let killCount = 0;
  let restarts: Promise<void> = Promise.resolve();
  const kill = (): void => {
    restarts = restartAfter(restarts);
  };
  const restartAfter = async (earlier: Promise<void>): Promise<void> => {
    await earlier;
    if (deployment.restart === null) return;
    await deployment.restart();
    killCount += 1;
  };
  const begun = performance.now();
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - begun) / 1_000);
    input.progress(`${String(seconds).padStart(4)} s  ${statusOf(crew, diary.count(), options, killCount)}`);
  }, PROGRESS_EVERY_MS);
  try {
    const later = await act({ crew, plan, diary, pace: options.pace, kill });
    await restarts;
    await Promise.all(crew.lines.map((line) => line.settled()));
    const mended = performance.now();
    for (const person of crew.people) person.focus();
    await settle(crew, deployment.url, say);
    const settledMs = performance.now() - mended;
    for (const step of later) await tryReact({ crew, diary }, step);
    if (later.length > 0) await settle(crew, deployment.url, say);
    const rooms = await readRooms(crew, deployment.url);
    const verdict = judge(await gatherEvidence(crew, rooms, diary.written()));
    return { verdict, cuts: cutsOf(crew), kills: killCount, settledMs, bugs };
  } finally {
    clearInterval(timer);
    await crew.leave();
  }
}

/** What hasn't settled in time is for the verdict to find. */
async function settle(crew: Crew, url: string, say: (line: string) => void): Promise<void> {
  const everybody = [...crew.people, crew.watcher];
  const begun = performance.now();
  const slow = setTimeout(() => {
    for (const person of everybody)
      if (!person.isLive() || person.waitingCount() > 0) say(`  slow: ${person.describe()}`);
  }, SLOW_MS);
  await until(() => all(everybody, isSent), SETTLED_WITHIN_MS);
  const rooms = await readRooms(crew, url);
  const leftMs = SETTLED_WITHIN_MS - (performance.now() - begun);
  await until(() => all(everybody, (person) => isSettled(person, rooms)), leftMs);
  clearTimeout(slow);
}

async function all<Item>(items: readonly Item[], holds: (item: Item) => Promise<boolean>): Promise<boolean> {
  for (const item of items) if (!(await holds(item))) return false;
  return true;
}

function statusOf(crew: Crew, written: number, { messages, cuts, kills }: Options, killCount: number): string {
  const waiting = crew.people.reduce((sum, person) => sum + person.waitingCount(), 0);
  const live = crew.people.filter((person) => person.isLive()).length;
  return [
    `${written}/${messages} written`,
    `${waiting} waiting`,
    `${live}/${crew.people.length} live`,
    `cuts ${cutsOf(crew)}/${cuts}`,
    `kills ${killCount}/${kills}`,
  ].join(" · ");
}

function cutsOf(crew: Crew): number {
  return crew.lines.reduce((sum, line) => sum + line.cutCount(), 0);
}
