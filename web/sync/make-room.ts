// When the device is full, history makes way: the older part of the channel that holds most. The outbox never does.
import type { RoomRecord } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { between } from "../store/tx.ts";

/** Of a channel so many of the newest stay, whatever happens. */
const KEPT_MIN = 200;

/** Answers whether anything could go. */
export async function makeRoom(store: Store, leader: string): Promise<boolean> {
  return store.write({ tables: ["rooms", "messages"], durability: "relaxed", leader }, async (tx) => {
    const rooms = await tx.all("rooms");
    const largest = rooms.toSorted((one, other) => other.heldCount - one.heldCount)[0];
    if (largest === undefined || largest.heldCount <= KEPT_MIN) return false;
    const from = largest.lastSeq - Math.max(KEPT_MIN, Math.floor(largest.heldCount / 2)) + 1;
    tx.remove("messages", between([largest.name, 0], [largest.name, from - 1]));
    tx.put("rooms", withoutOlder(largest, from));
    return true;
  });
}

function withoutOlder(room: RoomRecord, from: number): RoomRecord {
  return {
    ...room,
    ranges: [{ from, to: null }],
    second: null,
    heldCount: Math.min(room.heldCount, room.lastSeq - from + 1),
  };
}
