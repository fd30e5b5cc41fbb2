// What of a channel is held, as storing and freeing need to know it. Apart from messages.ts, which the first screen loads.
import type { Message } from "#protocol/entities/message.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { messageAt, messagesBetween } from "./messages.ts";
import { between, type ReadTx } from "./tx.ts";

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
