import { expect, it } from "vitest";
import type { RoomName } from "#protocol/room-name.ts";
import { LINK_OFF } from "./link.ts";
import type { Link, LinkState } from "./link-state.ts";
import { watchSharedLine } from "./shared-line.ts";

const [ONE, OTHER] = ["channel:w_one", "channel:w_other"] as [RoomName, RoomName];
const LIVE: LinkState = { name: "live", heardAt: 0, dueAt: null, pings: [] };
const waiting = (why: "network" | "told" | "misconfigured" | "pace"): LinkState => ({
  name: "waiting",
  attempt: 1,
  until: 9,
  why,
});

/** How often the other link is nudged while one goes through these states. */
function nudged(other: LinkState, ...states: readonly LinkState[]): number {
  let nudgeCount = 0;
  let state: LinkState = { name: "off" };
  const linkIn = (now: () => LinkState) => (): Link => ({ ...LINK_OFF, state: now() });
  const line = watchSharedLine(
    new Map([
      [ONE, { link: linkIn(() => state), nudge: () => undefined }],
      [OTHER, { link: linkIn(() => other), nudge: () => void (nudgeCount += 1) }],
    ]),
  );
  for (const next of states) {
    state = next;
    line.changed(ONE);
  }
  return nudgeCount;
}

it.each<[string, LinkState, readonly LinkState[], number]>([
  ["one that waits for the network goes on when another stands", waiting("network"), [LIVE], 1],
  ["one that is signed out is tried when another stands", { name: "signed-out" }, [LIVE], 1],
  ["one goes on once, however often another is looked at", waiting("network"), [LIVE, LIVE], 1],
  ["one goes on again when another stands again", waiting("network"), [LIVE, waiting("network"), LIVE], 2],
  ["one that was told to wait waits", waiting("told"), [LIVE], 0],
  ["one that stands is asked when another's line broke", LIVE, [LIVE, waiting("network")], 1],
  ["one isn't asked by a line that fails again", LIVE, [LIVE, waiting("network"), waiting("network")], 1],
  ["one isn't asked by a line that never stood", LIVE, [waiting("network")], 0],
  [
    "one isn't asked by a link that was told to go, or isn't wanted any more",
    LIVE,
    [LIVE, waiting("told"), LIVE, { name: "off" }],
    0,
  ],
  ["one that waits isn't nudged by a line that broke", waiting("network"), [LIVE, waiting("network")], 1],
])("%s", (_what, other, states, times) => {
  expect(nudged(other, ...states)).toBe(times);
});
