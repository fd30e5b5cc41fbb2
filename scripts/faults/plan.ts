/** One episode, chosen beforehand: who types what, and what breaks when. Pure: one seed, one plan. */
import { seeded, type Seeded } from "../../web/test/sim/seeded.ts";

/**
 * What happens to one person's network until it is mended. `cut`: reset, and no way back. `hang`: nothing moves, nothing
 * closes. `drop-up`: what is sent vanishes. `swallow-down`: what is answered vanishes. `cut-after`: so many bytes of a
 * direction pass, then it is cut. `slow`: a bad line. `frames`: frames come twice, swapped, or again much later.
 */
export type Fault =
  | { readonly kind: "cut" | "hang" | "drop-up" | "swallow-down" | "frames" }
  | { readonly kind: "cut-after"; readonly direction: "up" | "down"; readonly bytes: number }
  | { readonly kind: "slow"; readonly kbps: number; readonly ms: number };

export type Step =
  /** In a burst, as fast as the page takes it, or key by key. */
  | { readonly do: "say"; readonly who: number; readonly texts: readonly string[]; readonly isByKeyboard: boolean }
  /** One of one's own, so many before one's newest of this episode; nothing where there aren't so many. */
  | { readonly do: "edit"; readonly who: number; readonly back: number; readonly saying: string }
  | { readonly do: "delete"; readonly who: number; readonly back: number }
  | { readonly do: "break"; readonly who: number; readonly fault: Fault }
  /** Without the operating system's word for it, the client finds out by itself. */
  | { readonly do: "mend"; readonly who: number; readonly isTold: boolean }
  | { readonly do: "pause"; readonly ms: number }
  | { readonly do: "reload" | "crash" | "second-tab"; readonly who: number }
  /** The browser's process, with everything in memory. */
  | { readonly do: "kill"; readonly who: number }
  /** SIGKILL to the server, and another on the same data. */
  | { readonly do: "restart" };

export interface Plan {
  readonly seed: number;
  readonly people: number;
  readonly steps: readonly Step[];
  readonly messageCount: number;
}

export interface PlanOptions {
  readonly people: number;
  /** The browser of person 0 is killed in the middle. */
  readonly isKilled: boolean;
}

export const MESSAGES_MIN = 34;
const MESSAGES_MORE = 7;
const BREAKS = 0.13;
const BURST_MAX = 4;
const BY_KEYBOARD = 0.25;
const TOLD = 0.7;
const EDITS = 0.2;
const DELETES = 0.07;
/** As far back as one still looks. */
const BACK_MAX = 6;
const RELOADS = 0.025;
const CRASHES = 0.008;
const SECOND_TABS = 0.012;
const RESTARTS = 0.0006;
/** The longest frame of a message in the plan is below it: a cut strikes before, within and after one. */
const BYTES_MAX = 900;
/** Any number: a stream of chance of its own. */
const APART = 0x5eed;
const SAYINGS = [
  "The tender is alongside",
  "wind 24 kn from the south-west, sea 3 m",
  "**Deck** meeting at _09:40_, bring `gloves`",
  "Kaffee? ☕ Übergabe in zehn Minuten",
  "see https://harbour.example/berths?day=4&side=port for the plan",
  "ok",
  "👍🏽 👩‍🚀 done",
  "one more line that is a little longer than the others, so that frames differ in size and a cut lands inside of one",
  "数千人の乗客が下船します",
  "> quoted\nand answered below",
];

export function planOf(seed: number, { people, isKilled }: PlanOptions): Plan {
  const random = seeded(seed);
  // Drawn apart, so that each seed says and breaks what it did before there were any.
  const changing = seeded(seed ^ APART);
  const count = MESSAGES_MIN + random.below(MESSAGES_MORE);
  const steps: Step[] = [];
  /** Person → messages until mended. */
  const broken = new Map<number, number>();
  const killAt = isKilled ? 8 + random.below(count - 16) : -1;
  let hasBroken = false;
  for (let said = 0; said < count;) {
    const who = said === 0 ? 0 : random.below(people);
    const isLate = said > count - 10 && !hasBroken;
    if (!broken.has(who) && (isLate || random.chance(BREAKS))) {
      hasBroken = true;
      broken.set(who, 1 + random.below(9));
      steps.push({ do: "break", who, fault: faultOf(random) });
    }
    if (isKilled && said >= killAt && !steps.some((step) => step.do === "kill")) steps.push({ do: "kill", who: 0 });
    steps.push(...accidents(who, random));
    const size = Math.min(count - said, 1 + random.below(BURST_MAX));
    const texts = Array.from({ length: size }, (_, at) => `s${seed}m${said + at} ${random.pick(SAYINGS)}`);
    steps.push({ do: "say", who, texts, isByKeyboard: random.chance(BY_KEYBOARD) });
    said += size;
    steps.push(...changes(who, changing));
    if (random.chance(0.5)) steps.push({ do: "pause", ms: random.below(40) });
    for (const [person, left] of broken) {
      if (left > size) broken.set(person, left - size);
      else {
        broken.delete(person);
        steps.push({ do: "pause", ms: random.below(150) }, { do: "mend", who: person, isTold: random.chance(TOLD) });
      }
    }
  }
  return { seed, people, steps, messageCount: count };
}

function changes(who: number, random: Seeded): Step[] {
  const back = random.below(BACK_MAX);
  if (random.chance(EDITS)) return [{ do: "edit", who, back, saying: random.pick(SAYINGS) }];
  return random.chance(DELETES) ? [{ do: "delete", who, back }] : [];
}

function accidents(who: number, random: Seeded): Step[] {
  if (random.chance(RELOADS)) return [{ do: "reload", who }];
  if (random.chance(CRASHES)) return [{ do: "crash", who }];
  if (random.chance(SECOND_TABS)) return [{ do: "second-tab", who }];
  if (random.chance(RESTARTS)) return [{ do: "restart" }];
  return [];
}

function faultOf(random: Seeded): Fault {
  const kind = random.pick([
    "cut",
    "cut",
    "hang",
    "drop-up",
    "drop-up",
    "swallow-down",
    "swallow-down",
    "cut-after",
    "cut-after",
    "cut-after",
    "slow",
    "frames",
  ] as const);
  if (kind === "cut-after") {
    return { kind, direction: random.pick(["up", "down"] as const), bytes: 1 + random.below(BYTES_MAX) };
  }
  if (kind === "slow") return { kind, kbps: 50 + random.below(400), ms: 20 + random.below(180) };
  return { kind };
}
