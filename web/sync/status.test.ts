import { describe, expect, it } from "vitest";
import type { ConnectionSnapshot } from "../store/snapshots.ts";
import type { LinkState } from "./link.ts";
import { connectionOf } from "./status.ts";

const pill = (
  state: LinkState,
  {
    caughtUp = [true],
    wasLive = true,
    isOnline = true,
  }: { caughtUp?: boolean[]; wasLive?: boolean; isOnline?: boolean } = {},
): ConnectionSnapshot =>
  connectionOf(
    { state, expelledAt: null },
    caughtUp.map((isCaughtUp) => ({ isWanted: true, isCaughtUp })),
    wasLive,
    isOnline,
  );
const live: LinkState = { name: "live", heardAt: 0, dueAt: null };
const waiting = (attempt: number, why: "network" | "told" | "misconfigured" = "network"): LinkState => ({
  name: "waiting",
  attempt,
  until: 9,
  why,
  detail: "why",
});

describe("the pill", () => {
  it.each<[string, ConnectionSnapshot, ConnectionSnapshot]>([
    ["live, when all rooms are", pill(live), { state: "live" }],
    [
      "catching up, while one is not",
      pill(live, { caughtUp: [true, false] }),
      { state: "catching-up", done: 1, total: 2 },
    ],
    ["connecting at first", pill({ name: "opening", attempt: 0 }), { state: "connecting" }],
    ["offline while try after try fails", pill({ name: "opening", attempt: 2 }), { state: "offline", retryAt: null }],
    ["reconnecting when a link just broke", pill(waiting(1)), { state: "reconnecting", retryAt: 9 }],
    ["offline when it never stood", pill(waiting(1), { wasLive: false }), { state: "offline", retryAt: 9 }],
    ["offline when the browser says so", pill(waiting(1), { isOnline: false }), { state: "offline", retryAt: 9 }],
    [
      "[AU6] misconfigured, with the detail",
      pill(waiting(0, "misconfigured")),
      { state: "misconfigured", detail: "why" },
    ],
    ["[AU3] signed out", pill({ name: "signed-out" }), { state: "signed-out" }],
    [
      "saying why the workspace is closed",
      pill({ name: "refused", code: "forbidden", detail: "no" }),
      { state: "misconfigured", detail: "no" },
    ],
  ])("is %s", (_what, shown, expected) => {
    expect(shown).toEqual(expected);
  });
});
