// A queue's answers come faster than a device stores them one by one: those that wait for the same turn are stored in one
// transaction. What comes between two of them stays between them.
import type { Ack } from "#protocol/frames/answer.ts";
import type { Verdict } from "./catch-up.ts";
import type { RoomOutbox } from "./room-outbox.ts";
import type { Turns } from "./room-turns.ts";

export interface AcksDeps {
  readonly takeFrame: Turns["takeFrame"];
  readonly store: (acks: readonly Ack[]) => Promise<readonly (Verdict | null)[]>;
  readonly outbox: Pick<RoomOutbox, "answered" | "again">;
  /** Something is missing before one of them. */
  readonly behind: (verdict: Verdict) => Promise<void>;
}

export interface GatheredAcks {
  readonly came: (ack: Ack) => void;
  /** Another frame came: what follows is behind it. */
  readonly other: Turns["takeFrame"];
}

/** What is written in the midst of a queue waits for the transaction before it, so that none is long. */
const TOGETHER_MAX = 16;

export function gatherAcks({ takeFrame, store, outbox, behind }: AcksDeps): GatheredAcks {
  /** Those whose turn hasn't come. */
  let open: Ack[] | null = null;

  const take = async (acks: readonly Ack[]): Promise<void> => {
    const verdicts = await store(acks);
    for (const { n, done } of acks) {
      if (done === true) outbox.again(n);
      else outbox.answered(n);
    }
    for (const verdict of verdicts) {
      if (verdict?.do === "pull" || verdict?.do === "start-over") await behind(verdict);
    }
  };

  return {
    came: (ack) => {
      if (open !== null && open.length < TOGETHER_MAX) return void open.push(ack);
      const acks = [ack];
      open = acks;
      takeFrame(() => {
        if (open === acks) open = null;
        return take(acks);
      }, false);
    },
    other: (storeOther, isNews) => {
      open = null;
      takeFrame(storeOther, isNews);
    },
  };
}
