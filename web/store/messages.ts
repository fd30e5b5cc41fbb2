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
