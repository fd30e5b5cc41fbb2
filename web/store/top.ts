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

export interface Came {
  readonly all: readonly Message[];
  /** What of it is stored. */
  readonly stored: readonly Message[];
  /** Up to this place nothing of this history was missing before; 0 where nothing of it was held. */
  readonly since: number;
  /** A comparison came to its end with it ([SY4]). */
  readonly isCompared: boolean;
}

/** @param room with what came counted in */
export async function topAfter(tx: ReadTx, room: RoomRecord, came: Came, me: UserId): Promise<number> {
  const { top, ranges, floor } = room;
  const from = ranges.at(-1)?.from ?? 1;
  // What others wrote in the gap isn't read, and that shows before it is here: it is on its way, or comes to whoever looks.
  // Also behind a place in it that is here: pages come by revs, and what was edited since comes later.
  if (top < from && from > Math.max(came.since + 1, floor)) return from - 1;
  if (came.all.some((message) => message.seq === top && !isUnreadTo(me, message))) return topBelow(tx, room, top, me);
  if (top > 0) return came.isCompared ? topBelow(tx, room, top + 1, me) : top;
  // Of deleted messages nothing is unread; before them there may be.
  const isKnown = !came.stored.some(({ deleted }) => deleted);
  return isKnown || from <= floor ? 0 : from - 1;
}

/** The last one before a place; where that isn't held, what may be it. */
async function topBelow(tx: ReadTx, { name, ranges }: RoomRecord, place: number, me: UserId): Promise<number> {
  const first = ranges.find(({ from, to }) => from <= place && (to === null || place <= to))?.from ?? place;
  let below = place;
  while (below > first && below > place - LOOKED_BACK_MAX) {
    const from = Math.max(first, below - LOOKED_BACK);
    const last = (await messagesBetween(tx, name, from, below - 1)).findLast((message) => isUnreadTo(me, message));
    if (last !== undefined) return last.seq;
    below = from;
  }
  return below - 1;
}
