import { expect, it } from "vitest";
import type { ConnectionSnapshot } from "../../store/snapshots.ts";
import { deliveryWaitsFor } from "./delivery-waits.ts";

const NO_WAY_BY_ITSELF: readonly ConnectionSnapshot[] = [
  { state: "offline", retryAt: null, isChosen: true },
  { state: "signed-out" },
  { state: "refused", code: "forbidden", detail: "You no longer have access to this workspace." },
];
const BY_ITSELF: readonly ConnectionSnapshot[] = [
  { state: "connecting" },
  { state: "reconnecting", retryAt: 1 },
  { state: "offline", retryAt: null },
  { state: "misconfigured", detail: "It answered 404.", retryAt: 1 },
];

it("goes on by itself only where nobody has to do anything", () => {
  for (const each of BY_ITSELF) expect(deliveryWaitsFor(each), each.state).toMatch(/goes on by itself/);
  for (const each of NO_WAY_BY_ITSELF) expect(deliveryWaitsFor(each), each.state).not.toMatch(/by itself/);
  expect(deliveryWaitsFor({ state: "live" })).toBe(null);
});

it("speaks of the network only where there is none, and else of what it is", () => {
  const said = [...BY_ITSELF, ...NO_WAY_BY_ITSELF].map(deliveryWaitsFor);
  expect(said.filter((each) => each?.includes("no network"))).toEqual([deliveryWaitsFor(BY_ITSELF[2]!)]);
  expect(deliveryWaitsFor({ state: "signed-out" })).toMatch(/session has ended.+Sign in again/);
  expect(deliveryWaitsFor(NO_WAY_BY_ITSELF[2]!)).toMatch(/^You no longer have access to this workspace\. /);
});
