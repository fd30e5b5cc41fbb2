// Stores what a room sends: one transaction a frame, cursor and entities together, each entity only over a lower rev
// ([SY1], [SY5]). Only the leader writes here, and each transaction checks that it still is.
import type { Entity } from "#protocol/entities/entity.ts";
import { membershipId } from "#protocol/entities/keys.ts";
import type { Message } from "#protocol/entities/message.ts";
import type { Ack } from "#protocol/frames/answer.ts";
import type { You } from "#protocol/frames/base.ts";
import type { Changes } from "#protocol/frames/changes.ts";
import type { History } from "#protocol/frames/history.ts";
import type { Snapshot } from "#protocol/frames/snapshot.ts";
import type { Head, Heads, Welcome } from "#protocol/frames/welcome.ts";
import type { ChannelId, UserId } from "#protocol/ids.ts";
import { parseRoomName, type RoomName, type RoomRef } from "#protocol/room-name.ts";
import { readEntity } from "../store/entities.ts";
import { putEntity, sweepEntities } from "../store/put-entities.ts";
import { takeBelow } from "../store/freeing.ts";
import { heardAfter } from "../store/heard.ts";
import { firstMessageFrom, messagesAt } from "../store/held-messages.ts";
import { mergeHead } from "../store/merge-head.ts";
import { dropMessages, putMessage } from "../store/messages.ts";
import { heardTo, NAMING_MAX, readRoom, workspaceRoom } from "../store/rooms.ts";
import { bytesHeld, bytesOf } from "../store/sizes.ts";
import type { RoomRecord, TableName } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { isUnreadTo, topAfter } from "../store/top.ts";
import type { ReadTx, WriteTx } from "../store/tx.ts";
import {
  aboveFloor,
  isKept,
  judgeChanges,
  judgeHistory,
  judgeNewest,
  judgeSnapshot,
  type Verdict,
} from "./catch-up.ts";
import { dropChannel } from "./drop-channel.ts";
import { settleFound } from "./found-posts.ts";

/** Tables that a frame may touch. */
export const FRAME_TABLES: readonly TableName[] = ["rooms", "entities", "messages", "heads", "outbox", "drafts"];

export interface ReplicaStore {
  readonly welcomed: (frame: Welcome) => Promise<RoomRecord>;
  readonly you: (you: You) => Promise<void>;
  readonly changed: (frame: Changes, epoch: string) => Promise<Verdict>;
  readonly snapshot: (frame: Snapshot) => Promise<Verdict>;
  readonly history: (frame: History, asked: { before: number } | { around: number }) => Promise<Verdict>;
  /**
   * The newest page over HTTP: a replica begins with it, or goes on from it where it was far behind.
   * @param asked of which history something was held when it was asked for: a link may have brought another's since
   */
  readonly began: (page: History, asked: string | null) => Promise<Verdict>;
  /**
   * Changes over HTTP.
   * @param asked of which history
   */
  readonly pulled: (frame: Changes, asked: string | null) => Promise<Verdict>;
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
    if (verdict.do !== "store") return verdict;
    if (await isLeft(tx, ref, me)) return { do: "ignore" };
    await storeEntities(tx, { ref, me, before, entities, ...verdict });
    return verdict;
  };
  const mergeHeads = async (tx: WriteTx, heads: readonly (readonly [string, Head])[]): Promise<void> => {
    for (const [channel, head] of heads) await mergeHead(tx, ref.workspace, channel as ChannelId, head);
  };
  return {
    read: () => store.read(["rooms"], (tx) => readRoom(tx, name)),
    welcomed: (frame) =>
      write(async (tx, before) => {
        const room = await atFloor(
          tx,
          { ...before, ...healed(before, frame), head: frame.head, you: frame.you },
          frame.floor,
          frame.epoch,
        );
        await mergeHeads(tx, Object.entries(frame.heads?.list ?? {}));
        const next = frame.heads === undefined ? room : { ...room, heads: frame.heads.counter };
        tx.put("rooms", next);
        return next;
      }),
    you: (you) => write(async (tx, room) => tx.put("rooms", { ...room, you })),
    changed: (frame, epoch) => write((tx, room) => keep(tx, room, judgeChanges(room, frame, epoch), frame.entities)),
    snapshot: (frame) => write((tx, room) => keep(tx, room, judgeSnapshot(room, frame), frame.entities)),
    history: (frame, asked) =>
      write(async (tx, before) => {
        const room = await atFloor(tx, before, frame.floor ?? before.floor);
        return keep(tx, room, judgeHistory(room, frame, asked), frame.messages);
      }),
    began: (page, asked) =>
      write(async (tx, before) => {
        if (before.epoch !== asked) return { do: "ignore" };
        const room = await atFloor(tx, before, page.floor ?? before.floor, page.epoch);
        return keep(tx, room, judgeNewest(room, page), page.messages);
      }),
    pulled: (frame, asked) =>
      write(async (tx, room) => {
        if (room.epoch !== asked) return { do: "ignore" };
        return keep(tx, room, judgeChanges(room, frame, asked ?? ""), frame.entities);
      }),
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

/** Up to date with the room nothing can be missing, whatever an older build has made of the record. */
function healed(room: RoomRecord, { epoch, head }: Welcome): Pick<RoomRecord, "heardTo"> {
  const isUpToDate = room.cursor !== null && room.cursor >= head && room.epoch === epoch && room.second === null;
  return isUpToDate ? { heardTo: room.lastSeq } : {};
}

/**
 * What lies below the floor is gone in the room, and goes here ([RV3]).
 * @param epoch of which history it was told: another's may lie further down ([SV4])
 */
async function atFloor(tx: WriteTx, room: RoomRecord, floor: number, epoch = room.epoch): Promise<RoomRecord> {
  if (floor > room.floor) return takeBelow(tx, aboveFloor(room, floor), floor);
  return epoch === room.epoch ? room : { ...room, floor };
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
  if (ref.party === "channel") return storeMessages(tx, arrival);
  for (const entity of arrival.entities) {
    const isNews = await putEntity(tx, room.name, room.generation, entity);
    if (isNews && isOutOfSight(entity, arrival.me)) await dropChannel(tx, ref.workspace, entity.channel);
  }
  const swept = arrival.sweeps === true ? await sweepEntities(tx, room.name, room.generation) : [];
  // A reset brings no tombstones: what it left out is out of sight, and so are the messages in it.
  for (const { kind, id } of swept) if (kind === "channel") await dropChannel(tx, ref.workspace, id);
  tx.put("rooms", room);
}

/** My own membership's end where the channel itself is out of sight now ([RV5]). */
function isOutOfSight(entity: Entity, me: UserId): entity is Entity & { readonly kind: "membership" } {
  return entity.kind === "membership" && entity.user === me && entity.deleted === true && entity.gone === true;
}

/** The workspace's room has said so already; what its channel's room said before that comes too late ([RV5]). */
async function isLeft(tx: ReadTx, ref: RoomRef, me: UserId): Promise<boolean> {
  if (ref.party !== "channel") return false;
  const id = membershipId(ref.channel, me);
  const own = await readEntity(tx, workspaceRoom(ref.workspace), { kind: "membership", id });
  return own !== undefined && isOutOfSight(own.entity, me);
}

async function storeMessages(tx: WriteTx, arrival: Arrival): Promise<void> {
  const { before, room, me } = arrival;
  const { name } = room;
  const drops = arrival.drops === true;
  if (drops) dropMessages(tx, name);
  const messages = arrival.entities.filter((entity) => entity.kind === "message");
  await settleFound(tx, name, me, messages);
  const came = messages.filter(({ seq }) => isKept(room, seq) && seq >= room.floor);
  const elsewhere = messages.filter(({ seq }) => !isKept(room, seq) && seq >= room.floor);
  // What stands in no range isn't there: a page of history is stored without being looked for first.
  const mayBeHeld = ({ seq }: Message): boolean => !drops && seq <= before.lastSeq && isKept(before, seq);
  const known = came.filter(mayBeHeld).map(({ seq }) => seq);
  const held = known.length === 0 ? NONE : await messagesAt(tx, name, known);
  const news = came.filter(({ seq, rev }) => rev > (held.get(seq)?.rev ?? -1));
  for (const message of news) putMessage(tx, name, message);
  const since = drops ? 0 : heardTo(before);
  const counted = withMessages(withUnheld(room, elsewhere, me), news, held, me);
  const heard = await heardAfter(tx, room, news, counted.lastSeq);
  const isCompared = before.second !== null && room.second === null;
  const top = await topAfter(tx, counted, { all: messages, stored: news, since, isCompared }, me);
  tx.put("rooms", { ...counted, top, heardTo: heard, oldestAt: await oldestAt(tx, before, counted) });
}

const NONE: ReadonlyMap<number, Message> = new Map();

/** What isn't held counts all the same: it may have named me when it was, or name me since it was edited. */
function withUnheld(room: RoomRecord, messages: readonly Message[], me: UserId): RoomRecord {
  const naming = new Set(room.naming);
  for (const message of messages) {
    if (names(message, me)) naming.add(message.seq);
    else naming.delete(message.seq);
  }
  return { ...room, naming: [...naming] };
}

function names(message: Message, me: UserId): boolean {
  return !message.deleted && message.author !== me && message.mentions?.includes(me) === true;
}

/** @param held what stood in their places before */
function withMessages(
  room: RoomRecord,
  news: readonly Message[],
  held: ReadonlyMap<number, Message>,
  me: UserId,
): RoomRecord {
  let { lastSeq, top, heldCount } = room;
  let heldBytes = bytesHeld(room);
  const naming = new Set(room.naming);
  for (const message of news) {
    const { seq } = message;
    const before = held.get(seq);
    heldCount += before === undefined ? 1 : 0;
    heldBytes += bytesOf(message) - (before === undefined ? 0 : bytesOf(before));
    lastSeq = Math.max(lastSeq, seq);
    if (isUnreadTo(me, message)) top = Math.max(top, seq);
    if (names(message, me)) naming.add(seq);
    else naming.delete(seq);
  }
  // Also those that were read: one may mark unread from there on.
  const latest = [...naming].toSorted((one, other) => one - other).slice(-NAMING_MAX);
  return { ...room, lastSeq, top, heldCount, heldBytes, naming: latest };
}

/** Looked for only where the open range grew. */
async function oldestAt(tx: ReadTx, before: RoomRecord, room: RoomRecord): Promise<number | null> {
  const from = room.ranges.at(-1)?.from;
  if (from === undefined) return null;
  const isSame = before.ranges.at(-1)?.from === from && before.epoch === room.epoch;
  if (isSame && before.oldestAt != null) return before.oldestAt;
  return (await firstMessageFrom(tx, room.name, from))?.createdAt ?? null;
}

/**
 * What an ack carries: its entities, and where it says so also the step from `from` to its rev ([SY3]).
 * @param epoch what `welcome` said on its connection, if it came on one
 */
export async function storeAck(tx: WriteTx, name: RoomName, me: UserId, ack: Ack, epoch?: string): Promise<Verdict> {
  const before = await readRoom(tx, name);
  const ref = parseRoomName(name) as RoomRef;
  const verdict: Verdict =
    ack.from === undefined || ack.rev === null
      ? { do: "ignore" }
      : judgeChanges(before, { from: ack.from, to: ack.rev, more: false }, epoch ?? before.epoch ?? "");
  const room = verdict.do === "store" ? verdict.room : before;
  const answered = Math.max(room.answered ?? 0, ...ack.entities.map(({ rev }) => rev));
  await storeEntities(tx, { ref, me, before, room: { ...room, answered }, entities: ack.entities });
  return verdict;
}
