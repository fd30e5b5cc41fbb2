// What the state of one room's link tells of the others: they go over the same line, with the same session.
import type { RoomName } from "#protocol/room-name.ts";
import { isWaitingForNetwork } from "./link.ts";
import type { RoomRunner } from "./room-runner.ts";

export interface SharedLine {
  /** The state of this room's link may be another. */
  readonly changed: (room: RoomName) => void;
  /** Asks the links that stand whether they do; those that wait go on waiting. */
  readonly doubt: () => void;
  /** The same of one. */
  readonly ask: (room: RoomName) => void;
}

export function watchSharedLine(runners: ReadonlyMap<RoomName, Pick<RoomRunner, "link" | "nudge">>): SharedLine {
  const live = new Set<RoomName>();

  const ask = (room: RoomName): void => {
    const runner = runners.get(room);
    if (runner?.link().state.name === "live") runner.nudge();
  };

  const doubt = (): void => {
    for (const room of runners.keys()) ask(room);
  };

  /** The others needn't wait out their back-off; and a "no" to another was of the time before. */
  const goOn = (): void => {
    for (const { link, nudge } of runners.values()) {
      if (isWaitingForNetwork(link()) || link().state.name === "signed-out") nudge();
    }
  };

  return {
    changed: (room) => {
      const link = runners.get(room)?.link();
      if (link === undefined) return;
      if (link.state.name === "live") {
        if (live.has(room)) return;
        live.add(room);
        goOn();
      } else if (live.delete(room) && isWaitingForNetwork(link)) doubt();
    },
    doubt,
    ask,
  };
}
