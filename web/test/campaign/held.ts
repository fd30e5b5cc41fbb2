// What lies on a device's disk, read past the client.
import type {
  DeviceRecord,
  EntityRecord,
  MessageRecord,
  OutboxRecord,
  RoomRecord,
  DraftRecord,
} from "../../store/schema.ts";
import { settled } from "../../store/database.ts";
import type { Device } from "./device.ts";

export interface Disk {
  readonly rooms: readonly RoomRecord[];
  readonly entities: readonly EntityRecord[];
  readonly messages: readonly MessageRecord[];
  readonly outbox: readonly OutboxRecord[];
  readonly devices: readonly DeviceRecord[];
  readonly drafts: readonly DraftRecord[];
}

const TABLES = ["rooms", "entities", "messages", "outbox", "devices", "drafts"] as const;

/** All of it, as of one moment. */
export async function readDisk({ user, profile }: Device): Promise<Disk> {
  const db = await settled(profile.indexedDB.open(`causeway/causeway/${user}`));
  try {
    const tx = db.transaction([...TABLES]);
    const read = await Promise.all(
      TABLES.map((table) => settled(tx.objectStore(table).getAll() as IDBRequest<unknown[]>)),
    );
    return Object.fromEntries(TABLES.map((table, i) => [table, read[i]])) as unknown as Disk;
  } finally {
    db.close();
  }
}
