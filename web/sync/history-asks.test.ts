import { expect, it } from "vitest";
import type { RoomName } from "#protocol/room-name.ts";
import { historyAsks } from "./history-asks.ts";
import type { TabMessage } from "./tab-messages.ts";

const ROOM = "channel:w_c" as RoomName;

function asking() {
  const said: TabMessage[] = [];
  const due = new Set<() => void>();
  let made = 0;
  const timers = {
    set: (run: () => void) => due.add(run) && run,
    clear: (run: unknown) => due.delete(run as () => void),
  };
  const newId = (): string => `ask ${(made += 1)}`;
  const asks = historyAsks({ newId, timers }, (message) => said.push(message));
  return { ...asks, said, elapse: () => due.forEach((run) => run()) };
}

it("history that nobody leads to fetch, or whose leader is gone, isn't waited for: who wants it asks whoever leads anew", async () => {
  const { fetch, answered, dropped, said } = asking();
  const unanswered = fetch(ROOM, { before: 7 });
  dropped();
  expect(await unanswered).toBe(false);
  const second = fetch(ROOM, { before: 7 });
  answered("ask 1", false);
  answered("ask 2", true);
  expect(await second).toBe(true);
  expect(said).toMatchObject([
    { type: "history", ask: "ask 1" },
    { type: "history", ask: "ask 2" },
  ]);
});

it("one that isn't answered in time is given up", async () => {
  const { fetch, elapse } = asking();
  const late = fetch(ROOM, { before: 7 });
  elapse();
  expect(await late).toBe(false);
});
