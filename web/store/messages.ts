// Table `messages`: by (room, seq). Reading is by key range only, so a channel of any length opens alike.
import type { Message } from "#protocol/entities/message.ts";
import type { MessageId } from "#protocol/ids.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { between, prefix, type ReadTx, type WriteTx } from "./tx.ts";

/** The messages held between two places, both included, oldest first. */
export async function messagesBetween(tx: ReadTx, room: RoomName, from: number, to: number): Promise<Message[]> {
  if (to < from) return [];
  const records = await tx.all("messages", between([room, from], [room, to]));
  return records.map(({ message }) => message);
}

export async function messageAt(tx: ReadTx, room: RoomName, seq: number): Promise<Message | undefined> {
  return (await tx.get("messages", [room, seq]))?.message;
}

export async function messageById(tx: ReadTx, room: RoomName, id: MessageId): Promise<Message | undefined> {
  return (await tx.find("messages", "id", [room, id]))?.message;
}

/** The oldest held from a place on. */
export async function firstMessageFrom(tx: ReadTx, room: RoomName, from: number): Promise<Message | undefined> {
  const [record] = await tx.all("messages", between([room, from], [room, Number.POSITIVE_INFINITY]), 1);
  return record?.message;
}

/** Those of the given places that are held, by place. */
export async function messagesAt(
  tx: ReadTx,
  room: RoomName,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, Message>> {
  const first = Math.min(...seqs);
  const last = Math.max(...seqs);
  const isDense = seqs.length > FEW && last - first < DENSE * seqs.length;
  const found = isDense
    ? await messagesBetween(tx, room, first, last)
    : await Promise.all(seqs.map((seq) => messageAt(tx, room, seq)));
  return new Map(found.flatMap((message) => (message === undefined ? [] : [[message.seq, message]])));
}

/** Of so few, or so far apart, each is read by itself; a request costs more than a few records too many. */
const FEW = 4;
const DENSE = 3;

/** Those that stand on the channel's list of pins, as far as they are held, the latest pinned first. */
export async function pinnedMessages(tx: ReadTx, room: RoomName): Promise<Message[]> {
  const records = await tx.allBy("messages", "pinned", prefix(room));
  return records.map(({ message }) => message).toReversed();
}

export function putMessage(tx: WriteTx, room: RoomName, message: Message): void {
  tx.put("messages", { room, message });
}

export function dropMessages(tx: WriteTx, room: RoomName): void {
  tx.remove("messages", prefix(room));
}
