// The highest place of a channel that can be unread to me, by what is held of it.
import { countsAsUnread, type Message } from "#protocol/entities/message.ts";
import type { UserId } from "#protocol/ids.ts";
import { messagesBetween } from "./messages.ts";
import type { RoomRecord } from "./schema.ts";
import type { ReadTx } from "./tx.ts";

/** Read at once in looking for the last one before what was deleted, and in all. */
const LOOKED_BACK = 50;
const LOOKED_BACK_MAX = 1_000;

/** What is deleted leaves nothing to be read. */
export function isUnreadTo(me: UserId, message: Message): boolean {
  return !message.deleted && countsAsUnread(message) && message.author !== me;
}

/**
 * @param room with what came counted in
 * @param came all of it, and what of it is stored
 * @param isBegun nothing of this history was held before
 */
export async function topAfter(
  tx: ReadTx,
  room: RoomRecord,
  came: { readonly all: readonly Message[]; readonly stored: readonly Message[]; readonly isBegun: boolean },
  me: UserId,
): Promise<number> {
  const { top, ranges, floor } = room;
  if (came.all.some((message) => message.seq === top && !isUnreadTo(me, message))) return topBelow(tx, room, me);
  if (top > 0) return top;
  // Of a page of my own messages nothing is unread, nor of deleted ones; before it there may be.
  const from = ranges.at(-1)?.from ?? 1;
  const isKnown = !came.isBegun && !came.stored.some(({ deleted }) => deleted);
  return isKnown || from <= floor ? 0 : from - 1;
}

async function topBelow(tx: ReadTx, { name, ranges, top }: RoomRecord, me: UserId): Promise<number> {
  const first = ranges.find(({ from, to }) => from <= top && (to === null || top <= to))?.from ?? top;
  let below = top;
  while (below > first && below > top - LOOKED_BACK_MAX) {
    const from = Math.max(first, below - LOOKED_BACK);
    const last = (await messagesBetween(tx, name, from, below - 1)).findLast((message) => isUnreadTo(me, message));
    if (last !== undefined) return last.seq;
    below = from;
  }
  return below - 1;
}
