// The least of a run that still breaks the same rule: fewer steps first, then without those that don't matter.
import { run, type Outcome, type RunOptions } from "./run.ts";

export interface Shrunk {
  readonly steps: number;
  readonly without: ReadonlySet<number>;
  readonly outcome: Outcome;
}

/** @param tries runs that may be spent on it */
export async function shrink(options: RunOptions, failed: Outcome, tries = 60): Promise<Shrunk> {
  const budget = { left: tries };
  let best: Shrunk = { steps: failed.steps, without: new Set(), outcome: failed };
  const rule = ruleOf(failed);
  const attempt = async (steps: number, without: ReadonlySet<number>): Promise<boolean> => {
    budget.left -= 1;
    const outcome = await run({ ...options, steps, without });
    if (outcome.broken.length === 0 || ruleOf(outcome) !== rule) return false;
    best = { steps, without, outcome };
    return true;
  };
  for (let cut = best.steps >> 1; cut > 0 && budget.left > 0; cut >>= 1)
    while (best.steps > cut && budget.left > 0 && (await attempt(best.steps - cut, best.without)));
  for (let size = best.steps >> 2; size > 0 && budget.left > 0; size >>= 1) {
    for (let from = 0; from < best.steps && budget.left > 0; from += size) {
      const without = new Set(best.without);
      for (let step = from; step < Math.min(best.steps, from + size); step++) without.add(step);
      if (without.size > best.without.size) await attempt(best.steps, without);
    }
  }
  return best;
}

function ruleOf({ broken }: Outcome): string {
  return (broken[0] ?? "").slice(0, 12);
}
