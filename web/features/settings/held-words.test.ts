import { expect, it } from "vitest";
import type { ChannelId } from "#protocol/ids.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { KEEP_ALL } from "../../store/keep.ts";
import { countReadiness, type ChannelHeld } from "../../store/readiness.ts";
import { emptyRoom } from "../../store/rooms.ts";
import { clockOf } from "../../ui/time.ts";
import { longDayOf } from "./days.ts";
import { sentenceOf, sinceOf } from "./held-words.ts";

const AT = new Date(2026, 10, 25, 14, 32).getTime();
const DAY = longDayOf(AT);

function heldFrom(from: number, oldestAt: number): ChannelHeld {
  const name = `channel:w_${from}` as RoomName;
  const held = { cursor: 9, ranges: [{ from, to: null }], lastSeq: 9, heldCount: 10 - from, oldestAt };
  return { id: name as string as ChannelId, name, room: { ...emptyRoom(name), ...held }, headSeq: 9 };
}

function saidOf(...channels: readonly ChannelHeld[]): string {
  const counted = countReadiness(channels, KEEP_ALL, AT + 60_000);
  const storage = { usedBytes: null, quotaBytes: null, isPersistent: null, kind: "disk" } as const;
  return sentenceOf({ ...counted, filling: { state: "done" }, storage });
}

it("history that begins in the middle of a day is complete since that time, not since that day", () => {
  expect(sinceOf(AT)).toBe(`${clockOf(AT)} on ${DAY}`);
  expect(saidOf(heldFrom(4, AT))).toContain(`complete since ${clockOf(AT)} on ${DAY}.`);
  expect(saidOf(heldFrom(4, AT), heldFrom(1, AT - 3_600_000))).toContain(`complete since ${clockOf(AT)} on ${DAY}.`);
});

it("of a minute that others may be missing of the next one counts", () => {
  expect(sinceOf(AT + 1)).toBe(sinceOf(AT + 60_000));
  const midnight = new Date(2026, 10, 26).getTime();
  expect(sinceOf(midnight - 1)).toBe(`${clockOf(midnight)} on ${longDayOf(midnight)}`);
});

it("where all channels are held from their beginning it is complete since the day of the first message", () => {
  expect(saidOf(heldFrom(1, AT))).toContain(`complete since ${DAY}.`);
});
