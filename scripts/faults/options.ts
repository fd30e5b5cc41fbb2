/** What the command line of `npm run faults` says. */
import { parseArgs } from "node:util";

export interface Options {
  /** Episodes in all, those of earlier runs with the same state file included. */
  readonly runs: number;
  readonly seed: number;
  /** Each with a server, a browser and a crew of its own. */
  readonly workers: number;
  /** Where the campaign stands, to go on from there. */
  readonly state: string;
  /** One episode again, by its own seed. */
  readonly only: number | null;
}

export const USAGE = `npm run faults -- [--runs 3000] [--seed 1] [--workers 2] [--state .state/faults-1.json]
npm run faults -- --only EPISODE

Episodes in real Chromium against a real server: two people type at least 34 messages,
and edit and delete some, over a network that is cut, hangs,
drops, swallows, crawls and doubles, in tabs that are reloaded, crash and are closed; every 20th in a browser that is
killed. Each ends in the judge. In the same run two clients that forget, one its numbers, one to send again, must fail.
Goes on where the state file stopped. Exit code 0 only if nothing was lost, doubled, out of order or refused.`;

/** Episodes of one seed; the next seed's come after them. */
export const EPISODES_MAX = 1_000_000;
const KILLED_EVERY = 20;

export const episodeSeed = (seed: number, index: number): number => seed * EPISODES_MAX + index;

/** Whether this episode is played in a browser that is killed. */
export const isKilled = (episode: number): boolean => (episode % EPISODES_MAX) % KILLED_EVERY === KILLED_EVERY - 1;

/** Throws an Error with a sentence for the person who typed it. */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    strict: true,
    options: {
      runs: { type: "string", default: "3000" },
      seed: { type: "string", default: "1" },
      workers: { type: "string", default: "2" },
      state: { type: "string" },
      only: { type: "string" },
    },
  });
  const number = (name: string, text: string, min: number, max: number): number => {
    const value = text.trim() === "" ? Number.NaN : Number(text);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw new Error(`--${name} ${text}: a whole number from ${min} to ${max} is needed`);
  };
  const seed = number("seed", values.seed, 0, 4_000);
  return {
    runs: number("runs", values.runs, 1, EPISODES_MAX),
    seed,
    workers: number("workers", values.workers, 1, 16),
    state: values.state ?? `.state/faults-${seed}.json`,
    only: values.only === undefined ? null : number("only", values.only, 0, 2 ** 32 - 1),
  };
}
