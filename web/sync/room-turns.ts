// The work of one room, one thing after the other: each is stored before the next begins ([SY5]), and what can't be stored
// has its consequence here.
import { isQuota } from "../store/faults.ts";
import { NotLeader } from "../store/store.ts";
import type { Backlog } from "./backlog.ts";
import type { RoomLink } from "./room-link.ts";
import type { Shortage } from "./room-shortage.ts";

export interface TurnsDeps {
  /** Asked when something failed: the link takes turns too, so it is made later. */
  readonly link: () => Pick<RoomLink, "heard" | "restart" | "unstored">;
  readonly shortage: Pick<Shortage, "failed" | "attempt">;
  readonly backlog: Pick<Backlog, "came" | "taken" | "close">;
  readonly changed: () => void;
  /** Another tab leads. */
  readonly deposed: () => void;
  /** Something could not be stored; resolves when it may be tried again. */
  readonly unstored: (error: unknown) => Promise<void>;
}

export interface Turns {
  readonly take: (work: () => Promise<void> | void) => void;
  /**
   * The same for a frame that came; not once this is closed.
   *
   * @param isNews something new is missing without it: not without a page of history, nor an answer, whose message says of
   * itself that it is being sent
   */
  readonly takeFrame: (store: () => Promise<void>, isNews: boolean) => void;
  /** Frames are here that aren't stored yet. */
  readonly isBehind: () => boolean;
  /** What fails from now on has no consequence. Resolves when all under way is done. */
  readonly close: () => Promise<void>;
}

export function takeTurns(deps: TurnsDeps): Turns {
  let isClosed = false;
  let turn: Promise<void> = Promise.resolve();
  /** Frames that are here and not yet stored. */
  let untaken = 0;

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
    takeFrame: (store, isNews) => {
      untaken += 1;
      if (isNews) deps.backlog.came();
      take(async () => {
        try {
          if (!isClosed) await store();
        } finally {
          untaken -= 1;
          if (isNews) deps.backlog.taken();
        }
        // Once it is stored, what is still owed is due.
        if (!isClosed) deps.link().heard();
      });
    },
    isBehind: () => untaken > 0,
    close: async () => {
      isClosed = true;
      deps.backlog.close();
      await turn;
    },
  };
}
