// What is said at the door of what waits on this device, where the note beside the databases is older than they are.
import { IDBFactory } from "fake-indexeddb";
import { expect, test, vi } from "vitest";
import { OWN_ISSUER } from "#protocol/issuer.ts";
import { putDatabaseId } from "../store/database-id.ts";
import { BESIDE, openIndex, personDatabase, type Beside } from "../store/index-database.ts";
import { openStore } from "../store/open-store.ts";
import { appendOp } from "../store/outbox.ts";
import { ended } from "../store/database.ts";
import { memoryNotes } from "../test/node-ports.ts";
import { outboxOf, post } from "../test/ops.ts";
import type { Notes } from "./ports.ts";
import { unsentTextCount } from "./unsent-here.ts";
import { changeLost, LOST, WAITING, waitingOf, withLost, writeNote } from "./waiting.ts";

const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };
const OLGA = personDatabase(OWN_ISSUER, "olga");
const MARA = personDatabase(OWN_ISSUER, "mara");
const KEYS = [OLGA, MARA].flatMap((name) => [WAITING + name, LOST + name]);

async function databaseWith(factory: IDBFactory, name: string, id: string, ...texts: string[]): Promise<void> {
  const store = await openStore(factory, name, quiet, () => undefined);
  await store.write({ tables: ["outbox", "meta"], durability: "relaxed" }, async (tx) => {
    putDatabaseId(tx, id);
    for (const { place: _, version: __, ...op } of outboxOf(...texts.map((text) => post(text)))) {
      await appendOp(tx, { ...op, id: `${name} ${op.id}` as typeof op.id });
    }
  });
  store.close();
}

function count(indexedDB: IDBFactory, notes: Notes, report: (error: unknown) => void = fails): Promise<number> {
  return unsentTextCount({ indexedDB, notes, noted: KEYS, report });
}

function fails(error: unknown): never {
  throw error;
}

async function doneWith(factory: IDBFactory, name: string, done: Partial<Beside>): Promise<void> {
  const index = await openIndex(factory);
  const tx = await index.begin!("readwrite");
  tx.objectStore("meta").put({ places: {}, version: 1, ...done }, BESIDE + name);
  await ended(tx);
  index.close();
}

/** Written at 1000, 1001, … */
const noted = (database: string, ...texts: string[]) => ({
  ...waitingOf(outboxOf(...texts.map((text) => post(text))), []),
  database,
});

test("what waits in a database counts, whatever the note of a browser that was killed says of it", async () => {
  const factory = new IDBFactory();
  const notes = memoryNotes();
  await databaseWith(factory, OLGA, "d1", "one", "two", "three");
  expect(await count(factory, notes)).toBe(3);
  // Of the same database, and of before one of them was written and another delivered.
  writeNote(notes, OLGA, noted("d1", "delivered"));
  await databaseWith(factory, MARA, "d2", "hers");
  expect(await count(factory, notes)).toBe(4);
});

test("of a database that is gone what is noted counts, but for what was given up or delivered as they signed out", async () => {
  const factory = new IDBFactory();
  const notes = memoryNotes();
  writeNote(notes, OLGA, noted("gone", "one", "two"));
  changeLost(notes, OLGA, () => withLost(null, noted("older", "lost before", "two")));
  expect(await count(factory, notes)).toBe(2);
  await doneWith(factory, OLGA, { clearedAt: 1_001 });
  expect(await count(factory, notes)).toBe(2);
  await doneWith(factory, OLGA, { clearedAt: 1_001, givenUpAt: 1_001 });
  expect(await count(factory, notes)).toBe(0);
  // Another database of the same person knows nothing of it.
  await databaseWith(factory, MARA, "d2");
  writeNote(notes, MARA, noted("gone", "one"));
  expect(await count(factory, notes)).toBe(1);
});

test("of a database that can't be read what is noted counts, and what others have", async () => {
  const factory = new IDBFactory();
  const notes = memoryNotes();
  await databaseWith(factory, OLGA, "d1", "one", "two");
  await databaseWith(factory, MARA, "d2", "hers");
  writeNote(notes, OLGA, noted("d1", "one", "two"));
  const report = vi.fn<(error: unknown) => void>();
  const broken = new DOMException("broken", "UnknownError");
  const open: IDBFactory["open"] = (name, version) => {
    if (name === OLGA) throw broken;
    return factory.open(name, version);
  };
  const faulty = Object.assign(Object.create(factory) as IDBFactory, { open, databases: () => factory.databases() });
  expect(await count(faulty, notes, report)).toBe(3);
  expect(report).toHaveBeenCalledWith(broken);
});

test("where nobody was here nothing waits, and looking leaves no database of anybody", async () => {
  const factory = new IDBFactory();
  expect(await count(factory, memoryNotes())).toBe(0);
  expect((await factory.databases()).filter(({ name }) => name?.startsWith("causeway/"))).toEqual([]);
});
