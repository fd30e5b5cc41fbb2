import "fake-indexeddb/auto";
import { describe, expect, it } from "vitest";
import { IDBFactory } from "fake-indexeddb";
import type { RoomName } from "#protocol/room-name.ts";
import { emptyRoom } from "./rooms.ts";
import { diskBackend, openDatabase } from "./database.ts";
import { memoryBackend } from "./memory.ts";
import { putLeader } from "./meta.ts";
import { runReworks } from "./rework.ts";
import { MIGRATIONS, type MessageRecord, type Rework } from "./schema.ts";
import { createStore, type Store } from "./store.ts";
import type { Backend } from "./tx.ts";

const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };
const COUNT = 1_001;
const ROOMS = ["channel:w_a", "channel:w_b"] as RoomName[];

async function filled(backend: Backend): Promise<Store> {
  const store = createStore(backend, quiet);
  await store.write({ tables: ["messages", "meta", "rooms"], durability: "strict" }, async (tx) => {
    putLeader(tx, "me");
    for (const name of ROOMS) tx.put("rooms", emptyRoom(name));
    for (let at = 0; at < COUNT; at++) {
      const message = { kind: "message", id: `m${at}`, rev: 1, seq: at + 1, author: "a", createdAt: 1, text: "old" };
      tx.put("messages", { room: ROOMS[at % 2], message } as MessageRecord);
    }
  });
  return store;
}

/** Counts what it changes, so that nothing is changed twice. */
function shouting(changed: string[]): Rework {
  const rework: Rework<"messages"> = {
    name: "shout",
    table: "messages",
    change: (record) => {
      if (record.message.deleted === true || record.message.text !== "old") return record;
      changed.push(record.message.id);
      return { ...record, message: { ...record.message, text: "new" } };
    },
  };
  return rework as unknown as Rework;
}

const backends: readonly (readonly [string, () => Promise<Backend>])[] = [
  ["on disk", async () => diskBackend(await openDatabase(new IDBFactory(), "p", MIGRATIONS, { onClosed: () => 0 }))],
  ["in memory", async () => memoryBackend()],
];

describe.each(backends)("a rework %s", (_where, open) => {
  it("changes every record once, in slices", async () => {
    const store = await filled(await open());
    const changed: string[] = [];
    let pauses = 0;
    const deps = { store, leader: "me", isStopped: () => false, pause: async () => void pauses++ };
    await runReworks(deps, [shouting(changed)]);
    expect([changed.length, new Set(changed).size, pauses]).toEqual([COUNT, COUNT, 5]);
    await runReworks(deps, [shouting(changed)]);
    expect(changed.length).toBe(COUNT);
  });

  it("that was interrupted goes on where it stopped", async () => {
    const store = await filled(await open());
    const changed: string[] = [];
    let slices = 0;
    const cut = { store, leader: "me", isStopped: () => slices >= 2, pause: async () => void slices++ };
    await runReworks(cut, [shouting(changed)]);
    expect(changed.length).toBe(400);
    const seen = await store.read(["messages"], (tx) => tx.all("messages"));
    expect(seen.filter(({ message }) => !message.deleted && message.text === "new").length).toBe(400);
    await runReworks({ ...cut, isStopped: () => false }, [shouting(changed)]);
    expect([changed.length, new Set(changed).size]).toEqual([COUNT, COUNT]);
  });

  it("does nothing in a tab that leads no more", async () => {
    const store = await filled(await open());
    const changed: string[] = [];
    const late = runReworks({ store, leader: "other", isStopped: () => false, pause: async () => undefined }, [
      shouting(changed),
    ]);
    await expect(late).rejects.toMatchObject({ name: "NotLeader" });
    expect(changed).toEqual([]);
  });
});
