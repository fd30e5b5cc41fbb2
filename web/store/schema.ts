// The tables of a person's database and its migrations. Migrations are appended, never changed: an old profile runs
// every one it lacks, in order, in the one transaction of the upgrade.
import type { Entity } from "#protocol/entities/entity.ts";
import type { Message } from "#protocol/entities/message.ts";
import type { Failure } from "#protocol/errors.ts";
import type { You } from "#protocol/frames/base.ts";
import type { Head } from "#protocol/frames/welcome.ts";
import type { ChannelId, DeviceId, MessageId, OpId, WorkspaceId } from "#protocol/ids.ts";
import type { AnyOp, OpArgs } from "#protocol/ops/all.ts";
import type { RoomName } from "#protocol/room-name.ts";
import type { Keep } from "./keep.ts";
import type { Refusal } from "./snapshots.ts";
import type { Key } from "./tx.ts";

/** Seqs of which all is held that last changed at or before the cursor. Null: open to the newest. */
export interface SeqRange {
  readonly from: number;
  readonly to: number | null;
}

/** Older messages are compared with the room up to `cursor`; up to `upTo` is due. */
export interface SecondCursor {
  readonly cursor: number;
  readonly upTo: number;
  /** All beyond this place was posted after `cursor`, so the comparison itself brings it. Missing in older records. */
  readonly since?: number;
}

/** How far a room is known here. */
export interface RoomRecord {
  readonly name: RoomName;
  /** The rev up to which the replica is complete; null where nothing is held. */
  readonly cursor: number | null;
  readonly epoch: string | null;
  /** The room's head as last heard. */
  readonly head: number;
  /** Raised by a reset; entities of an earlier generation go when the reset is through. */
  readonly generation: number;
  /** A reset isn't through, or the first pages of all: more of it comes. */
  readonly isSweeping: boolean;
  /** Ascending, apart from each other; the last one is open. Empty in a workspace room. */
  readonly ranges: readonly SeqRange[];
  /** Up to this place the open range is held without a hole; missing in records of older builds. */
  readonly heardTo?: number;
  /** Older messages not yet compared with the room ([SY4]); null where all are. */
  readonly second: SecondCursor | null;
  readonly floor: number;
  /** The highest seq held, and the highest of others' that counts as unread. */
  readonly lastSeq: number;
  readonly top: number;
  readonly heldCount: number;
  /** About what they take on disk; missing in records of older builds. */
  readonly heldBytes?: number;
  /** The highest rev that an answer or a page of history brought; above the cursor it was heard of by no other way yet. Missing where none did. */
  readonly answered?: number;
  /** When the oldest message of the open range was written; null where that isn't known. Epoch ms. */
  readonly oldestAt?: number | null;
  /** Seqs that name me, read or not: the latest `NAMING_MAX`. */
  readonly naming: readonly number[];
  /** The heads counter, in a workspace room. */
  readonly heads: number;
  readonly you: You | null;
}

export interface EntityRecord {
  readonly room: RoomName;
  readonly generation: number;
  readonly entity: Entity;
}

export interface MessageRecord {
  readonly room: RoomName;
  readonly message: Message;
}

export interface HeadRecord extends Head {
  readonly workspace: WorkspaceId;
  readonly channel: ChannelId;
}

/** An op stored and not yet answered. Without `n` it is open; with `refusal` it waits for the person. */
export type OutboxRecord = AnyOp & {
  /** In the order written. */
  readonly place: number;
  /** Raised by every change, so that tabs can tell news from old news. */
  readonly version: number;
  readonly id: OpId;
  readonly room: RoomName;
  /** When it was written, by this device. Epoch ms. */
  readonly at: number;
  /** Not numbered before this time, so that later ones may replace it: read positions, drafts. Epoch ms. */
  readonly dueAt?: number;
  readonly n?: number;
  /** Whose number that is; missing where an older build gave it. */
  readonly device?: DeviceId;
  /** Its number is being used up, since the room keeps failing on it ([OP6]); the failure to keep it with. */
  readonly skip?: Failure;
  readonly refusal?: Refusal;
  /**
   * It had a number once whose answer nobody has, or may have had: it may stand, so it goes as it was, and changes go
   * behind it.
   */
  readonly maybeDelivered?: true;
  /** A draft that stood empty since the room last heard of it: another one, though it say the same ([OP18]). */
  readonly isErased?: boolean;
  /** Its message came, though no answer did: said as it leaves the outbox. */
  readonly isFound?: true;
  /** Its author signed out and didn't want it sent: said as it leaves the outbox. */
  readonly isGivenUp?: true;
  /** What a deletion outdated, in the order written: it waits again if the deletion isn't to be. */
  readonly took?: readonly OutboxRecord[];
};

/** An op of one kind as it waits. */
export type Queued<Name extends AnyOp["op"]> = OutboxRecord & { readonly op: Name; readonly args: OpArgs<Name> };

export interface DeviceRecord {
  readonly room: RoomName;
  readonly device: DeviceId;
  /** The number of the next op taken up. */
  readonly next: number;
}

export interface DraftRecord {
  readonly workspace: WorkspaceId;
  readonly channel: ChannelId;
  /** Empty outside threads. */
  readonly root: MessageId | "";
  readonly text: string;
  /** What the room had, or was to have, as far as its writer knew: what came to stand there since isn't theirs to replace. */
  readonly over?: string | undefined;
  readonly at: number;
}

export type MetaRecord =
  | { readonly key: "leader"; readonly tab: string }
  /** Which database this is: one made anew under the same name has another. */
  | { readonly key: "database"; readonly id: string }
  /** Of the ops that a tab put back when this database was made in the place of one that was taken away. */
  | { readonly key: "restored"; readonly ids: readonly OpId[] }
  | { readonly key: "keep"; readonly keep: Keep }
  /** Channel room → when it was last on screen. */
  | { readonly key: "looked"; readonly rooms: Readonly<Record<string, number>> }
  /** The person chose to work offline: nothing of ours uses the network, in no tab and in no worker. */
  | { readonly key: "workOffline"; readonly on: boolean }
  /** Somebody asked to sign out, and hasn't heard the answer; see leaving.ts. */
  | {
      readonly key: "leaving";
      readonly queue: "none" | "keep" | "discard";
      /** Which press it was. */
      readonly by: string;
      /** The last place in the outbox then. */
      readonly upTo: number;
      /** Drafts then, also those on their way. Missing where they couldn't be read: all of them; or an older build noted it. */
      readonly drafts?: readonly Omit<DraftRecord, "text">[];
      /** Epoch ms. */
      readonly at: number;
    }
  /** Workspace → until when all of it was known to be up to date. Epoch ms. */
  | { readonly key: "liveAt"; readonly workspaces: Readonly<Record<string, number>> }
  /** How far a rework has come: all up to this key is in the new form; null before the first slice. */
  | { readonly key: `rework:${string}`; readonly after: Key | null; readonly isDone: boolean };

/** A line of the event log: what happened to connection, outbox and device. Ids and counts; never text, tokens or names. */
export interface EventRecord {
  /** In the order noted, from 1. */
  readonly place: number;
  /** Epoch ms, by this device. */
  readonly at: number;
  readonly kind: EventKind;
  /** What happened, in a word or two of `strings-log.ts`. */
  readonly what: string;
  readonly room?: RoomName;
  readonly count?: number;
  /** Of ops, in order; the first few. */
  readonly ids?: readonly string[];
  /** A code, a state, a number of a close. */
  readonly detail?: string;
}

export type EventKind = "connection" | "outbox" | "sync" | "storage" | "app";

export interface Tables {
  readonly rooms: RoomRecord;
  readonly entities: EntityRecord;
  readonly messages: MessageRecord;
  readonly heads: HeadRecord;
  readonly outbox: OutboxRecord;
  readonly devices: DeviceRecord;
  readonly drafts: DraftRecord;
  readonly meta: MetaRecord;
  readonly events: EventRecord;
}

export type TableName = keyof Tables;
export type IndexName = "id" | "pinned";

export interface Table {
  readonly key: readonly string[];
  readonly isNumbered?: true;
  readonly indexes?: Readonly<Partial<Record<IndexName, readonly string[]>>>;
}

/** The tables as the first build made them; later ones are changed by migrations. */
const FIRST_TABLES = {
  rooms: { key: ["name"] },
  entities: { key: ["room", "entity.kind", "entity.id"] },
  messages: { key: ["room", "message.seq"], indexes: { id: ["room", "message.id"] } },
  heads: { key: ["workspace", "channel"] },
  outbox: { key: ["place"], isNumbered: true, indexes: { id: ["id"] } },
  devices: { key: ["room"] },
  drafts: { key: ["workspace", "channel", "root"] },
  meta: { key: ["key"] },
} as const satisfies Readonly<Record<string, Table>>;

const PINNED: readonly string[] = ["room", "message.pinned.at"];

/** The tables as they stand after the last migration. */
export const TABLES: Readonly<Record<TableName, Table>> = {
  ...FIRST_TABLES,
  messages: { ...FIRST_TABLES.messages, indexes: { ...FIRST_TABLES.messages.indexes, pinned: PINNED } },
  events: { key: ["place"] },
};

/**
 * A change of many records, too long for the upgrade's one transaction, during which nothing can be read: it runs behind
 * the open database, in slices. Until it is done records of both forms are there, so what reads them reads both.
 */
export interface Rework<T extends TableName = TableName> {
  /** Never given again. */
  readonly name: string;
  readonly table: T;
  /** Pure, keeps the key, and of a record in the new form already makes the same one. */
  readonly change: (record: Tables[T]) => Tables[T];
}

/** Appended, never changed, like migrations. None so far. */
export const REWORKS: readonly Rework[] = [];

/** @param tx the upgrade's own transaction, over all tables */
export type Migration = (db: IDBDatabase, tx: IDBTransaction) => void;

function path(parts: readonly string[]): string | string[] {
  const [only, ...others] = parts;
  return only !== undefined && others.length === 0 ? only : [...parts];
}

/** The migration at index i leads from version i to i + 1. */
export const MIGRATIONS: readonly Migration[] = [
  (db) => {
    for (const [name, table] of Object.entries<Table>(FIRST_TABLES)) {
      const store = db.createObjectStore(name, { keyPath: path(table.key), autoIncrement: table.isNumbered === true });
      for (const [index, parts] of Object.entries(table.indexes ?? {})) store.createIndex(index, path(parts));
      // Added later, for none that is there needs it: ops begin behind all places of a database that was here before. A tab that
      // was frozen while that was cleared hears what leaves this one, and in the same place there would stand one of its own.
      if (table.isNumbered) {
        store.put({ place: Date.now() });
        store.clear();
      }
    }
  },
  // Only pinned messages stand in it: a record without the path isn't indexed.
  (_db, tx) => tx.objectStore("messages").createIndex("pinned", path(PINNED)),
  (db) => db.createObjectStore("events", { keyPath: "place" }),
];
