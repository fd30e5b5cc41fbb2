// The replica as the search worker sees it: it reads, and never writes. On disk it is the person's own database; where the
// browser keeps nothing, what the page hands over.
import type { Message } from "#protocol/entities/message.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { diskBackend, letGoOf, settled } from "../../store/database.ts";
import { messageAt, messageById, messagesBetween } from "../../store/messages.ts";
import { MIGRATIONS, type RoomRecord } from "../../store/schema.ts";
import type { Change } from "../../store/store.ts";
import { isRange, type Backend } from "../../store/tx.ts";
import type { Place } from "./search-index.ts";

export interface Reader {
  readonly rooms: () => Promise<readonly RoomRecord[]>;
  readonly between: (room: RoomName, from: number, to: number) => Promise<readonly Message[]>;
  readonly at: (places: readonly Place[]) => Promise<readonly (Message | undefined)[]>;
  readonly byId: (room: RoomName, ids: readonly Message["id"][]) => Promise<readonly (Message | undefined)[]>;
  readonly close: () => void;
}

/**
 * Throws where there is no such database, or it is not of this build.
 * @param onClosed another tab needs it for itself: an update of the app, or its removal
 */
export async function openReader(factory: IDBFactory, name: string, onClosed: () => void): Promise<Reader> {
  const request = factory.open(name);
  // Opening must not make an empty one, which a tab would then take for the person's.
  request.addEventListener("upgradeneeded", () => request.transaction?.abort());
  const db = await settled(request);
  db.addEventListener("versionchange", () => {
    letGoOf(db);
    onClosed();
  });
  db.addEventListener("close", onClosed);
  if (db.version !== MIGRATIONS.length) {
    letGoOf(db);
    throw new Error("the database is of another build");
  }
  return readerOver(diskBackend(db));
}

/** Closed with what it reads. */
export function readerOver({ read, close }: Pick<Backend, "read" | "close">): Reader {
  return {
    rooms: () => read(["rooms"], (tx) => tx.all("rooms")),
    between: (room, from, to) => read(["messages"], (tx) => messagesBetween(tx, room, from, to)),
    at: (places) =>
      read(["messages"], (tx) => Promise.all(places.map(({ room, seq }) => messageAt(tx, room as RoomName, seq)))),
    byId: (room, ids) => read(["messages"], (tx) => Promise.all(ids.map((id) => messageById(tx, room, id)))),
    close,
  };
}

export interface FedReader extends Reader {
  readonly take: (change: Change) => void;
}

export function fedReader(): FedReader {
  const rooms = new Map<RoomName, RoomRecord>();
  const messages = new Map<RoomName, Map<number, Message>>();
  const ofRoom = (room: RoomName): Map<number, Message> => messages.get(room) ?? new Map<number, Message>();
  return {
    rooms: () => Promise.resolve([...rooms.values()]),
    between: (room, from, to) =>
      Promise.resolve([...ofRoom(room).values()].filter(({ seq }) => seq >= from && seq <= to)),
    at: (places) => Promise.resolve(places.map(({ room, seq }) => ofRoom(room as RoomName).get(seq))),
    byId: (room, ids) =>
      Promise.resolve(ids.map((id) => [...ofRoom(room).values()].find((message) => message.id === id))),
    close: () => undefined,
    take: (change) => {
      if (change.table === "rooms") {
        if ("put" in change) rooms.set(change.put.name, change.put);
        else rooms.delete(change.remove as RoomName);
      } else if (change.table === "messages") {
        if ("put" in change) {
          const held = ofRoom(change.put.room).set(change.put.message.seq, change.put.message);
          messages.set(change.put.room, held);
        } else {
          const removed = removedBy(change.remove);
          for (const seq of ofRoom(removed.room).keys()) if (removed.has(seq)) ofRoom(removed.room).delete(seq);
        }
      }
    },
  };
}

/** What a removal of messages takes: one, a range of seqs, or a whole room. */
export function removedBy(remove: Extract<Change, { remove: unknown }>["remove"]): {
  readonly room: RoomName;
  readonly has: (seq: number) => boolean;
} {
  if (!isRange(remove)) {
    const [room, at] = remove as readonly [RoomName, number];
    return { room, has: (seq) => seq === at };
  }
  const [room, from = 0] = remove.lower as readonly [RoomName, number?];
  const to = (remove.upper as readonly unknown[])[1];
  // A prefix ends in an array, which sorts behind every number.
  return { room, has: (seq) => seq >= from && (typeof to !== "number" || seq <= to) };
}
