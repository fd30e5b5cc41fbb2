// What becomes of what waits for a room that turned us away: it is kept with the reason ([AU4]).
import type { Failure } from "#protocol/errors.ts";
import type { Answers } from "./answers.ts";

export interface Closure {
  readonly refused: (why: Failure) => void;
  /** All that waited when the room turned us away is kept: what is open now was written since. */
  readonly isKept: () => boolean;
}

export function keepWhatWaits(answers: Pick<Answers, "closed">, inTurn: (work: () => Promise<void>) => void): Closure {
  let isKept = false;
  return {
    refused: (why) => {
      isKept = false;
      // An old build is not a lost right: everything stays, and the queue with it.
      if (why.code === "upgrade_required") return;
      inTurn(async () => {
        await answers.closed(why, why.code === "forbidden" || why.code === "not_found");
        isKept = true;
      });
    },
    isKept: () => isKept,
  };
}
