// Stores what a room sends: one transaction a frame, cursor and entities together, each entity only over a lower rev
// ([SY1], [SY5]). Only the leader writes here, and each transaction checks that it still is.
import type { Entity } from "#protocol/entities/entity.ts";
import { countsAsUnread, type Message } from "#protocol/entities/message.ts";
import { myStateId } from "#protocol/entities/keys.ts";
import type { Ack } from "#protocol/frames/answer.ts";
import type { You } from "#protocol/frames/base.ts";
import type { Changes } from "#protocol/frames/changes.ts";
import type { History } from "#protocol/frames/history.ts";
import type { Snapshot } from "#protocol/frames/snapshot.ts";
import type { Head, Heads, Welcome } from "#protocol/frames/welcome.ts";
import type { ChannelId, UserId } from "#protocol/ids.ts";
import { parseRoomName, type RoomName, type RoomRef } from "#protocol/room-name.ts";
import { putEntity, readEntity, sweepEntities } from "../store/entities.ts";
import { mergeHead } from "../store/heads.ts";
import { dropMessages, dropMessagesBelow, messageAt, putMessage } from "../store/messages.ts";
import { NAMING_MAX, readRoom, workspaceRoom } from "../store/rooms.ts";
import type { RoomRecord, TableName } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { ReadTx, WriteTx } from "../store/tx.ts";
import { aboveFloor, isHeld, judgeChanges, judgeHistory, judgeSnapshot, type Verdict } from "./catch-up.ts";
import { dropChannel } from "./drop-channel.ts";

/** Tables that a frame may touch. */
export const FRAME_TABLES: readonly TableName[] = ["rooms", "entities", "messages", "heads", "outbox", "drafts"];

export interface ReplicaStore {
  readonly welcomed: (frame: Welcome) => Promise<RoomRecord>;
  readonly you: (you: You) => Promise<void>;
  readonly changed: (frame: Changes, epoch: string) => Promise<Verdict>;
  readonly snapshot: (frame: Snapshot) => Promise<Verdict>;
  readonly history: (frame: History, asked: { before: number } | { around: number }) => Promise<Verdict>;
  readonly heads: (heads: Heads) => Promise<void>;
  readonly bumped: (channel: ChannelId, head: Head, counter: number) => Promise<void>;
  readonly read: () => Promise<RoomRecord>;
}

export function replicaStore(store: Store, leader: string, name: RoomName, me: UserId): ReplicaStore {
  const ref = parseRoomName(name) as RoomRef;
  const write = <T>(body: (tx: WriteTx, room: RoomRecord) => Promise<T>): Promise<T> =>
    store.write({ tables: FRAME_TABLES, durability: "relaxed", leader }, async (tx) =>
      body(tx, await readRoom(tx, name)),
    );
  const keep = async (
    tx: WriteTx,
    before: RoomRecord,
    verdict: Verdict,
    entities: readonly Entity[],
  ): Promise<Verdict> => {
    if (verdict.do === "store") await storeEntities(tx, { ref, me, before, entities, ...verdict });
    return verdict;
  };
  const mergeHeads = async (tx: WriteTx, heads: readonly (readonly [string, Head])[]): Promise<void> => {
    for (const [channel, head] of heads) await mergeHead(tx, ref.workspace, channel as ChannelId, head);
  };
  return {
    read: () => store.read(["rooms"], (tx) => readRoom(tx, name)),
    welcomed: (frame) =>
      write(async (tx, before) => {
        const room = aboveFloor({ ...before, head: frame.head, you: frame.you }, frame.floor);
        if (room.floor > before.floor) dropMessagesBelow(tx, name, room.floor);
        await mergeHeads(tx, Object.entries(frame.heads?.list ?? {}));
        const next = frame.heads === undefined ? room : { ...room, heads: frame.heads.counter };
        tx.put("rooms", next);
        return next;
      }),
    you: (you) => write(async (tx, room) => tx.put("rooms", { ...room, you })),
    changed: (frame, epoch) => write((tx, room) => keep(tx, room, judgeChanges(room, frame, epoch), frame.entities)),
    snapshot: (frame) => write((tx, room) => keep(tx, room, judgeSnapshot(room, frame), frame.entities)),
    history: (frame, asked) => write((tx, room) => keep(tx, room, judgeHistory(room, frame, asked), frame.messages)),
    heads: ({ list, counter }) =>
      write(async (tx, room) => {
        await mergeHeads(tx, Object.entries(list));
        tx.put("rooms", { ...room, heads: counter });
      }),
    bumped: (channel, head, counter) =>
      write(async (tx, room) => {
        await mergeHeads(tx, [[channel, head]]);
        tx.put("rooms", { ...room, heads: Math.max(room.heads, counter) });
      }),
  };
}

interface Arrival {
  readonly ref: RoomRef;
  readonly me: UserId;
  readonly before: RoomRecord;
  /** The room as it stands with them. */
  readonly room: RoomRecord;
  readonly entities: readonly Entity[];
  readonly drops?: boolean;
  readonly sweeps?: boolean;
}

export async function storeEntities(tx: WriteTx, arrival: Arrival): Promise<void> {
  const { ref, room } = arrival;
  if (ref.party === "channel") return storeMessages(tx, arrival, ref.channel);
  for (const entity of arrival.entities) {
    const isNews = await putEntity(tx, room.name, room.generation, entity);
    if (isNews && isOutOfSight(entity, arrival.me)) await dropChannel(tx, ref.workspace, entity.channel);
  }
  if (arrival.sweeps === true) await sweepEntities(tx, room.name, room.generation);
  tx.put("rooms", room);
}

/** My own membership's end where the channel itself is out of sight now ([RV5]). */
function isOutOfSight(entity: Entity, me: UserId): entity is Entity & { readonly kind: "membership" } {
  return entity.kind === "membership" && entity.user === me && entity.deleted === true && entity.gone === true;
}

async function storeMessages(tx: WriteTx, arrival: Arrival, channel: ChannelId): Promise<void> {
  const { before, me, ref } = arrival;
  let { room } = arrival;
  const { name } = room;
  if (arrival.drops === true) dropMessages(tx, name);
  const read = await readPosition(tx, ref, channel, me);
  for (const message of arrival.entities) {
    if (message.kind !== "message" || !isHeld(room.ranges, message.seq) || message.seq < room.floor) continue;
    const mayBeHeld = arrival.drops !== true && message.seq <= before.lastSeq;
    const held = mayBeHeld ? await messageAt(tx, name, message.seq) : undefined;
    if (held !== undefined && held.rev >= message.rev) continue;
    putMessage(tx, name, message);
    room = withMessage(room, message, held === undefined, me);
  }
  const naming = room.naming.filter((seq) => seq > read).slice(-NAMING_MAX);
  tx.put("rooms", { ...room, naming });
}

function withMessage(room: RoomRecord, message: Message, isNew: boolean, me: UserId): RoomRecord {
  const { seq } = message;
  const namesMe = !message.deleted && message.author !== me && message.mentions?.includes(me) === true;
  const others = room.naming.filter((named) => named !== seq);
  return {
    ...room,
    lastSeq: Math.max(room.lastSeq, seq),
    top: countsAsUnread(message) && message.author !== me ? Math.max(room.top, seq) : room.top,
    heldCount: room.heldCount + (isNew ? 1 : 0),
    naming: namesMe ? [...others, seq].toSorted((one, other) => one - other) : others,
  };
}

async function readPosition(tx: ReadTx, ref: RoomRef, channel: ChannelId, me: UserId): Promise<number> {
  const key = { kind: "read", id: myStateId(me, channel) } as const;
  const record = await readEntity(tx, workspaceRoom(ref.workspace), key);
  return record?.entity.kind === "read" ? record.entity.seq : 0;
}

/** What an ack carries: its entities, and where it says so also the step from `from` to its rev ([SY3]). */
export async function storeAck(tx: WriteTx, name: RoomName, me: UserId, ack: Ack): Promise<Verdict> {
  const before = await readRoom(tx, name);
  const ref = parseRoomName(name) as RoomRef;
  const verdict: Verdict =
    ack.from === undefined || ack.rev === null
      ? { do: "ignore" }
      : judgeChanges(before, { from: ack.from, to: ack.rev, more: false }, before.epoch ?? "");
  const room = verdict.do === "store" ? verdict.room : before;
  await storeEntities(tx, { ref, me, before, room, entities: ack.entities });
  return verdict;
}
