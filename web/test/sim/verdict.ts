// What a room holds and what lies on a device's disk, read past the client.
import type { Message } from "#protocol/entities/message.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { settled } from "../../store/database.ts";
import type { EventRecord, MessageRecord, OutboxRecord } from "../../store/schema.ts";
import type { Device, World } from "./world.ts";

/** All messages of a room, by place. */
export function messagesIn(world: World, room: RoomName): Message[] {
  const rows = [...world.town.at(room).storage.rows.values()];
  return rows.filter(isMessage).toSorted((one, other) => one.seq - other.seq);
}

function isMessage(row: unknown): row is Message {
  return typeof row === "object" && row !== null && "kind" in row && row.kind === "message";
}

/** What lies on the device's disk, read past the client. */
export async function heldMessages(device: Device, room: RoomName): Promise<Message[]> {
  const records = (await readTable(device, "messages")) as MessageRecord[];
  return records.filter((record) => record.room === room).map(({ message }) => message);
}

export async function heldOps(device: Device): Promise<OutboxRecord[]> {
  return (await readTable(device, "outbox")) as OutboxRecord[];
}

/** What the event log says, oldest first. */
export async function heldEvents(device: Device): Promise<EventRecord[]> {
  return (await readTable(device, "events")) as EventRecord[];
}

async function readTable(device: Device, table: string): Promise<unknown[]> {
  const name = `causeway/causeway/${device.user}`;
  const db = await settled(device.databases.open(name));
  try {
    return await settled(db.transaction(table).objectStore(table).getAll());
  } finally {
    db.close();
  }
}
