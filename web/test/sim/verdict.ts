// What became of what was written: lost, doubled, out of order, and whether every device holds what the room holds.
import type { Message } from "#protocol/entities/message.ts";
import type { RoomName } from "#protocol/room-name.ts";
import type { MessageRecord, OutboxRecord } from "../../store/schema.ts";
import type { Device, World } from "./world.ts";

/** One text that a device took: it must be in the room once, behind those it took before. */
export interface Said {
  readonly device: string;
  readonly text: string;
}

export interface Verdict {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly outOfOrder: readonly string[];
  /** Devices whose messages differ from the room's. */
  readonly differing: readonly string[];
}

export const CLEAN: Verdict = { lost: [], doubled: [], outOfOrder: [], differing: [] };

/** All messages of a room, by place. */
export function messagesIn(world: World, room: RoomName): Message[] {
  const rows = [...world.town.at(room).storage.rows.values()];
  return rows.filter(isMessage).toSorted((one, other) => one.seq - other.seq);
}

function isMessage(row: unknown): row is Message {
  return typeof row === "object" && row !== null && "kind" in row && row.kind === "message";
}

export async function judge(world: World, room: RoomName, said: readonly Said[]): Promise<Verdict> {
  const messages = messagesIn(world, room);
  const texts = messages.map((message) => (message.deleted ? "" : message.text));
  const count = (text: string): number => texts.filter((other) => other === text).length;
  const outOfOrder: string[] = [];
  for (const own of Map.groupBy(said, ({ device }) => device).values()) {
    let last = -1;
    for (const { text } of own) {
      const at = texts.indexOf(text);
      if (at < 0) continue;
      if (at < last) outOfOrder.push(text);
      last = at;
    }
  }
  const differing: string[] = [];
  for (const device of world.devices) {
    const held = await during(world, heldMessages(device, room));
    if (JSON.stringify(held.map(sorted)) !== JSON.stringify(messages.map(sorted)))
      differing.push(`${device.name}: ${difference(held, messages)}`);
  }
  return {
    lost: said.filter(({ text }) => count(text) === 0).map(({ text }) => text),
    doubled: said.filter(({ text }) => count(text) > 1).map(({ text }) => text),
    outOfOrder,
    differing,
  };
}

function difference(held: readonly Message[], messages: readonly Message[]): string {
  const seqs = (list: readonly Message[]): string[] => list.map(({ seq, rev }) => `${seq}@${rev}`);
  const [here, there] = [new Set(seqs(held)), new Set(seqs(messages))];
  return `only here ${[...here].filter((each) => !there.has(each)).join()}; only there ${[...there].filter((each) => !here.has(each)).join()}`;
}

/** Fields in one order, so that equal is equal. */
function sorted(message: Message): unknown {
  return Object.fromEntries(Object.entries(message).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function during<Value>(world: World, work: Promise<Value>): Promise<Value> {
  return world.during(work);
}

/** What lies on the device's disk, read past the client. */
export async function heldMessages(device: Device, room: RoomName): Promise<Message[]> {
  const records = (await readTable(device, "messages")) as MessageRecord[];
  return records.filter((record) => record.room === room).map(({ message }) => message);
}

export async function heldOps(device: Device): Promise<OutboxRecord[]> {
  return (await readTable(device, "outbox")) as OutboxRecord[];
}

async function readTable(device: Device, table: string): Promise<unknown[]> {
  const name = `causeway/causeway/${device.user}`;
  const db = await done(device.databases.open(name));
  try {
    return await done(db.transaction(table).objectStore(table).getAll());
  } finally {
    db.close();
  }
}

function done<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("no answer from the database")));
  });
}
