// The work of one room, one thing after the other: each is stored before the next begins ([SY5]), and what can't be stored
// has its consequence here.
import { isQuota } from "../store/faults.ts";
import { NotLeader } from "../store/store.ts";
import { isWithin } from "./link-steps.ts";
import type { Ports } from "./ports.ts";
import type { RoomLink } from "./room-link.ts";
import type { Shortage } from "./room-shortage.ts";

/** A disk that takes longer over one thing is held up: another tab may stand still with its transaction open. ms. */
const STUCK_AFTER_MS = 500;

export interface TurnsDeps {
  readonly ports: Pick<Ports, "now" | "timers">;
  /** Asked when something failed: the link takes turns too, so it is made later. */
  readonly link: () => Pick<RoomLink, "heard" | "restart" | "unstored">;
  readonly shortage: Pick<Shortage, "failed" | "attempt">;
  readonly changed: () => void;
  /** Another tab leads. */
  readonly deposed: () => void;
  /** Something could not be stored; resolves when it may be tried again. */
  readonly unstored: (error: unknown) => Promise<void>;
}

export interface Turns {
  readonly take: (work: () => Promise<void> | void) => void;
  /** The same for a frame that came; not once this is closed. */
  readonly takeFrame: (store: () => Promise<void>) => void;
  /** Frames are here that aren't stored yet. */
  readonly isBehind: () => boolean;
  /** And for so long nothing was, that what is shown lacks them. */
  readonly isStuck: () => boolean;
  /** What fails from now on has no consequence. Resolves when all under way is done. */
  readonly close: () => Promise<void>;
}

export function takeTurns(deps: TurnsDeps): Turns {
  let isClosed = false;
  let turn: Promise<void> = Promise.resolve();
  /** Frames that are here and not yet stored. */
  let untaken = 0;
  /** When frames were here first, or one of them was stored last. Epoch ms. */
  let movedAt = 0;
  let isToldStuck = false;
  let looking: unknown = null;

  const isStuck = (): boolean => untaken > 0 && !isWithin(deps.ports.now() - movedAt, STUCK_AFTER_MS);

  /** Also where it isn't any more. */
  const look = (): void => {
    if (isStuck() === isToldStuck) return;
    isToldStuck = !isToldStuck;
    deps.changed();
  };

  const moved = (): void => {
    movedAt = deps.ports.now();
    look();
  };

  const lookLater = (): void => {
    looking = deps.ports.timers.set(() => {
      looking = null;
      if (isClosed || untaken === 0) return;
      look();
      lookLater();
    }, STUCK_AFTER_MS);
  };

  const failed = async (error: unknown): Promise<void> => {
    if (isClosed) return;
    if (error instanceof NotLeader) return deps.deposed();
    // What came is not stored, so it must come again: the link starts anew from the stored cursor.
    if (!isQuota(error)) {
      await deps.unstored(error);
      return deps.link().restart();
    }
    deps.shortage.failed();
    deps.changed();
    await deps.unstored(error);
    deps.link().unstored(deps.shortage.attempt());
  };

  const take = (work: () => Promise<void> | void): void => {
    turn = turn.then(work).catch(failed);
  };

  return {
    take,
    takeFrame: (store) => {
      untaken += 1;
      if (untaken === 1) moved();
      if (looking === null) lookLater();
      take(async () => {
        try {
          if (!isClosed) await store();
        } finally {
          untaken -= 1;
          moved();
        }
        // Once it is stored, what is still owed is due.
        if (!isClosed) deps.link().heard();
      });
    },
    isBehind: () => untaken > 0,
    isStuck,
    close: async () => {
      isClosed = true;
      deps.ports.timers.clear(looking);
      await turn;
    },
  };
}
