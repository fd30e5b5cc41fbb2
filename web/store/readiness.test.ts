import { describe, expect, it } from "vitest";
import type { ChannelId } from "#protocol/ids.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { KEEP_ALL } from "./keep.ts";
import { countReadiness, fillingBy, type ChannelHeld, type FillStatus, type PauseReason } from "./readiness.ts";
import { emptyRoom } from "./rooms.ts";
import type { ConnectionSnapshot } from "./snapshots.ts";

const NOW = Date.UTC(2026, 10, 21);

function held(name: string, lastSeq: number, headSeq: number, from = 1): ChannelHeld {
  const range = { from, to: null };
  const room = { ...emptyRoom(`channel:w_${name}` as RoomName), cursor: lastSeq, ranges: [range], lastSeq };
  return {
    id: name as ChannelId,
    name,
    room: { ...room, heldCount: lastSeq - from + 1, oldestAt: NOW - 1_000 },
    headSeq,
  };
}

describe("what is said to be on this device", () => {
  it("is all of a channel only up to the newest message that the workspace's room knows of", () => {
    const { channels, readyCount, toCome } = countReadiness(
      [held("whole", 150, 150), held("missed", 150, 450), held("both", 150, 160, 51)],
      KEEP_ALL,
      NOW,
    );
    expect(channels.map(({ isReady, toCome: left }) => [isReady, left])).toEqual([
      [true, 0],
      [false, 300],
      [false, 60],
    ]);
    expect([readyCount, toCome]).toEqual([1, 360]);
  });

  it("has nothing to wait for where a message came before the word of it", () => {
    const { readyCount, toCome } = countReadiness([held("ahead", 151, 150)], KEEP_ALL, NOW);
    expect([readyCount, toCome]).toEqual([1, 0]);
  });

  it("is complete since a time only where nothing is missing between that time and now", () => {
    const whole = held("whole", 150, 150);
    const hole = { ...held("hole", 150, 150), room: { ...whole.room, heardTo: 50 } };
    const said = [whole, hole, held("behind", 150, 450)].map((each) => countReadiness([each, whole], KEEP_ALL, NOW));
    expect(said.map(({ completeSince }) => completeSince)).toEqual([NOW - 1_000, null, null]);
    expect(said.map(({ channels }) => channels[0]?.isWhole)).toEqual([true, false, false]);
    expect(said.map(({ channels }) => channels[0]?.since)).toEqual([NOW - 1_000, null, null]);
  });
});

describe("what filling waits for", () => {
  const cutOff: FillStatus = { state: "paused", why: "offline", until: null };

  it.each<[PauseReason, ConnectionSnapshot]>([
    ["offline", { state: "offline", retryAt: 1 }],
    ["chosen", { state: "offline", retryAt: null, isChosen: true }],
    ["offline", { state: "reconnecting", retryAt: null }],
    ["offline", { state: "connecting" }],
    ["signed-out", { state: "signed-out" }],
    ["misconfigured", { state: "misconfigured", detail: "", retryAt: null }],
    ["refused", { state: "refused", code: "forbidden", detail: "" }],
    ["outdated", { state: "refused", code: "upgrade_required", detail: "" }],
  ])("is %s where it is cut off and the connection is %j", (why, connection) => {
    expect(fillingBy(cutOff, connection)).toEqual({ ...cutOff, why });
  });

  it("stays what it was where it isn't the connection", () => {
    const others: readonly FillStatus[] = [{ state: "filling" }, { ...cutOff, why: "saving" }, { state: "done" }];
    for (const fill of others) expect(fillingBy(fill, { state: "live" })).toBe(fill);
    for (const fill of others) expect(fillingBy(fill, { state: "reconnecting", retryAt: null })).toBe(fill);
  });

  it("says first what one has to do oneself, whatever else is in the way", () => {
    const saving: FillStatus = { ...cutOff, why: "saving" };
    expect(fillingBy(saving, { state: "signed-out" })).toEqual({ ...cutOff, why: "signed-out" });
  });
});
