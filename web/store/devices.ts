// Table `devices`: what this profile calls itself towards each room, and the number its next op gets ([OP4]).
import type { DeviceId } from "#protocol/ids.ts";
import type { RoomName } from "#protocol/room-name.ts";
import type { DeviceRecord } from "./schema.ts";
import type { WriteTx } from "./tx.ts";

/** This profile's device for a room; made where there is none. */
export async function deviceOf(tx: WriteTx, room: RoomName, newId: () => string): Promise<DeviceRecord> {
  const known = await tx.get("devices", room);
  if (known !== undefined) return known;
  return newDevice(tx, room, newId);
}

/** Another device id with numbers from 1: the room knows the old one by other numbers. */
export function newDevice(tx: WriteTx, room: RoomName, newId: () => string): DeviceRecord {
  const record: DeviceRecord = { room, device: newId() as DeviceId, next: 1 };
  tx.put("devices", record);
  return record;
}
