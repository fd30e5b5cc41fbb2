import { expect, it } from "vitest";
import type { ConnectionSnapshot } from "../../store/snapshots.ts";
import { queuedBecause } from "./queued-because.ts";

const FOR_THE_NETWORK: readonly ConnectionSnapshot[] = [
  { state: "connecting" },
  { state: "reconnecting", retryAt: 1 },
  { state: "offline", retryAt: null },
];

it.each<[ConnectionSnapshot, RegExp]>([
  [{ state: "live" }, /turn/],
  [{ state: "reconnecting", retryAt: 1, isTold: true }, /server asked/],
  [{ state: "offline", retryAt: null, isChosen: true }, /go back online/],
  [{ state: "misconfigured", detail: "It answered 404.", retryAt: 1 }, /misconfigured/],
  [{ state: "refused", code: "forbidden", detail: "You no longer have access." }, /lets you in/],
  [{ state: "refused", code: "upgrade_required", detail: "Reload to go on." }, /reloaded/],
  [{ state: "signed-out" }, /sign in/],
  [{ state: "full" }, /room/],
])("nothing is said to wait for the network where that isn't it: %o", (connection, words) => {
  expect(queuedBecause(connection)).toMatch(words);
  expect(queuedBecause(connection)).not.toContain("network");
});

it("what is for a channel that can't be reached doesn't wait its turn", () => {
  expect(queuedBecause({ state: "catching-up", done: 2, total: 3 }, true)).toMatch(/channel/);
  expect(queuedBecause({ state: "offline", retryAt: null }, true)).toBe("waits for the network");
});

it("it is where there is none, or none is found yet", () => {
  for (const each of FOR_THE_NETWORK) expect(queuedBecause(each), each.state).toBe("waits for the network");
});
