// A process of its own for runs: one at a time, as its parent (scripts/sim.ts) asks.
import { run, type RunOptions } from "./run.ts";
import { CONTROLS } from "./sabotage.ts";
import { shrink } from "./shrink.ts";

/** What is asked for; the same in scripts/sim.ts, which is another project. */
interface Asked {
  readonly seed: number;
  readonly control: string | null;
  readonly modes: Readonly<Record<"frees" | "flaps" | "drafts" | "leaves", boolean>>;
  readonly isLoud: boolean;
  readonly shrinks: boolean;
}

async function answer({ seed, control, modes, isLoud, shrinks }: Asked): Promise<unknown> {
  const sabotage = control === null ? undefined : CONTROLS[control]?.();
  const options: RunOptions = {
    seed,
    ...modes,
    ...(sabotage === undefined ? {} : { sabotage }),
  };
  const hear = (line: string): void => void process.stdout.write(`${line}\n`);
  const outcome = await run({ ...options, ...(isLoud ? { hear } : {}) });
  if (!shrinks || outcome.broken.length === 0) return { outcome };
  const { steps: least, without } = await shrink(options, outcome);
  const kept = Array.from({ length: least }, (_, step) => step).filter((step) => !without.has(step));
  if (isLoud) await run({ ...options, steps: least, without, hear });
  return { outcome, kept };
}

/** What a page that has ended was waiting for; anything else that nobody catches is a bug and ends the run. */
process.on("unhandledRejection", (error) => {
  if (!(error instanceof DOMException) || error.name !== "AbortError") throw error;
});

process.on("message", (asked: Asked) => {
  answer(asked)
    .then((reply) => process.send?.(reply))
    .catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    });
});
