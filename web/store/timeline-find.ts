// Where a message stands that a link names by its id alone. Loaded when a link is followed.
import type { Message } from "#protocol/entities/message.ts";
import type { MessageId } from "#protocol/ids.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { daysFor, isFilled, readKeep } from "./keep.ts";
import { messageById } from "./messages.ts";
import type { RoomRecord } from "./schema.ts";
import type { Source } from "./source.ts";
import type { Store } from "./store.ts";
import { rangeAround } from "./timeline-ends.ts";

export interface Search {
  readonly store: Store;
  readonly room: RoomName;
  readonly record: () => RoomRecord;
  readonly now: () => number;
  /** Nothing can arrive for now. */
  readonly isApart: () => boolean;
  /** Something of this channel, or of the connection, changed. */
  readonly changes: Source;
  /** Nobody has gone elsewhere meanwhile. */
  readonly isWanted: () => boolean;
}

/** One that isn't held comes with the older history, as long as more of it is wanted. */
export async function findMessage(search: Search, id: MessageId): Promise<Message | undefined> {
  const { store, room, record } = search;
  while (search.isWanted()) {
    const [message, keep] = await store.read(["messages", "meta"], (tx) =>
      Promise.all([messageById(tx, room, id), readKeep(tx)]),
    );
    const comesNoMore = isWhole(record()) || isFilled(record(), daysFor(keep, room), search.now());
    if (message !== undefined || comesNoMore || search.isApart()) return message;
    await next(search.changes);
  }
  return undefined;
}

/** All of the channel is held: what isn't found here isn't anywhere. */
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
