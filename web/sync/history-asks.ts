// What this tab asked whoever leads to fetch of history that isn't here.
import type { RoomName } from "#protocol/room-name.ts";
import type { Ports } from "./ports.ts";
import type { Place } from "./room-pages.ts";
import type { TabMessage } from "./tab-messages.ts";

export interface HistoryAsks {
  /** Whether it is stored by now. */
  readonly fetch: (room: RoomName, place: Place) => Promise<boolean>;
  readonly answered: (ask: string, isStored: boolean) => void;
  /** Another leads: nobody did when it was asked for, or who did is gone. Who wants it still asks again. */
  readonly dropped: () => void;
}

/** The leader asks a slow room several times; then it is given up. */
const WITHIN_MS = 90_000;

/** @param send to all tabs, this one included */
export function historyAsks(
  { newId, timers }: Pick<Ports, "newId" | "timers">,
  send: (message: TabMessage) => void,
): HistoryAsks {
  const asks = new Map<string, (isStored: boolean) => void>();

  const answered = (ask: string, isStored: boolean): void => {
    asks.get(ask)?.(isStored);
    asks.delete(ask);
  };

  return {
    fetch: (room, place) =>
      new Promise((resolve) => {
        const ask = newId();
        const timer = timers.set(() => answered(ask, false), WITHIN_MS);
        asks.set(ask, (isStored) => {
          timers.clear(timer);
          resolve(isStored);
        });
        send({ type: "history", ask, room, place });
      }),
    answered,
    dropped: () => {
      for (const ask of asks.keys()) answered(ask, false);
    },
  };
}
