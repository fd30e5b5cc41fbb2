import { expect, it } from "vitest";
import type { ChannelId } from "#protocol/ids.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { KEEP_ALL } from "../../store/keep.ts";
import { countReadiness, type ChannelHeld, type ReadinessSnapshot } from "../../store/readiness.ts";
import { emptyRoom } from "../../store/rooms.ts";
import { bytesOf } from "../../ui/bytes.ts";
import { clockOf } from "../../ui/time.ts";
import { longDayOf } from "./days.ts";
import { sentenceOf, sinceOf } from "./held-words.ts";

const AT = new Date(2026, 10, 25, 14, 32).getTime();
const DAY = longDayOf(AT);

const MB = 1_000_000;
type Storage = ReadinessSnapshot["storage"];

function heldFrom(from: number, oldestAt: number, heldBytes = 5_000): ChannelHeld {
  const name = `channel:w_${from}` as RoomName;
  const held = { cursor: 9, ranges: [{ from, to: null }], lastSeq: 9, heldCount: 10 - from, heldBytes, oldestAt };
  return { id: name as string as ChannelId, name, room: { ...emptyRoom(name), ...held }, headSeq: 9 };
}

function saidOf(...channels: readonly ChannelHeld[]): string {
  return saidWith({}, ...channels);
}

/** @param told what the browser says of its storage */
function saidWith(told: Partial<Storage>, ...channels: readonly ChannelHeld[]): string {
  const counted = countReadiness(channels, KEEP_ALL, AT + 60_000);
  const storage: Storage = { usedBytes: null, quotaBytes: null, isPersistent: null, kind: "disk", ...told };
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

it("how much is on this device is what the browser counts, and at least what the messages take", () => {
  const channels = [heldFrom(1, AT, 40 * MB), heldFrom(4, AT, 20 * MB)];
  const said = (bytes: number): string => `2 channels, 15 messages, ${bytesOf(bytes)} on this device, `;
  expect(saidWith({ usedBytes: 86 * MB }, ...channels)).toContain(said(86 * MB));
  // An estimate that lags behind, and a browser that tells none.
  for (const usedBytes of [1 * MB, null]) expect(saidWith({ usedBytes }, ...channels)).toContain(said(60 * MB));
  expect(saidWith({ usedBytes: 86 * MB }, heldFrom(9, AT))).toContain("1 channel, 1 message, 86");
});

it.each<[boolean | null, string]>([
  [true, "; storage protected."],
  [false, "; storage not protected."],
  [null, "."],
])("storage of which the browser says that it is persistent: %s is called so at the end", (isPersistent, end) => {
  const said = saidWith({ isPersistent }, heldFrom(1, AT));
  expect(said).toBe(`1 channel, 9 messages, ${bytesOf(5_000)} on this device, complete since ${DAY}${end}`);
});

it("of the channels those are counted of which something is here, and an empty one that is here as it is", () => {
  const name = "channel:w_later" as RoomName;
  const toCome = { id: name as string as ChannelId, name, room: emptyRoom(name), headSeq: 9 };
  const empty = { ...toCome, room: { ...toCome.room, cursor: 0, ranges: [{ from: 1, to: null }] }, headSeq: 0 };
  expect(saidOf(heldFrom(1, AT), toCome, toCome)).toContain("1 channel, 9 messages, ");
  expect(saidOf(heldFrom(1, AT), toCome, empty)).toContain("2 channels, 9 messages, ");
});

it("of nothing no size, time or protection is said", () => {
  expect(saidWith({ usedBytes: 86 * MB, isPersistent: true }, heldFrom(10, AT, 0))).toBe(
    "Nothing is on this device yet.",
  );
});
