// One workspace's directory and outbox in memory, as they stand on disk: read once, then kept by the commits of all tabs.
// Messages are not in it: a channel may hold a hundred thousand.
import type { Entities, Entity, Kind } from "#protocol/entities/entity.ts";
import { myStateId } from "#protocol/entities/keys.ts";
import type { ChannelId, MessageId, UserId, WorkspaceId } from "#protocol/ids.ts";
import type { Lookup } from "#protocol/ops/op.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { hiding } from "./drafts.ts";
import { readEntities } from "./entities.ts";
import { readHeads } from "./heads.ts";
import { readOutbox, workspaceOf } from "./outbox.ts";
import { entityKey, overlay, type Overlay } from "./overlay.ts";
import { channelRoom, workspaceRoom } from "./rooms.ts";
import type { DraftRecord, HeadRecord, OutboxRecord, RoomRecord } from "./schema.ts";
import { signal, type Source } from "./source.ts";
import type { Change, Commit, Store } from "./store.ts";
import { isRange, prefix, type Key, type Range } from "./tx.ts";

export interface Replica extends Source {
  readonly workspace: WorkspaceId;
  readonly me: UserId;
  readonly isLoaded: () => boolean;
  readonly loaded: Promise<void>;
  /** Raised by every change. */
  readonly version: () => number;
  readonly rooms: ReadonlyMap<RoomName, RoomRecord>;
  readonly heads: ReadonlyMap<ChannelId, HeadRecord>;
  /** By `<channel>.<root>`. */
  readonly drafts: ReadonlyMap<string, DraftRecord>;
  /** In the order written. */
  readonly outbox: () => readonly OutboxRecord[];
  readonly pendingOf: (room: RoomName) => readonly OutboxRecord[];
  /** As the room has confirmed it. */
  readonly confirmed: Lookup;
  /** With pending ops applied. */
  readonly get: Lookup;
  /** All that the directory has confirmed. */
  readonly entities: () => Iterable<Entity>;
  readonly list: <K extends Kind>(kind: K) => readonly Entities[K][];
  readonly overlay: () => Overlay;
  /** Reads all of it again, because commits may have been missed; until then it stays as it was. */
  readonly reload: () => Promise<void>;
  /** Tells whenever all of it was read: what else was read from disk before then may be out of date. */
  readonly readings: Source;
  readonly close: () => void;
}

export function draftKey(channel: ChannelId, root: string): string {
  return `${channel}.${root}`;
}

export function openReplica(store: Store, workspace: WorkspaceId, me: UserId): Replica {
  const changes = signal();
  const readings = signal();
  const directory = workspaceRoom(workspace);
  const rooms = new Map<RoomName, RoomRecord>();
  const entities = new Map<string, Entity>();
  const heads = new Map<ChannelId, HeadRecord>();
  const drafts = new Map<string, DraftRecord>();
  const ops = new Map<number, OutboxRecord>();
  /** Places that were emptied: an old note must not bring an op back. */
  const answered = new Set<number>();
  let isLoaded = false;
  let version = 0;
  /** Heard while all of it is read, which may have begun before them. */
  let early: Commit[] = [];
  let isReading = true;
  let outbox: readonly OutboxRecord[] | null = null;
  let laid: Overlay | null = null;
  let lists = new Map<Kind, readonly Entity[]>();

  const isOurs = (room: RoomName): boolean => room === directory || room.startsWith(`channel:${workspace}_`);

  const take = (change: Change): boolean => {
    switch (change.table) {
      case "rooms": {
        if (!("put" in change)) return rooms.delete(change.remove as RoomName);
        if (!isOurs(change.put.name)) return false;
        rooms.set(change.put.name, change.put);
        return true;
      }
      case "entities":
        return "put" in change ? takeEntity(change.put) : dropEntities(change.remove);
      case "heads": {
        if (!("put" in change) || change.put.workspace !== workspace) return false;
        heads.set(change.put.channel, change.put);
        return true;
      }
      case "outbox":
        return "put" in change ? takeOp(change.put) : dropOp(change.remove as number);
      case "drafts": {
        if (!("put" in change)) {
          const [, channel, root] = change.remove as readonly string[];
          return drafts.delete(draftKey(channel as ChannelId, root ?? ""));
        }
        if (change.put.workspace !== workspace) return false;
        drafts.set(draftKey(change.put.channel, change.put.root), change.put);
        return true;
      }
      case "messages":
      case "devices":
      case "meta":
      case "events":
        return false;
    }
  };

  const takeEntity = ({ room, entity }: { readonly room: RoomName; readonly entity: Entity }): boolean => {
    if (room !== directory) return false;
    entities.set(entityKey(entity.kind, entity.id), entity);
    laid = null;
    lists.delete(entity.kind);
    return true;
  };

  const dropEntities = (key: Key | Range): boolean => {
    laid = null;
    lists = new Map();
    const [room, kind, id] = (isRange(key) ? key.lower : key) as readonly string[];
    if (room !== directory) return false;
    if (isRange(key)) entities.clear();
    else entities.delete(entityKey(kind as Kind, id ?? ""));
    return true;
  };

  const takeOp = (op: OutboxRecord): boolean => {
    if (workspaceOf(op) !== workspace || answered.has(op.place)) return false;
    if ((ops.get(op.place)?.version ?? -1) >= op.version) return false;
    ops.set(op.place, op);
    outbox = laid = null;
    return true;
  };

  const dropOp = (place: number): boolean => {
    answered.add(place);
    if (!ops.delete(place)) return false;
    outbox = laid = null;
    return true;
  };

  const hear = (commit: Commit): void => {
    if (isReading) early.push(commit);
    if (!isLoaded || commit.filter(take).length === 0) return;
    version++;
    changes.tell();
  };

  const load = async (): Promise<void> => {
    isReading = true;
    await store.read(["rooms", "entities", "heads", "outbox", "drafts"], async (tx) => {
      const read = await Promise.all([
        tx.all("rooms"),
        readEntities(tx, directory),
        readHeads(tx, workspace),
        readOutbox(tx),
        tx.all("drafts", prefix(workspace)),
      ]);
      for (const map of [rooms, entities, heads, drafts, ops]) map.clear();
      answered.clear();
      outbox = laid = null;
      lists = new Map();
      for (const put of read[0]) take({ table: "rooms", put });
      for (const put of read[1]) take({ table: "entities", put });
      for (const put of read[2]) take({ table: "heads", put });
      for (const put of read[3]) take({ table: "outbox", put });
      for (const put of read[4]) take({ table: "drafts", put });
    });
    const missed = early;
    early = [];
    isReading = false;
    isLoaded = true;
    for (const commit of missed) commit.forEach(take);
    version++;
    changes.tell();
    readings.tell();
  };

  const confirmed: Lookup = <K extends Kind>(kind: K, id: string): Entities[K] | undefined =>
    entities.get(entityKey(kind, id)) as Entities[K] | undefined;
  const allOps = (): readonly OutboxRecord[] => (outbox ??= [...ops.values()].toSorted((a, b) => a.place - b.place));
  const pendingOf = (room: RoomName): readonly OutboxRecord[] => allOps().filter((op) => op.room === room);
  const overlaid = (): Overlay => {
    if (laid === null) {
      laid = overlay(confirmed, pendingOf(directory), me);
      lists = new Map();
    }
    return laid;
  };
  const get: Lookup = <K extends Kind>(kind: K, id: string): Entities[K] | undefined =>
    (overlaid().changed.get(entityKey(kind, id)) as Entities[K] | undefined) ?? confirmed(kind, id);
  const list = <K extends Kind>(kind: K): readonly Entities[K][] => {
    const { changed } = overlaid();
    let known = lists.get(kind);
    if (known === undefined) {
      const of = (all: Iterable<Entity>): Entity[] => [...all].filter((entity) => entity.kind === kind);
      const fresh = of(changed.values()).filter((entity) => !entities.has(entityKey(kind, entity.id)));
      known = [...of(entities.values()).map((entity) => changed.get(entityKey(kind, entity.id)) ?? entity), ...fresh];
      lists.set(kind, known);
    }
    return known as readonly Entities[K][];
  };

  const stop = store.listen(hear);
  const loaded = load();
  let last = loaded;
  return {
    workspace,
    me,
    isLoaded: () => isLoaded,
    loaded,
    subscribe: changes.subscribe,
    version: () => version,
    rooms,
    heads,
    drafts,
    outbox: allOps,
    pendingOf,
    confirmed,
    get,
    entities: () => entities.values(),
    list,
    overlay: overlaid,
    // One after the other: each needs what was heard since it began.
    reload: () => (last = last.then(load, load)),
    readings,
    close: stop,
  };
}

/** The unsent text of a composer, here or from another device. */
export function draftText(
  replica: Pick<Replica, "me" | "drafts" | "get">,
  channel: ChannelId,
  root?: MessageId,
): string {
  const draft = replica.get("draft", myStateId(replica.me, channel, root));
  const standing = draft === undefined || draft.deleted ? "" : draft.text;
  return hiding(standing, replica.drafts.get(draftKey(channel, root ?? "")))?.text ?? standing;
}

/** The room record of a channel, where it is known. */
export function roomOf(replica: Replica, channel: ChannelId): RoomRecord | undefined {
  return replica.rooms.get(channelRoom(replica.workspace, channel));
}
