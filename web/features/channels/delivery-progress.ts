// How far what one waits for has come: what another tab writes meanwhile has to go as well, and what is refused on the
// way isn't delivered. Pure.
import type { OpId } from "#protocol/ids.ts";
import type { Unsent } from "../../sync/unsent.ts";

type Counted = Pick<Unsent, "waiting" | "refused">;

export interface Progress {
  /** What it was last reckoned from. */
  readonly from: Counted | null;
  /** All that waited since it began, but for what was refused. */
  readonly going: ReadonlySet<OpId>;
  readonly delivered: number;
}

export const NO_PROGRESS: Progress = { from: null, going: new Set(), delivered: 0 };

export function progressed(before: Progress, now: Counted): Progress {
  const going = new Set([...before.going, ...now.waiting]);
  for (const op of now.refused) going.delete(op);
  return { from: now, going, delivered: going.size - now.waiting.size };
}
