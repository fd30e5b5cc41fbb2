// What came from a room and waits to be stored. A moment of it is as it should be; longer, and what is shown lacks what is
// here: the disk is slow, or another tab stands still with it in its hands.
import { isWithin } from "./link-steps.ts";
import type { Ports } from "./ports.ts";

/** Whatever waits for the disk longer than this is missing from what is shown; ms. */
const OVERDUE_AFTER_MS = 500;

export interface BacklogDeps {
  readonly ports: Pick<Ports, "now" | "timers">;
  /** Something waits too long by now, or nothing does any more. */
  readonly changed: () => void;
}

export interface Backlog {
  readonly came: () => void;
  /** The one that came first of those that wait, stored or given up. */
  readonly taken: () => void;
  /** As it was told last: whoever saw it in between wouldn't be told when it is over. */
  readonly isOverdue: () => boolean;
  readonly close: () => void;
}

export function watchBacklog({ ports: { now, timers }, changed }: BacklogDeps): Backlog {
  /** When each that waits came, epoch ms, in that order. */
  const waiting: number[] = [];
  let isTold = false;
  let timer: unknown = null;
  let isClosed = false;

  const look = (): void => {
    const [cameAt] = waiting;
    // By a clock that was set back since nothing is known to be in time.
    const isOverdue = cameAt !== undefined && !isWithin(now() - cameAt, OVERDUE_AFTER_MS);
    if (isClosed || isOverdue === isTold) return;
    isTold = isOverdue;
    changed();
  };

  const lookLater = (): void => {
    timer = timers.set(() => {
      look();
      lookLater();
    }, OVERDUE_AFTER_MS);
  };

  const stopLooking = (): void => {
    timers.clear(timer);
    timer = null;
  };

  return {
    came: () => {
      waiting.push(now());
      if (timer === null && !isClosed) lookLater();
    },
    taken: () => {
      waiting.shift();
      look();
      if (waiting.length === 0) stopLooking();
    },
    isOverdue: () => isTold,
    close: () => {
      isClosed = true;
      stopLooking();
    },
  };
}
