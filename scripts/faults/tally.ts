/** Where a campaign stands: what was played, what came of it, and the file it is kept in. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Episode } from "./episode.ts";
import { FAULTS, isClean, type Verdict } from "./judge.ts";
import type { Step } from "./plan.ts";

export type Counts = Record<(typeof FAULTS)[number] | "runs" | "messages" | "edited" | "deleted", number>;

export interface Tally {
  readonly seed: number;
  /** Indexes of the episodes played, in the order they ended. */
  readonly played: number[];
  readonly open: Counts;
  readonly killed: Counts;
  /** The negative controls, which must fail. */
  readonly controls: Record<"again" | "never", Counts>;
  /** Faults put in, by kind. */
  readonly faults: Record<string, number>;
  readonly failures: { readonly episode: number; readonly findings: readonly string[] }[];
  /** Episodes that the rig couldn't play to their end: a page that didn't open, a browser that hung. */
  readonly broken: { readonly episode: number; readonly why: string }[];
  seconds: number;
}

/** What people do, and what ends a fault. */
const NO_FAULTS: ReadonlySet<Step["do"]> = new Set(["say", "edit", "delete", "pause", "mend"]);

const NONE: Counts = {
  runs: 0,
  messages: 0,
  edited: 0,
  deleted: 0,
  lost: 0,
  doubled: 0,
  outOfOrder: 0,
  refused: 0,
  early: 0,
  unequal: 0,
  left: 0,
};

/** The stored one, or a new one. */
export function openTally(file: string, seed: number): Tally {
  try {
    const stored = JSON.parse(readFileSync(file, "utf8")) as Tally;
    if (stored.seed !== seed) throw new Error(`${file} belongs to seed ${stored.seed}: name another with --state`);
    // One of before counts nothing of what wasn't counted then.
    const whole = (counts: Counts): Counts => ({ ...NONE, ...counts });
    const { again, never } = stored.controls;
    return {
      ...stored,
      open: whole(stored.open),
      killed: whole(stored.killed),
      controls: { again: whole(again), never: whole(never) },
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return {
    seed,
    played: [],
    open: { ...NONE },
    killed: { ...NONE },
    controls: { again: { ...NONE }, never: { ...NONE } },
    faults: {},
    failures: [],
    broken: [],
    seconds: 0,
  };
}

export function saveTally(file: string, tally: Tally): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.part`, JSON.stringify(tally));
  renameSync(`${file}.part`, file);
}

export function count(counts: Counts, verdict: Verdict): void {
  counts.runs += 1;
  for (const done of ["messages", "edited", "deleted"] as const) counts[done] += verdict[done];
  for (const kind of FAULTS) counts[kind] += verdict[kind];
}

export function note(tally: Tally, index: number, { seed, plan, verdict }: Episode, isKilled: boolean): void {
  tally.played.push(index);
  count(isKilled ? tally.killed : tally.open, verdict);
  for (const step of plan.steps) {
    if (NO_FAULTS.has(step.do)) continue;
    const kind = step.do === "break" ? step.fault.kind : step.do;
    tally.faults[kind] = (tally.faults[kind] ?? 0) + 1;
  }
  if (!isClean(verdict)) tally.failures.push({ episode: seed, findings: verdict.findings });
}

/** A control that shows no fault proves that the campaign can't see one. */
export function isFaulty({ lost, doubled, outOfOrder }: Counts): boolean {
  return lost + doubled + outOfOrder > 0;
}

/** As one reads it, and as it stands in docs/reliability.md. */
export function table({ open, killed, controls, faults, seconds }: Tally): string {
  const rows: readonly (readonly [string, Counts])[] = [
    ["open page", open],
    ["browser killed", killed],
    ["control: no numbers, no id check", controls.again],
    ["control: nothing sent again", controls.never],
  ];
  const head =
    "| | runs | messages | of them edited | deleted | lost | doubled | out of order | refused | sent before its answer | screens or replicas unequal | left in an outbox |";
  const line = ([name, of]: readonly [string, Counts]): string =>
    `| ${[name, of.runs, of.messages, of.edited, of.deleted, of.lost, of.doubled, of.outOfOrder, of.refused, of.early, of.unequal, of.left].join(" | ")} |`;
  const kinds = Object.entries(faults)
    .toSorted(([, a], [, b]) => b - a)
    .map(([kind, times]) => `${kind} ${times}`);
  return [
    head,
    `|${" --- |".repeat(12)}`,
    ...rows.map(line),
    "",
    `Faults put in: ${kinds.join(", ")}. ${(seconds / 60).toFixed(0)} minutes.`,
  ].join("\n");
}
