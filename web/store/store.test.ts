import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { describe, expect, it, vi } from "vitest";
import type { RoomName } from "#protocol/room-name.ts";
import { storeContract } from "../test/store-contract.ts";
import { begun, diskBackend, ended, openDatabase, settled } from "./database.ts";
import { memoryBackend } from "./memory.ts";
import { putLeader } from "./meta.ts";
import { openStore } from "./open-store.ts";
import { emptyRoom } from "./rooms.ts";
import { pinnedMessages } from "./messages.ts";
import { MIGRATIONS, type Migration } from "./schema.ts";
import { createStore, NotLeader, type Bus, type Commit } from "./store.ts";

const ROOM = emptyRoom("workspace:w" as RoomName);
const runner = { it, equal: (actual: unknown, expected: unknown) => expect(actual).toEqual(expected) };
const ignore = (): void => undefined;

describe("the store on disk", () => {
  storeContract(runner, async () =>
    diskBackend(await openDatabase(new IDBFactory(), "test", MIGRATIONS, { onClosed: ignore })),
  );
});

describe("the store in memory", () => {
  storeContract(runner, async () => memoryBackend());
});

/** Two ends of one bus. */
function buses(): [Bus, Bus] {
  const heard: [Set<(message: unknown) => void>, Set<(message: unknown) => void>] = [new Set(), new Set()];
  const end = (mine: 0 | 1): Bus => ({
    send: (message) => {
      for (const listener of heard[mine === 0 ? 1 : 0]) listener(structuredClone(message));
    },
    listen: (listener) => {
      heard[mine].add(listener);
      return () => heard[mine].delete(listener);
    },
    close: ignore,
  });
  return [end(0), end(1)];
}

describe("a commit", () => {
  it("is told here and to the other tabs, once it is durable, with what it put and removed", async () => {
    const factory = new IDBFactory();
    const [here, there] = buses();
    const store = await openStore(factory, "person", here, ignore);
    const other = await openStore(factory, "person", there, ignore);
    const told: [string, Commit][] = [];
    store.listen((commit) => told.push(["here", commit]));
    other.listen((commit) => told.push(["there", commit]));
    let isDurable = false;
    await store.write({ tables: ["rooms", "outbox"], durability: "strict" }, async (tx) => {
      tx.put("rooms", ROOM);
      tx.remove("outbox", 7);
      await tx.get("rooms", ROOM.name);
      expect(told).toEqual([]);
      isDurable = true;
    });
    expect(isDurable).toBe(true);
    const commit = [
      { table: "rooms", put: ROOM },
      { table: "outbox", remove: 7 },
    ];
    expect(told).toEqual([
      ["here", commit],
      ["there", commit],
    ]);
    store.close();
    other.close();
  });

  it("is told to all, and is no failure, whichever listener fails", async () => {
    const [bus, others] = buses();
    const store = createStore(memoryBackend(), bus);
    const told: string[] = [];
    others.listen(() => told.push("another tab"));
    vi.stubGlobal("reportError", (error: Error) => told.push(error.message));
    store.listen(() => {
      throw new Error("a screen's");
    });
    store.listen(() => told.push("the second"));
    await store.write({ tables: ["rooms"], durability: "strict" }, async (tx) => tx.put("rooms", ROOM));
    expect(told).toEqual(["a screen's", "the second", "another tab"]);
    vi.unstubAllGlobals();
  });

  it("that failed is told to nobody", async () => {
    const store = createStore(memoryBackend(), buses()[0]);
    const told: Commit[] = [];
    store.listen((commit) => told.push(commit));
    const failed = store.write({ tables: ["rooms"], durability: "strict" }, async (tx) => {
      tx.put("rooms", ROOM);
      throw new Error("halfway");
    });
    await expect(failed).rejects.toThrow("halfway");
    expect(told).toEqual([]);
  });

  it("[OP8] of a tab that leads no more writes nothing", async () => {
    const store = createStore(memoryBackend(), buses()[0]);
    await store.write({ tables: ["meta"], durability: "strict" }, async (tx) => putLeader(tx, "other"));
    const late = store.write({ tables: ["rooms"], durability: "relaxed", leader: "me" }, async (tx) =>
      tx.put("rooms", ROOM),
    );
    await expect(late).rejects.toBeInstanceOf(NotLeader);
    expect(await store.read(["rooms"], (tx) => tx.all("rooms"))).toEqual([]);
  });
});

/** A database "p" of this build with a room in it. */
async function profileOfToday(): Promise<IDBFactory> {
  const factory = new IDBFactory();
  const first = await openDatabase(factory, "p", MIGRATIONS, { onClosed: ignore });
  const tx = first.transaction("rooms", "readwrite");
  tx.objectStore("rooms").put(ROOM);
  await ended(tx);
  first.close();
  return factory;
}

it("fails what was under way when the browser takes the database away, though nothing says so of it", async () => {
  const db = new EventTarget();
  const ending = ended(Object.assign(new EventTarget(), { db, error: null }) as unknown as IDBTransaction);
  db.dispatchEvent(new Event("close"));
  await expect(ending).rejects.toMatchObject({ name: "AbortError" });
});

it("says of a database that lets nothing be begun that it is closed, once: Firefox may leave that unsaid", async () => {
  const refuses = (): never => {
    throw new DOMException("closed", "InvalidStateError");
  };
  const gone = Object.assign(new EventTarget(), { transaction: refuses });
  const request = Object.assign(new EventTarget(), { result: gone, onsuccess: (_event: Event) => undefined });
  const open = (): unknown => {
    queueMicrotask(() => request.onsuccess(new Event("success")));
    return request;
  };
  const closed: string[] = [];
  const factory = { open } as unknown as IDBFactory;
  const db = await openDatabase(factory, "p", MIGRATIONS, { onClosed: (why) => closed.push(why) });
  const waits = ended(Object.assign(new EventTarget(), { db, error: null }) as unknown as IDBTransaction);
  for (const _ of [1, 2]) expect(() => begun(db, ["rooms"])).toThrow(DOMException);
  db.dispatchEvent(new Event("close"));
  await expect(waits).rejects.toMatchObject({ name: "AbortError" });
  expect(closed).toEqual(["terminated"]);
});

it.each(["closed by this tab", "taken over by a newer build"])(
  "says nothing of the kind of one that was %s: what is under way there still ends",
  async (how) => {
    const factory = new IDBFactory();
    const db = await openDatabase(factory, "p", MIGRATIONS, { onClosed: ignore });
    const said = vi.spyOn(db, "dispatchEvent");
    const backend = diskBackend(db);
    const writing = backend.write(["rooms"], "strict", async (tx) => {
      tx.put("rooms", ROOM);
      for (const _ of [1, 2, 3]) await tx.all("rooms");
    });
    await Promise.resolve();
    const closing = new Promise((resolve) => db.addEventListener("versionchange", resolve));
    const newer = how.startsWith("taken")
      ? openDatabase(factory, "p", [...MIGRATIONS, ignore], { onClosed: ignore })
      : null;
    if (newer === null) backend.close();
    else await closing;
    await expect(backend.read(["rooms"], (tx) => tx.all("rooms"))).rejects.toThrow(DOMException);
    await writing;
    expect(said.mock.calls.map(([{ type }]) => type)).not.toContain("close");
    (await newer)?.close();
  },
);

it("fails what was asked of it, too: a request of that moment Firefox never answers, and throws at who asks it why", async () => {
  const db = new EventTarget();
  const request = Object.defineProperty(Object.assign(new EventTarget(), { transaction: { db } }), "error", {
    get: () => expect.fail("pending"),
  });
  const asking = settled(request as unknown as IDBRequest);
  db.dispatchEvent(new Event("close"));
  await expect(asking).rejects.toMatchObject({ name: "AbortError" });
});

describe("opening", () => {
  it("runs every migration that an old profile lacks, in order, and keeps what was there", async () => {
    const factory = await profileOfToday();
    const ran: string[] = [];
    const more = [...MIGRATIONS, () => void ran.push("second"), () => void ran.push("third")];
    const later = await openDatabase(factory, "p", more, { onClosed: ignore });
    expect(ran).toEqual(["second", "third"]);
    expect(await settled(later.transaction("rooms").objectStore("rooms").get(ROOM.name))).toEqual(ROOM);
    later.close();
  });

  it("a profile of the first build has its pinned messages found", async () => {
    const factory = new IDBFactory();
    const room = ROOM.name;
    const first = await openDatabase(factory, "p", MIGRATIONS.slice(0, 1), { onClosed: ignore });
    const tx = first.transaction("messages", "readwrite");
    for (const seq of [1, 2, 3]) {
      const pinned = seq === 2 ? { pinned: { by: "olga", at: 5 } } : {};
      tx.objectStore("messages").put({ room, message: { kind: "message", id: `m${seq}`, seq, ...pinned } });
    }
    await ended(tx);
    first.close();
    const store = await openStore(factory, "p", buses()[0], ignore);
    expect((await store.read(["messages"], (read) => pinnedMessages(read, room))).map(({ seq }) => seq)).toEqual([2]);
    store.close();
  });

  it("a newer build takes the database over, and this one hears of it", async () => {
    const factory = new IDBFactory();
    const closed: string[] = [];
    await openDatabase(factory, "p", MIGRATIONS, { onClosed: (why) => closed.push(why) });
    const newer = await openDatabase(factory, "p", [...MIGRATIONS, ignore], { onClosed: ignore });
    expect(closed).toEqual(["upgraded-elsewhere"]);
    newer.close();
  });

  it("leaves everything as it was where a migration fails, and says so", async () => {
    const factory = await profileOfToday();
    const half: Migration = (db) => {
      db.deleteObjectStore("rooms");
      throw new Error("halfway");
    };
    const failing = openDatabase(factory, "p", [...MIGRATIONS, half], { onClosed: ignore });
    await expect(failing).rejects.toMatchObject({ name: "MigrationFailed", cause: { message: "halfway" } });
    const after = await openDatabase(factory, "p", MIGRATIONS, { onClosed: ignore });
    expect(await settled(after.transaction("rooms").objectStore("rooms").get(ROOM.name))).toEqual(ROOM);
    after.close();
  });

  it("tells that a tab of an older build is in the way, and goes on when it lets go", async () => {
    const factory = new IDBFactory();
    const old = await settled(factory.open("p", 1));
    let blocked = 0;
    const onBlocked = (): void => {
      blocked += 1;
      old.close();
    };
    const db = await openDatabase(factory, "p", [ignore, ignore], { onClosed: ignore, onBlocked });
    expect([blocked, db.version]).toEqual([1, 2]);
    db.close();
  });

  it("never passes over a database of a newer build", async () => {
    const factory = new IDBFactory();
    (await openDatabase(factory, "p", [...MIGRATIONS, ignore], { onClosed: ignore })).close();
    await expect(openStore(factory, "p", buses()[0], ignore)).rejects.toMatchObject({ name: "VersionError" });
  });

  it("works in memory where nothing can be kept, and says so", async () => {
    const broken = {
      open: () => {
        throw new DOMException("no", "SecurityError");
      },
    } as unknown as IDBFactory;
    for (const factory of [null, broken]) {
      const store = await openStore(factory, "p", buses()[0], ignore);
      expect(store.kind).toBe("memory");
    }
  });
});

it("says that something is stored, though there is nobody to tell any more", async () => {
  const closed = (): never => {
    throw new DOMException("Channel is closed", "InvalidStateError");
  };
  const quiet = { send: closed, listen: () => () => undefined, close: () => undefined };
  const store = createStore(memoryBackend(), quiet);
  const put = store.write({ tables: ["meta"], durability: "strict" }, async (tx) => putLeader(tx, "tab"));
  await expect(put).resolves.toBeUndefined();
});
