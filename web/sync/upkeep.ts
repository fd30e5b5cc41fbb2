// Keeps what is on this device within what the person allows and what the browser gives: the oldest goes first.
import type { RoomName } from "#protocol/room-name.ts";
import { freeBelow, placeSince } from "../store/freeing.ts";
import { daysFor, firstWanted, KEPT_MIN, wantedSince, type Keep } from "../store/keep.ts";
import { bytesHeld } from "../store/sizes.ts";
import { heardTo } from "../store/rooms.ts";
import type { RoomRecord, TableName } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { ReadTx, WriteTx } from "../store/tx.ts";
import { freeOldest } from "./make-room.ts";
import type { DeviceStorage } from "./ports.ts";

const TABLES: readonly TableName[] = ["rooms", "messages", "outbox", "drafts", "meta"];
/** Fewer than this over the limit of a channel wait for company. */
const WORTH_FREEING = 50;

/** Of what the person allows: filling stops below it, so that what arrives needn't push anything out. */
const FILLED_TO = 0.9;
const FREED_TO = 0.95;

/** How the device stands. `short`: nothing old is fetched any more. `nearly-full`: history makes way. */
export type Space = "ample" | "short" | "nearly-full";

export interface KeepDeps {
  readonly store: Store;
  readonly leader: string;
  readonly isOnScreen: (room: RoomName) => boolean;
  readonly now: () => number;
}

/**
 * Frees what lies beyond the limits of each channel, then what is over the limit of all.
 * @returns the rooms that have to wait with it: somebody reads there
 */
export async function keepWithin(
  { store, leader, isOnScreen, now }: KeepDeps,
  keep: Keep,
): Promise<readonly RoomName[]> {
  const readRooms = (): Promise<readonly RoomRecord[]> => store.read(["rooms"], (tx) => tx.all("rooms"));
  const write = <Result>(body: (tx: WriteTx) => Promise<Result>): Promise<Result> =>
    store.write({ tables: TABLES, durability: "relaxed", leader }, body);
  const waiting: RoomName[] = [];
  for (const known of await readRooms()) {
    const { name, ranges, heldCount } = known;
    if (ranges.length === 0 || heldCount <= KEPT_MIN) continue;
    if (isOnScreen(name)) {
      const below = await store.read(["messages"], (tx) => firstKept(tx, known, keep, now()));
      if (below !== null) waiting.push(name);
      continue;
    }
    await write(async (tx) => {
      const room = await tx.get("rooms", name);
      const below = room === undefined ? null : await firstKept(tx, room, keep, now());
      if (room !== undefined && below !== null) await freeBelow(tx, room, below);
    });
  }
  if (keep.maxBytes === null) return waiting;
  // What went by age counts for both.
  const { maxBytes } = keep;
  let rooms = await readRooms();
  while (totalOf(rooms) > maxBytes) {
    const over = totalOf(rooms) - maxBytes * FREED_TO;
    const freed = await write((tx) => freeOldest(tx, over, ({ name }) => isOnScreen(name)));
    rooms = await readRooms();
    if (freed > 0) continue;
    const spared = rooms.filter(({ name, heldCount }) => heldCount > KEPT_MIN && isOnScreen(name));
    return [...new Set([...waiting, ...spared.map(({ name }) => name)])];
  }
  return waiting;
}

/** A tenth of it all, of the channels least looked at. */
export async function makeWay({ store, leader, isOnScreen }: KeepDeps): Promise<void> {
  await store.write({ tables: TABLES, durability: "relaxed", leader }, async (tx) =>
    freeOldest(tx, totalOf(await tx.all("rooms")) / 10, ({ name }) => isOnScreen(name)),
  );
}

/** Null where nothing has to go. The last message too old stays: it says that nothing between is missing. */
async function firstKept(tx: ReadTx, room: RoomRecord, keep: Keep, now: number): Promise<number | null> {
  const from = room.ranges[0]?.from ?? 1;
  const since = wantedSince(daysFor(keep, room.name), now);
  const byCount = firstWanted(room);
  const isOlder = since !== null && (room.oldestAt ?? 0) < since;
  const byAge = isOlder ? (await placeSince(tx, room, since)) - 1 : 0;
  const below = Math.min(Math.max(byCount, byAge), heardTo(room) - KEPT_MIN + 1);
  return below - from >= WORTH_FREEING ? below : null;
}

export function totalOf(rooms: Iterable<RoomRecord>): number {
  let total = 0;
  for (const room of rooms) total += bytesHeld(room);
  return total;
}

export function isAtCap(rooms: Iterable<RoomRecord>, { maxBytes }: Keep): boolean {
  return maxBytes !== null && totalOf(rooms) >= maxBytes * FILLED_TO;
}

/** Of the browser's quota: from the first on nothing old is fetched, until it is below the second again. */
const SHORT_FROM = 0.85;
const SHORT_UNTIL = 0.8;
const NEARLY_FULL_FROM = 0.95;

/**
 * By what the browser says, where that means something: Chromium 156 names 10 GB more than is used, whatever there is, so
 * that there it is known only by a write that was refused (storage-care.ts), which stops the filling as well.
 */
export async function spaceOf(storage: DeviceStorage | null, before: Space): Promise<Space> {
  if (storage === null) return "ample";
  const { usage = 0, quota = 0 } = await storage.estimate();
  if (quota === 0) return "ample";
  const share = usage / quota;
  if (share >= NEARLY_FULL_FROM) return "nearly-full";
  return share >= (before === "ample" ? SHORT_FROM : SHORT_UNTIL) ? "short" : "ample";
}
