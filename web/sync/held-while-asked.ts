// What was to be discarded, and couldn't be, doesn't go while its person is asked once more (decision 26).
import type { UserId } from "#protocol/ids.ts";
import { HELD_BACK_FOR_MS } from "./held-back-for.ts";
import type { Timers } from "./ports.ts";

interface Held {
  readonly user: UserId;
  /** Ends the holding back. */
  readonly over: AbortController;
  /** When the dialog that asks is gone. */
  readonly closed: AbortSignal;
}

export interface HeldWhileAsked {
  /** What holds it back is this press's from now on; null where nothing does, or only what is another person's. */
  readonly takeOver: (user: UserId) => AbortController | null;
  /** Until the dialog is gone, for so long at most. */
  readonly hold: (held: Held) => void;
  readonly isHeld: (over: AbortController) => boolean;
}

export function heldWhileAsked(timers: Timers): HeldWhileAsked {
  let held: Held | null = null;

  const takeOver: HeldWhileAsked["takeOver"] = (user) => {
    const before = held;
    held = null;
    if (before === null || before.user === user) return before?.over ?? null;
    before.over.abort();
    return null;
  };

  return {
    takeOver,
    hold: (next) => {
      // Of somebody who was here meanwhile.
      held?.over.abort();
      held = next;
      const goOn = (): void => {
        // Unless it was taken over by another press.
        if (held?.closed === next.closed) takeOver(next.user)?.abort();
      };
      next.closed.addEventListener("abort", goOn);
      timers.set(goOn, HELD_BACK_FOR_MS);
    },
    isHeld: (over) => held?.over === over,
  };
}
