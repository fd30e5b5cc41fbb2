// When the device is full, history makes way: the oldest of the channels least looked at. The outbox never does.
import { freeBelow } from "../store/freeing.ts";
import { KEPT_MIN } from "../store/keep.ts";
import { readLooked } from "../store/meta.ts";
import { bytesHeld } from "../store/sizes.ts";
import { heardTo } from "../store/rooms.ts";
import type { RoomRecord, TableName } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { WriteTx } from "../store/tx.ts";

const TABLES: readonly TableName[] = ["rooms", "messages", "outbox", "drafts", "meta"];
/** Freed at once, so that the next write doesn't meet the same wall. */
const ENOUGH_BYTES = 2_000_000;

/** Answers whether anything could go. Whoever leads: something written has to be stored at once. */
export async function makeRoom(store: Store): Promise<boolean> {
  const options = { tables: TABLES, durability: "relaxed" } as const;
  return store.write(options, async (tx) => (await freeOldest(tx, ENOUGH_BYTES, () => false)) > 0);
}

/**
 * Frees about so much of the history least looked at, half a channel at a time; answers how much.
 * @param isSpared channels that are on screen
 */
export async function freeOldest(tx: WriteTx, bytes: number, isSpared: (room: RoomRecord) => boolean): Promise<number> {
  const looked = await readLooked(tx);
  const lookedAt = ({ name }: RoomRecord): number => looked[name] ?? 0;
  const rooms = (await tx.all("rooms")).filter((room) => room.heldCount > KEPT_MIN && !isSpared(room));
  const order = rooms.toSorted((one, other) => lookedAt(one) - lookedAt(other) || other.heldCount - one.heldCount);
  let freed = 0;
  for (const room of order) {
    if (freed >= bytes) break;
    const below = halfOf(room, bytes - freed);
    if (below === null) continue;
    const after = await freeBelow(tx, room, below);
    freed += Math.max(0, bytesHeld(room) - bytesHeld(after));
  }
  return freed;
}

/** The first place that stays: enough is freed, but no more than half of the channel, nor of its newest. Null for all. */
function halfOf(room: RoomRecord, bytes: number): number | null {
  const newest = room.ranges.at(-1);
  if (newest === undefined) return null;
  const wanted = Math.ceil((bytes * room.heldCount) / Math.max(1, bytesHeld(room)));
  const here = heardTo(room) - newest.from + 1;
  const count = Math.min(wanted, Math.floor(here / 2), here - KEPT_MIN);
  // What stands apart, further down, goes first.
  if (count <= 0) return room.ranges.length > 1 ? newest.from : null;
  return newest.from + count;
}
