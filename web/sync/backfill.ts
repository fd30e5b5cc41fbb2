// What is asked for next so that all that is wanted of every channel is on this device, and when nothing may be. Pure:
// filler.ts does it.
//
//   a channel without a link:  nothing held ──begin──▶ newest page ──check──▶ up to date ──older…──▶ filled
//   a channel with a link:     the link brings it up to date; ──older…──▶ filled
//
// One step at a time, over all channels. What is new comes before what is old; of what is old the latest written first,
// so that the whole workspace reaches back equally far. A step changes what is stored, and the next is found anew from
// that: nothing is remembered, and a restart goes on where it was.
import type { Head } from "#protocol/frames/welcome.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { FAR_BEHIND_REVS } from "#protocol/limits.ts";
import { isFilled, type KeepDays } from "../store/keep.ts";
import type { PauseReason } from "../store/readiness.ts";
import type { RoomRecord } from "../store/schema.ts";

export interface FillRoom {
  readonly room: RoomRecord;
  /** As the workspace's room says; 0 where it hasn't. */
  readonly head: Pick<Head, "rev" | "seq" | "at" | "restored">;
  /** `up`: all up to its head is here, and its link carries questions. `wanted`: it will be, or waits to be. */
  readonly link: "none" | "wanted" | "up";
  readonly days: KeepDays;
  /** When it was last brought up to date without a link. Epoch ms. */
  readonly pulledAt: number;
  /** Not asked before; it answered that it may not be, or not now. Epoch ms. */
  readonly restsUntil: number;
}

/** How far a channel is here. */
type Standing = Pick<FillRoom, "room" | "head" | "link">;

export type FillStep =
  /** The newest page, over HTTP: nothing is held, or what is held is too far behind. */
  | { readonly do: "begin"; readonly room: RoomName }
  /** What changed after a cursor, over HTTP. */
  | { readonly do: "check"; readonly room: RoomName; readonly since: number }
  /** A page of older messages. */
  | { readonly do: "older"; readonly room: RoomName; readonly before: number; readonly over: "link" | "http" };

/**
 * A channel without a link that moves on is read again so soon, one channel each gap; till then its marks tell of the last
 * time. After five minutes it is, however many others are.
 */
export const PULL_AFTER_MS = 10_000;
export const PULL_GAP_MS = 2_000;
export const PULL_AT_LATEST_MS = 5 * 60_000;

/** @param newsAt when the last of them was read again. Epoch ms. */
export function planFill(rooms: readonly FillRoom[], now: number, newsAt: number): FillStep | null {
  const askable = rooms.filter(({ restsUntil }) => restsUntil <= now);
  const apart = askable.filter(({ link }) => link === "none").toSorted((one, other) => other.head.at - one.head.at);
  for (const each of apart) {
    const step = upToDate(each, now, newsAt);
    if (step !== null) return step;
  }
  const older = askable
    .filter((each) => each.link !== "wanted" && isOlderWanted(each, now))
    .toSorted((one, other) => (other.room.oldestAt ?? now) - (one.room.oldestAt ?? now));
  const [latest] = older;
  const before = latest?.room.ranges.at(-1)?.from;
  if (latest === undefined || before === undefined) return null;
  return { do: "older", room: latest.room.name, before, over: latest.link === "up" ? "link" : "http" };
}

/** Of all that only what happened since in channels of which something is held: little, and what their marks tell rests on it. */
export function planNews(rooms: readonly FillRoom[], now: number, newsAt: number): FillStep | null {
  const news = behind(rooms)
    .filter((each) => pullAt(each, newsAt) <= now)
    .toSorted((one, other) => other.head.at - one.head.at)
    .map((each) => upToDate(each, now, newsAt));
  return news.find((step) => step?.do === "check") ?? null;
}

/** Whether nothing is left to come, by a link that is still to stand or when a room may be asked again neither. */
export function isAllHere(rooms: readonly FillRoom[], now: number): boolean {
  const askable = rooms.map((each): FillRoom => ({ ...each, link: "none", pulledAt: 0, restsUntil: 0 }));
  return planFill(askable, now, 0) === null;
}

/** Without a link, and moved on since: what is read of them tells of the last time. */
export function behind<Room extends Standing>(rooms: readonly Room[]): readonly Room[] {
  return rooms.filter((each) => each.link === "none" && isBehind(each));
}

function isBehind({ room, head }: Standing): boolean {
  return room.cursor !== null && head.rev > room.cursor;
}

function pullAt({ pulledAt, restsUntil }: FillRoom, newsAt: number): number {
  const inTurn = Math.max(pulledAt + PULL_AFTER_MS, newsAt + PULL_GAP_MS);
  return Math.max(restsUntil, Math.min(inTurn, pulledAt + PULL_AT_LATEST_MS));
}

/** When the next of those may be read again, of which none may now; null where there is none. Epoch ms. */
export function nextPullAt(rooms: readonly FillRoom[], now: number, newsAt: number): number | null {
  const times = behind(rooms).map((each) => pullAt(each, newsAt));
  const ahead = times.filter((at) => at > now);
  return ahead.length === 0 ? null : Math.min(...ahead);
}

function upToDate(each: FillRoom, now: number, newsAt: number): FillStep | null {
  const { room, head } = each;
  const { name, cursor, second } = room;
  const isPast = head.restored !== undefined && head.restored.epoch !== room.epoch;
  if (cursor === null || room.ranges.length === 0 || isPast) return { do: "begin", room: name };
  if (isBehind(each) && pullAt(each, newsAt) <= now) {
    const isFar = head.rev - cursor > FAR_BEHIND_REVS;
    return isFar ? { do: "begin", room: name } : { do: "check", room: name, since: cursor };
  }
  return second === null ? null : { do: "check", room: name, since: second.cursor };
}

function isOlderWanted({ room, days }: FillRoom, now: number): boolean {
  return room.cursor !== null && room.ranges.length > 0 && room.second === null && !isFilled(room, days, now);
}

/** Those that are asked over HTTP next, the first to come first: one request brings the tokens of them all. */
export function askedNext(rooms: readonly FillRoom[], first: RoomName, now: number, limit: number): RoomName[] {
  const others = rooms.filter(
    (each) =>
      each.link === "none" &&
      each.room.name !== first &&
      each.restsUntil <= now &&
      (upToDate(each, now, 0) !== null || isOlderWanted(each, now)),
  );
  return [first, ...others.map(({ room }) => room.name)].slice(0, limit);
}

// — when —

/** What bytes cost on this line, as far as the browser tells. */
export type Line = "free" | "saving" | "metered" | "slow";

export interface Conditions {
  readonly isConnected: boolean;
  /** Something newer is owed, or something waits to be sent. */
  readonly isOwed: boolean;
  /** When somebody last scrolled, typed or pressed anything. Epoch ms. */
  readonly usedAt: number;
  /** Since when no tab is seen; null while one is. Epoch ms. */
  readonly hiddenAt: number | null;
  /** Null where it isn't known yet. */
  readonly line: Line | null;
  /** The person asked for it all the same. */
  readonly isForced: boolean;
  readonly isShort: boolean;
  readonly isAtCap: boolean;
  /** Epoch ms. */
  readonly waitsUntil: number;
}

export interface Pause {
  readonly why: PauseReason;
  /** When it may be over by itself; null where something has to happen first. Epoch ms. */
  readonly until: number | null;
}

/** So long after the last touch the screen is left alone. */
export const QUIET_MS = 1_500;
/** Unseen for so long it stops: nobody waits for it, and the battery is somebody's. */
export const HIDDEN_MS = 10 * 60_000;

/** New as it is, it gives way so long to what waits to be sent, and to what was missed. */
export const GIVES_WAY_FOR_MS = 10_000;

/**
 * What holds up even what is new: marks, title and badge rest on that, and it is little. What bytes cost doesn't, nor that
 * nobody looks, that history is at its limit, or that something is owed which doesn't come.
 * @param owedAt since when something is; null where nothing is. Epoch ms.
 */
export function newsPauseOf(at: Conditions, owedAt: number | null, now: number): Pause | null {
  const givesWayUntil = (owedAt ?? Number.NEGATIVE_INFINITY) + GIVES_WAY_FOR_MS;
  const isOwed = now < givesWayUntil;
  const pause = pauseOf({ ...at, line: "free", hiddenAt: null, isAtCap: false, isOwed }, now);
  return isOwed && pause?.why === "busy" ? { why: "busy", until: givesWayUntil } : pause;
}

/** Null where it may go on. */
export function pauseOf(at: Conditions, now: number): Pause | null {
  // First what a connection changes nothing about: without one it is said to go on by itself.
  if (at.isShort) return { why: "space", until: null };
  if (at.isAtCap) return { why: "cap", until: null };
  if (at.line !== "free" && !at.isForced) return { why: at.line ?? "busy", until: null };
  if (!at.isConnected) return { why: "offline", until: null };
  if (at.waitsUntil > now) return { why: "asked-to-wait", until: at.waitsUntil };
  if (at.hiddenAt !== null && now - at.hiddenAt >= HIDDEN_MS && !at.isForced) return { why: "hidden", until: null };
  if (at.isOwed) return { why: "busy", until: null };
  const quietMs = now - at.usedAt;
  // Less than nothing where the clock was set back since.
  return quietMs >= 0 && quietMs < QUIET_MS ? { why: "busy", until: at.usedAt + QUIET_MS } : null;
}
