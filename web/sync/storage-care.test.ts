// What is done with a write that the disk refused, told apart by why.
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { expect, test } from "vitest";
import { ok } from "#protocol/result.ts";
import { openDatabase } from "../store/database.ts";
import type { BesideDisk } from "../store/beside.ts";
import { openIndex } from "../store/index-database.ts";
import { appendOp } from "../store/outbox.ts";
import { memoryIndex } from "../store/memory-index.ts";
import { memoryBackend } from "../store/memory.ts";
import { MIGRATIONS } from "../store/schema.ts";
import { createStore, type Store } from "../store/store.ts";
import type { Backend } from "../store/tx.ts";
import { memoryNotes } from "../test/node-ports.ts";
import { outboxOf, post, type Waiting } from "../test/ops.ts";
import { careForStorage, type CareDeps, type StorageCare } from "./storage-care.ts";

const bus = { send: () => undefined, listen: () => () => undefined, close: () => undefined };

/** Whether there is room again is asked so long behind that there was none: not within a test. */
const A_WHILE_MS = 10_000;

interface Given {
  readonly indexedDB?: IDBFactory;
  readonly tell?: CareDeps["tell"];
  readonly backend?: Backend;
  readonly store?: Store;
  readonly index?: CareDeps["index"];
  readonly surroundings?: CareDeps["ports"]["surroundings"];
}

function care(
  reported: unknown[],
  {
    indexedDB,
    tell = () => undefined,
    backend = memoryBackend(),
    store,
    index = memoryIndex(),
    surroundings,
  }: Given = {},
): StorageCare {
  return careForStorage({
    store: store ?? createStore(indexedDB === undefined ? backend : { ...backend, kind: "disk" }, bus),
    ports: {
      indexedDB: indexedDB ?? null,
      locks: null,
      newId: () => "new",
      openBus: () => bus,
      report: (error) => reported.push(error),
      storage: null,
      ...(surroundings && { surroundings }),
      timers: { set: (run, ms) => ms < A_WHILE_MS && queueMicrotask(run), clear: () => undefined },
    },
    name: "causeway/test/me",
    index,
    tell,
    note: () => undefined,
  });
}

test.each([
  ["InvalidStateError", "The database connection is closing."],
  ["AbortError", "The transaction was aborted."],
  ["UnknownError", "Connection is closing because of: Force close delete origin"],
  ["TimeoutError", "Transaction timed out due to inactivity."],
])("a database taken away (%s): written once another is in its place, and nobody is troubled", async (name, why) => {
  const reported: unknown[] = [];
  const done = await care(reported).again(new DOMException(why, name), async () => "stored");
  expect(done).toEqual(ok("stored"));
  expect(reported).toEqual([]);
});

test("a database taken away while room is made on it holds up no room that waits for that", async () => {
  const reported: unknown[] = [];
  const write = () => Promise.reject(new DOMException("The transaction was aborted.", "AbortError"));
  const { failed } = care(reported, { backend: { ...memoryBackend(), write } });
  await failed(new DOMException("No room.", "QuotaExceededError"));
  expect(reported).toEqual([]);
});

test("what another connection can read isn't called broken", async () => {
  const reported: unknown[] = [];
  const told: unknown[] = [];
  const momentary = new DOMException("Internal error.", "UnknownError");
  const indexedDB = new IDBFactory();
  const db = await openDatabase(indexedDB, "causeway/test/me", MIGRATIONS, { onClosed: () => undefined });
  await care(reported, { indexedDB, tell: (news) => told.push(news) }).failed(momentary);
  expect(reported).toEqual([momentary]);
  expect(told).toEqual([]);
  db.close();
});

test("a disk that fails is told, and nothing that was typed counts as taken", async () => {
  const reported: unknown[] = [];
  const broken = new DOMException("Internal error.", "UnknownError");
  const done = await care(reported).again(broken, () => Promise.reject(broken));
  const detail = "This couldn't be stored on this device. Try again.";
  expect(done).toMatchObject({ ok: false, error: { code: "storage_blocked", detail } });
  expect(reported).toEqual([broken]);
});

test("what is written behind a sign-out isn't stored, and that is no fault; any other is", async () => {
  const reported: unknown[] = [];
  const closing = new DOMException("The database connection is closing.", "InvalidStateError");
  const write = (fault: unknown): Promise<never> => Promise.reject(fault);
  const gone = care(reported);
  const late = gone.again(closing, () => write(closing));
  gone.close();
  expect(await late).toMatchObject({ ok: false });
  expect(reported).toEqual([]);
  const broken = new DOMException("Internal error.", "UnknownError");
  await gone.again(broken, () => write(broken));
  await care(reported).again(closing, () => write(closing));
  expect(reported).toEqual([broken, closing]);
});

test("history makes way for a copy of what composers hold, too; where nothing does, that is said, and not at every letter", async () => {
  const indexedDB = new IDBFactory();
  const index = await openIndex(indexedDB);
  const told: unknown[] = [];
  let tries = 0;
  let fitsFrom = 2;
  const disk = await new Promise<BesideDisk>((resolve) => {
    care([], {
      indexedDB,
      tell: ({ notice }) => told.push(notice),
      index: {
        begin: async (...args) => {
          if (++tries < fitsFrom) throw new DOMException("No room.", "QuotaExceededError");
          return index.begin!(...args);
        },
      },
      surroundings: async () => ({
        line: () => "free",
        listen: () => () => undefined,
        notes: memoryNotes(),
        keepBeside: (_, given) => {
          resolve(given);
          return { remade: () => undefined, end: () => undefined };
        },
      }),
    });
  });
  const copy = { places: { place: "Half" }, version: 1 };
  expect([await disk.write(copy), tries, told]).toEqual([null, 2, ["short"]]);
  expect(await index.beside("causeway/test/me")).toEqual(copy);

  fitsFrom = Number.POSITIVE_INFINITY;
  await expect(disk.write({ ...copy, version: 2 })).rejects.toThrow("No room.");
  expect(told.at(-1)).toBe("full");
  tries = 0;
  await expect(disk.write({ ...copy, version: 3 })).rejects.toThrow("No room.");
  expect(tries).toBe(1);
  index.close();
});

test("that nothing can be stored is said until something is: a text at its first try, not how far one has read", async () => {
  const told: unknown[] = [];
  const store = createStore(memoryBackend(), bus);
  const storing = care([], { store, tell: ({ notice }) => told.push(notice) });
  const full = new DOMException("No room.", "QuotaExceededError");
  const write = (waiting: Waiting): Promise<unknown> =>
    store.write({ tables: ["outbox"], durability: "relaxed" }, (tx) => appendOp(tx, outboxOf(waiting)[0]!));
  await storing.again(full, () => Promise.reject(full));
  expect(told.at(-1)).toBe("full");
  await write({ op: "read.set", args: { channel: "c", seq: 3 } });
  expect(told.at(-1)).toBe("full");
  await write(post("hello"));
  expect(told.at(-1)).toBe("short");
  storing.close();
});

test("what a tab holds beside its database is put back too where another stands there before the code that does so has come", async () => {
  const indexedDB = new IDBFactory();
  const index = await openIndex(indexedDB);
  const here = Promise.withResolvers<void>();
  let isPutBack = false;
  const kept = new Promise<void>((resolve) => {
    const storing = care([], {
      indexedDB,
      index,
      surroundings: async () => {
        await here.promise;
        return {
          line: () => "free",
          listen: () => () => undefined,
          notes: memoryNotes(),
          keepBeside: () => {
            queueMicrotask(resolve);
            return { remade: () => (isPutBack = true), end: () => undefined };
          },
        };
      },
    });
    storing.remade();
  });
  here.resolve();
  await kept;
  expect(isPutBack).toBe(true);
  index.close();
});
