// How much history the person wants on this device: the table `meta`, record `keep`. Pure but for reading and writing it.
import type { ChannelId } from "#protocol/ids.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { standingRoom } from "./channels-view.ts";
import type { Replica } from "./replica.ts";
import { heardTo } from "./rooms.ts";
import type { RoomRecord, SeqRange } from "./schema.ts";
import type { ReadTx, WriteTx } from "./tx.ts";

/** Days back from now; null for everything, 0 for the newest page alone. */
export type KeepDays = number | null;

export interface Keep {
  /** For every channel that has no setting of its own. */
  readonly days: KeepDays;
  /** All channels together; null for as much as the browser gives. */
  readonly maxBytes: number | null;
  readonly rooms: Readonly<Record<string, KeepDays>>;
}

export const KEEP_ALL: Keep = { days: null, maxBytes: null, rooms: {} };
/** Kept on the device of one channel (product, point 9). */
export const KEPT_MAX = 100_000;
/** Of a channel so many of the newest stay, whatever happens. */
export const KEPT_MIN = 100;
const DAY_MS = 24 * 3_600_000;

export async function readKeep(tx: ReadTx): Promise<Keep> {
  const record = await tx.get("meta", "keep");
  return record?.key === "keep" ? record.keep : KEEP_ALL;
}

export function putKeep(tx: WriteTx, keep: Keep): void {
  tx.put("meta", { key: "keep", keep });
}

export function daysFor(keep: Keep, room: RoomName): KeepDays {
  const own = keep.rooms[room];
  return own === undefined ? keep.days : own;
}

/** Messages written before it aren't wanted; null where all are. Epoch ms. */
export function wantedSince(days: KeepDays, now: number): number | null {
  return days === null ? null : now - days * DAY_MS;
}

/** The first place that may be kept, whenever it was written. */
export function firstWanted({ floor, lastSeq }: Pick<RoomRecord, "floor" | "lastSeq">): number {
  return Math.max(1, floor, lastSeq - KEPT_MAX + 1);
}

/** Whether all that is wanted of a channel is here, without a hole. */
export function isFilled(room: RoomRecord, days: KeepDays, now: number): boolean {
  const newest = room.ranges.at(-1);
  if (room.cursor === null || newest === undefined || room.second !== null) return false;
  if (newest.from <= firstWanted(room)) return true;
  const since = wantedSince(days, now);
  const isEnough = heardTo(room) - newest.from + 1 >= KEPT_MIN;
  return since !== null && isEnough && room.oldestAt != null && room.oldestAt <= since;
}

/** The newest place of a channel, as the workspace's room has told; 0 where it hasn't. */
export function headSeqOf({ heads }: Pick<Replica, "heads">, channel: ChannelId): number {
  return heads.get(channel)?.seq ?? 0;
}

/** About how many of the newest that are known to be there aren't here: also those in a hole before the last held. */
export function missedOf(room: RoomRecord, headSeq: number): number {
  return Math.max(0, Math.max(headSeq, room.lastSeq) - heardTo(room));
}

/** Whether all of the channel is on this device, and as it is now, as far as the workspace's room has told what there is. */
export function isComplete(room: RoomRecord, headSeq: number): boolean {
  const newest = room.ranges.at(-1);
  if (newest === undefined || room.second !== null) return false;
  return newest.from <= Math.max(1, room.floor) && missedOf(room, headSeq) === 0;
}

/** So of a channel, by what it was restored to as well: a history that ended is none of it. */
export function isWhole(replica: Replica, channel: ChannelId): boolean {
  const room = standingRoom(replica, channel);
  return room !== undefined && isComplete(room, headSeqOf(replica, channel));
}

/** About how many messages are still to come; 0 where all that is wanted is here. */
export function toCome(room: RoomRecord, headSeq: number, days: KeepDays, now: number): number {
  const newest = room.ranges.at(-1);
  if (room.cursor === null || newest === undefined) {
    return Math.min(headSeq, days === 0 ? KEPT_MIN : KEPT_MAX);
  }
  return missedOf(room, headSeq) + (isFilled(room, days, now) ? 0 : olderToCome(room, newest, days, now));
}

function olderToCome(room: RoomRecord, newest: SeqRange, days: KeepDays, now: number): number {
  const first = firstWanted(room);
  const older = room.ranges.slice(0, -1);
  const held = older.reduce((sum, { from, to }) => sum + Math.max(0, (to ?? 0) - Math.max(first, from) + 1), 0);
  const missing = Math.max(1, newest.from - first - held);
  const since = wantedSince(days, now);
  if (since === null || room.oldestAt == null) return missing;
  // As many a day as in what is here.
  const here = room.lastSeq - newest.from + 1;
  const perMs = here / Math.max(1, now - room.oldestAt);
  return Math.min(missing, Math.max(1, Math.round(perMs * (room.oldestAt - since))));
}
