/** What the command line of `npm run simulate` says. */
import { parseArgs } from "node:util";

export interface Options {
  readonly people: number;
  readonly messages: number;
  readonly channels: number;
  /** Connections cut, all told. */
  readonly cuts: number;
  /** Times the server is killed with SIGKILL and started again on the same data. */
  readonly kills: number;
  readonly seed: number;
  /** Messages written a second, all told; how fast they are delivered is for the run to show. */
  readonly pace: number;
  /** NDJSON, plain or .gz. */
  readonly from: string | null;
  /** A deployment that runs already; nobody kills that. */
  readonly url: string | null;
  /** Leave the server running at the end, to look round. */
  readonly keep: boolean;
  /** `after`: the run, then a shorter control. `only`: the control with these figures. */
  readonly control: "after" | "only" | "none";
}

export const USAGE = `npm run simulate -- [--people 12] [--messages 280] [--channels 4] [--from lines.ndjson[.gz]]
    [--cuts 20] [--kills 1] [--pace 15] [--seed N] [--url http://localhost:8787] [--keep] [--control | --no-control]

People post real lines over connections that are cut at random, to a server that is killed and started again.
Ends with a verdict, and with exit code 0 only if nothing was lost, doubled or out of order and all replicas are
equal. Afterwards a shorter run with numbers and the id check switched off has to show faults (--no-control leaves
it out, --control runs nothing else).`;

const NUMBERS = {
  people: { fallback: 12, min: 2, max: 100 },
  messages: { fallback: 280, min: 1, max: 1_000_000 },
  channels: { fallback: 4, min: 1, max: 12 },
  cuts: { fallback: 20, min: 0, max: 100_000 },
  kills: { fallback: 1, min: 0, max: 100 },
  pace: { fallback: 15, min: 1, max: 1_000 },
  seed: { fallback: 0, min: 0, max: 2 ** 32 - 1 },
} as const;
type NumberName = keyof typeof NUMBERS;

/** Throws an Error with a sentence for the person who typed it. `anySeed` is used where none is named. */
export function parseOptions(args: readonly string[], anySeed: number): Options {
  const { values } = parseArgs({
    args: [...args],
    strict: true,
    allowNegative: true,
    options: {
      people: { type: "string" },
      messages: { type: "string" },
      channels: { type: "string" },
      cuts: { type: "string" },
      kills: { type: "string" },
      pace: { type: "string" },
      seed: { type: "string" },
      from: { type: "string" },
      url: { type: "string" },
      keep: { type: "boolean" },
      control: { type: "boolean" },
    },
  });
  const number = (name: NumberName, fallback: number = NUMBERS[name].fallback): number => {
    const text = values[name];
    if (text === undefined) return fallback;
    const { min, max } = NUMBERS[name];
    const value = text.trim() === "" ? Number.NaN : Number(text);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw new Error(`--${name} ${text}: a whole number from ${min} to ${max} is needed`);
  };
  const url = values.url === undefined ? null : originOf(values.url);
  if (url !== null && values.kills !== undefined && number("kills") > 0) {
    throw new Error("--kills needs a server of our own: leave --url out, or say --kills 0");
  }
  return {
    people: number("people"),
    messages: number("messages"),
    channels: number("channels"),
    cuts: number("cuts"),
    kills: url === null ? number("kills") : 0,
    pace: number("pace"),
    seed: number("seed", anySeed),
    from: values.from ?? null,
    url,
    keep: values.keep ?? false,
    control: values.control === undefined ? "after" : values.control ? "only" : "none",
  };
}

/** The control that follows a run: enough for faults to show, and no more. */
export function shorter(options: Options): Options {
  return {
    ...options,
    people: Math.min(options.people, 8),
    messages: Math.min(options.messages, 240),
    channels: Math.min(options.channels, 2),
    cuts: Math.min(Math.max(options.cuts, 12), 24),
    kills: Math.min(options.kills, 1),
  };
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.protocol !== "http:" || url.pathname !== "/") {
    throw new Error(
      `--url ${text}: an address like http://localhost:8787 is needed (the faults are put into plain TCP)`,
    );
  }
  return url.origin;
}
