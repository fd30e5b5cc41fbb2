// Lets go of a channel's older messages: what no longer has to be here, or has to make way. What waits to be sent stays,
// and so does each message that it is about.
import type { MessageId } from "#protocol/ids.ts";
import { parseRoomName } from "#protocol/room-name.ts";
import { joinedRanges } from "./ranges.ts";
import { firstMessageFrom } from "./held-messages.ts";
import { messageAt, messageById } from "./messages.ts";
import { readOutbox } from "./outbox.ts";
import { channelOf } from "./op-channel.ts";
import { heardTo } from "./rooms.ts";
import { bytesHeld } from "./sizes.ts";
import type { OutboxRecord, RoomRecord, SeqRange } from "./schema.ts";
import { between, type ReadTx, type WriteTx } from "./tx.ts";

/**
 * Takes what stands below a place, but for what something unsent is about; answers the room as it is then, stored.
 * @param below the first place that stays
 */
export async function freeBelow(tx: WriteTx, room: RoomRecord, below: number): Promise<RoomRecord> {
  const spared = (await referredTo(tx, room)).filter((seq) => seq < below);
  return takeBelow(tx, room, below, spared);
}

/** Takes all that stands below a place. */
export async function takeBelow(
  tx: WriteTx,
  room: RoomRecord,
  below: number,
  spared: readonly number[] = [],
): Promise<RoomRecord> {
  const pieces = piecesBetween(spared, below);
  let freed = 0;
  for (const { from, to } of pieces) {
    const range = between([room.name, from], [room.name, to]);
    freed += await tx.count("messages", range);
    tx.remove("messages", range);
  }
  const next = withoutBelow(room, below, spared);
  const heldCount = Math.max(0, room.heldCount - freed);
  const share = room.heldCount === 0 ? 0 : heldCount / room.heldCount;
  const from = next.ranges.at(-1)?.from;
  const oldest = from === undefined ? undefined : await firstMessageFrom(tx, room.name, from);
  const heldBytes = Math.round(bytesHeld(room) * share);
  const stored = { ...next, heldCount, heldBytes, oldestAt: oldest?.createdAt ?? null };
  tx.put("rooms", stored);
  return stored;
}

/** What the record says then. Pure. */
export function withoutBelow(room: RoomRecord, below: number, spared: readonly number[] = []): RoomRecord {
  const kept = room.ranges.flatMap((range): SeqRange[] =>
    range.to !== null && range.to < below ? [] : [{ ...range, from: Math.max(range.from, below) }],
  );
  // What the comparison has brought so far of a gap as well: outside every range nobody would tell of it any more.
  const isHeld = (seq: number): boolean =>
    seq > (room.second?.since ?? Infinity) ||
    room.ranges.some(({ from, to }) => seq >= from && (to === null || seq <= to));
  const ranges = joinedRanges([...spared.filter(isHeld).map((seq) => ({ from: seq, to: seq })), ...kept]);
  const { second } = room;
  // Who was named is so still, though it has to be fetched to be read. A comparison goes on to its end also where nothing older
  // is left: it says who is named by now, and of two newest pages that met the first is compared as well.
  return {
    ...room,
    ranges,
    heardTo: Math.max(heardTo(room), below - 1),
    second: second?.since === undefined ? second : { ...second, since: Math.max(second.since, below - 1) },
  };
}

/** The first place held that was written at this time or later, by halving: times never decrease with places ([RV4]). */
export async function placeSince(tx: ReadTx, room: RoomRecord, since: number): Promise<number> {
  let low = room.ranges.at(-1)?.from ?? 1;
  let high = room.lastSeq + 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const message = (await messageAt(tx, room.name, middle)) ?? (await firstMessageFrom(tx, room.name, middle));
    if (message === undefined || message.createdAt >= since) high = middle;
    else low = message.seq + 1;
  }
  return low;
}

function piecesBetween(spared: readonly number[], below: number): { readonly from: number; readonly to: number }[] {
  const bounds = [-1, ...spared.toSorted((one, other) => one - other), below];
  return bounds.slice(1).flatMap((end, i) => {
    const from = (bounds[i] ?? -1) + 1;
    return from <= end - 1 ? [{ from, to: end - 1 }] : [];
  });
}

/** The places of the messages that something unsent is about. */
async function referredTo(tx: ReadTx, room: RoomRecord): Promise<number[]> {
  const ref = parseRoomName(room.name);
  if (ref?.party !== "channel") return [];
  const drafts = await tx.all("drafts");
  const ids = new Set<MessageId>([
    ...(await readOutbox(tx)).flatMap((op) => (channelOf(op) === ref.channel ? messagesOf(op) : [])),
    ...drafts.flatMap(({ channel, root }) => (channel === ref.channel && root !== "" ? [root] : [])),
  ]);
  const found = await Promise.all([...ids].map((id) => messageById(tx, room.name, id)));
  return found.flatMap((message) => (message === undefined ? [] : [message.seq]));
}

function messagesOf({ args }: OutboxRecord): MessageId[] {
  const { id, root } = args as { readonly id?: MessageId; readonly root?: MessageId };
  return [id, root].filter((each) => each !== undefined);
}
