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
import { openExisting } from "../../store/open-existing.ts";
import type { Device } from "./device.ts";
import { endsWithItsUpgrade } from "./tab-disk.ts";

export interface Disk {
  readonly rooms: readonly RoomRecord[];
  readonly entities: readonly EntityRecord[];
  readonly messages: readonly MessageRecord[];
  readonly outbox: readonly OutboxRecord[];
  readonly devices: readonly DeviceRecord[];
  readonly drafts: readonly DraftRecord[];
}

const TABLES = ["rooms", "entities", "messages", "outbox", "devices", "drafts"] as const;

const NOTHING: Disk = { rooms: [], entities: [], messages: [], outbox: [], devices: [], drafts: [] };

/** All of it, as of one moment; nothing where its person has signed out. */
export async function readDisk({ user, profile }: Device): Promise<Disk> {
  const name = `causeway/causeway/${user}`;
  const { indexedDB } = profile;
  const open = (database: string): IDBOpenDBRequest => {
    const request = indexedDB.open(database);
    endsWithItsUpgrade(request);
    return request;
  };
  const db = await openExisting({ open }, name);
  if (db === null) return NOTHING;
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
