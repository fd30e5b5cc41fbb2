// Where a message stands that a link names by its id alone. Loaded when a link is followed.
import type { Message } from "#protocol/entities/message.ts";
import type { MessageId } from "#protocol/ids.ts";
import { parseRoomName, type RoomName } from "#protocol/room-name.ts";
import { daysFor, isFilled, readKeep } from "./keep.ts";
import type { Liveness } from "./liveness.ts";
import { messageById } from "./messages.ts";
import type { Replica } from "./replica.ts";
import { heardTo } from "./rooms.ts";
import type { RoomRecord } from "./schema.ts";
import type { Source } from "./source.ts";
import type { Store } from "./store.ts";
import { rangeAround } from "./timeline-ends.ts";
import type { Places } from "./timeline-window.ts";

export interface Search {
  readonly store: Store;
  readonly room: RoomName;
  readonly record: () => RoomRecord;
  readonly replica: Pick<Replica, "heads">;
  readonly liveness: Pick<Liveness, "connection">;
  readonly now: () => number;
  /** Asks the room for what lies before a place; true when it was stored. */
  readonly fetchHistory: (place: { readonly before: number }) => Promise<boolean>;
  /** Something of this channel, or of the connection, changed. */
  readonly changes: Source;
  /** Nobody has gone elsewhere meanwhile. */
  readonly isWanted: () => boolean;
}

/** An id says when its message was written, by its author's clock; that may be wrong, and no further is searched. */
const CLOCK_AHEAD_MAX_MS = 7 * 24 * 3_600_000;

/** Read on either side of it. */
const ROWS_AROUND = 30;

/** The window around a message, as soon as it can be had; null where it never can. */
export async function placesAround(search: Search, id: MessageId): Promise<Places | null> {
  const seq = (await findMessage(search, id))?.seq;
  const range = seq === undefined ? undefined : rangeAround(search.record(), seq);
  if (seq === undefined || range === undefined) return null;
  const to = seq + ROWS_AROUND;
  const isAtNewest = range.to === null && to >= search.record().lastSeq;
  return { from: Math.max(range.from, seq - ROWS_AROUND), to: isAtNewest ? null : Math.min(range.to ?? to, to) };
}

/**
 * One that isn't held comes with what was missed, or with the older history; beyond what the person wants kept, because it
 * is asked for.
 */
async function findMessage(search: Search, id: MessageId): Promise<Message | undefined> {
  const { store, room, record } = search;
  const since = writtenAt(id) - CLOCK_AHEAD_MAX_MS;
  while (search.isWanted()) {
    const change = next(search.changes);
    const isCurrent = isHeard(search);
    const [message, keep] = await store.read(["messages", "meta"], (tx) =>
      Promise.all([messageById(tx, room, id), readKeep(tx)]),
    );
    // What a comparison brings stands in no range before that is through: then there is a window around it.
    const isOnWay = message !== undefined && record().second !== null && !rangeAround(record(), message.seq);
    if (message !== undefined && !isOnWay) return message;
    const isToCome = !isFilled(record(), daysFor(keep, room), search.now());
    const isSearched = isWhole(record()) || (!isToCome && (record().oldestAt ?? 0) < since);
    if (isSearched && isCurrent) return undefined;
    // The room may not be at hand, for now or for long: nothing came, and what changes next may bring it.
    if (isSearched || isToCome || !(await reachBack(search))) await change;
  }
  return undefined;
}

/** Answers whether more is held than before. */
async function reachBack({ record, fetchHistory }: Search): Promise<boolean> {
  const from = (): number => record().ranges.at(-1)?.from ?? 0;
  const before = from();
  return (await fetchHistory({ before })) && from() < before;
}

/** A channel that one isn't in is live only once somebody looks at it; its head says how far behind it is. */
function isHeard({ room, record, replica, liveness }: Search): boolean {
  const ref = parseRoomName(room);
  const head = ref?.party === "channel" ? replica.heads.get(ref.channel) : undefined;
  return liveness.connection().state === "live" && (head?.seq ?? 0) <= heardTo(record());
}

const UUID_V7 = /^([\da-f]{8})-([\da-f]{4})-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/;

/** Epoch ms; for what is no id of ours, as half a link, later than anything. */
function writtenAt(id: MessageId): number {
  const [, high = "", low = ""] = UUID_V7.exec(id) ?? [];
  return high === "" ? Infinity : Number.parseInt(high + low, 16);
}

/** All of the channel is held, as of when it was last heard: what isn't found here was written since, if at all. */
function isWhole(room: RoomRecord): boolean {
  return room.cursor !== null && rangeAround(room, Math.max(1, room.floor))?.to === null;
}

function next(changes: Source): Promise<void> {
  return new Promise((resolve) => {
    const stop = changes.subscribe(() => {
      stop();
      resolve();
    });
  });
}
