// Frames as they are stored, over the store in memory.
import { describe, expect, it } from "vitest";
import type { Entity } from "#protocol/entities/entity.ts";
import type { Message } from "#protocol/entities/message.ts";
import { myStateId } from "#protocol/entities/keys.ts";
import type { ChannelId, UserId } from "#protocol/ids.ts";
import type { History } from "#protocol/frames/history.ts";
import type { Snapshot } from "#protocol/frames/snapshot.ts";
import type { Welcome } from "#protocol/frames/welcome.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { freeBelow } from "../store/freeing.ts";
import { memoryBackend } from "../store/memory.ts";
import { putLeader } from "../store/meta.ts";
import { readRoom } from "../store/rooms.ts";
import { createStore, type Commit, type Store } from "../store/store.ts";
import { prefix } from "../store/tx.ts";
import { FRAME_TABLES, replicaStore, storeAck, type ReplicaStore } from "./replica-store.ts";

const ME = "olga" as UserId;
const CHANNEL = "channel:w_c" as RoomName;
const DIRECTORY = "workspace:w" as RoomName;
const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };

async function open(room: RoomName): Promise<{ store: Store; replica: ReplicaStore; commits: Commit[] }> {
  const store = createStore(memoryBackend(), quiet);
  await store.write({ tables: ["meta"], durability: "strict" }, async (tx) => putLeader(tx, "tab"));
  const commits: Commit[] = [];
  store.listen((commit) => commits.push(commit));
  return { store, replica: replicaStore(store, "tab", room, ME), commits };
}

const message = (seq: number, more: object = {}): Entity =>
  ({ kind: "message", id: `m${seq}`, rev: seq, seq, author: "mara", createdAt: 1, text: `${seq}`, ...more }) as Entity;
const snapshot = (from: number, to: number): Snapshot => ({
  t: "snapshot",
  head: to,
  epoch: "e",
  oldest: from,
  reset: false,
  entities: Array.from({ length: to - from + 1 }, (_, i) => message(from + i)),
});
const changes = (from: number, to: number, ...entities: Entity[]) =>
  ({ t: "changes", from, to, entities, more: false }) as const;
const heldIn = async (store: Store, room: RoomName): Promise<[number, number][]> =>
  (await store.read(["messages"], (tx) => tx.all("messages", prefix(room)))).map(({ message: { seq, rev } }) => [
    seq,
    rev,
  ]);

describe("a frame", () => {
  it("[SY5] is one commit, cursor and messages together", async () => {
    const { replica, commits } = await open(CHANNEL);
    await replica.snapshot(snapshot(1, 2));
    await replica.changed(changes(2, 4, message(3), message(4)), "e");
    expect(commits).toHaveLength(2);
    expect(commits[1]?.map((change) => ("put" in change ? change.table : "removed"))).toEqual([
      "messages",
      "messages",
      "rooms",
    ]);
    expect(commits[1]?.at(-1)).toMatchObject({ put: { cursor: 4, head: 4, lastSeq: 4, top: 4, heldCount: 4 } });
  });

  it("[SY5] that could not be stored has not moved the cursor", async () => {
    const { store, replica, commits } = await open(CHANNEL);
    await replica.snapshot(snapshot(1, 2));
    const broken = { ...changes(2, 3, message(3)), entities: [message(3), null as unknown as Entity] };
    await expect(replica.changed(broken, "e")).rejects.toThrow(TypeError);
    expect(await replica.read()).toMatchObject({ cursor: 2, lastSeq: 2 });
    expect(await heldIn(store, CHANNEL)).toEqual([
      [1, 1],
      [2, 2],
    ]);
    expect(commits).toHaveLength(1);
  });

  it("[SY1] stores an entity only over a lower rev", async () => {
    const { store, replica } = await open(CHANNEL);
    await replica.snapshot(snapshot(1, 2));
    await replica.changed(changes(2, 9, message(2, { rev: 9 })), "e");
    await replica.changed(changes(1, 10, message(2, { rev: 5 })), "e");
    expect(await heldIn(store, CHANNEL)).toEqual([
      [1, 1],
      [2, 9],
    ]);
  });

  it("[SY6] a change to a message outside the ranges is not stored", async () => {
    const { store, replica } = await open(CHANNEL);
    await replica.snapshot(snapshot(51, 52));
    await replica.changed(changes(52, 53, message(7, { rev: 53 })), "e");
    expect(await heldIn(store, CHANNEL)).toEqual([
      [51, 51],
      [52, 52],
    ]);
    expect((await replica.read()).cursor).toBe(53);
  });

  it("[RV3] a floor that moved takes what lies below it", async () => {
    const { store, replica } = await open(CHANNEL);
    await replica.snapshot(snapshot(1, 4));
    const you = { user: ME, role: "member" as const, can: ["read" as const] };
    const welcome = {
      t: "welcome",
      head: 4,
      epoch: "e",
      lastN: 0,
      floor: 3,
      you,
      now: 1,
      expiresAt: 2,
      present: [],
    } as const;
    await replica.welcomed({ ...welcome, you: { ...you, can: [...you.can] }, present: [] });
    expect(await heldIn(store, CHANNEL)).toEqual([
      [3, 3],
      [4, 4],
    ]);
    expect(await replica.read()).toMatchObject({ floor: 3, ranges: [{ from: 3, to: null }], you: { role: "member" } });
  });

  it.each<[string, (replica: ReplicaStore, welcome: Welcome) => Promise<unknown>]>([
    [
      "on a link",
      async (replica, welcome) => {
        await replica.welcomed({ ...welcome, head: 2, epoch: "f", floor: 1 });
        await replica.snapshot({ ...snapshot(1, 2), epoch: "f" });
      },
    ],
    [
      "over HTTP",
      (replica) => {
        const page = { t: "history", more: false, rev: 2, epoch: "f", floor: 1 } as const;
        return replica.began({ ...page, messages: [message(1), message(2)] as Message[] }, "e");
      },
    ],
  ])("[RV3] [SV4] what was restored to before the floor moved is there again: %s", async (_, restored) => {
    const { store, replica } = await open(CHANNEL);
    const you = { user: ME, role: "member" as const, can: [] };
    const welcome = { t: "welcome" as const, head: 4, epoch: "e", lastN: 0, floor: 4, you, now: 1, expiresAt: 2 };
    await replica.welcomed({ ...welcome, present: [] });
    await replica.snapshot(snapshot(4, 4));
    await restored(replica, { ...welcome, present: [] });
    expect((await heldIn(store, CHANNEL)).map(([seq]) => seq)).toEqual([1, 2]);
    expect(await replica.read()).toMatchObject({ epoch: "f", floor: 1, ranges: [{ from: 1, to: null }] });
  });

  it.each([
    ["another unread one stands before it", [message(3), message(4)], 3],
    ["only my own does", [message(3, { author: ME }), message(4)], 2],
    ["so does what stands before it", [message(4), message(3, { rev: 5, deleted: true })], 2],
  ])("what is deleted is unread no more: %s", async (_, came, top) => {
    const { replica } = await open(CHANNEL);
    await replica.snapshot(snapshot(1, 2));
    await replica.changed(changes(2, 5, ...came), "e");
    await replica.changed(changes(5, 6, message(4, { rev: 6, deleted: true })), "e");
    expect(await replica.read()).toMatchObject({ top, lastSeq: 4 });
  });

  it("a newest page on which all is deleted may have what is unread before it", async () => {
    const { replica } = await open(CHANNEL);
    const gone = { deleted: true };
    await replica.snapshot({ ...snapshot(51, 52), entities: [message(51, gone), message(52, gone)] });
    expect((await replica.read()).top).toBe(50);
  });

  it("what an older build left behind is put right by a greeting that has nothing new", async () => {
    const { store, replica } = await open(CHANNEL);
    await replica.snapshot(snapshot(1, 4));
    await store.write({ tables: ["rooms"], durability: "relaxed" }, async (tx) => {
      const room = await tx.get("rooms", CHANNEL);
      if (room !== undefined) tx.put("rooms", { ...room, heardTo: 2 });
    });
    const you = { user: ME, role: "member" as const, can: [] };
    const welcome = { t: "welcome" as const, head: 4, epoch: "e", lastN: 0, floor: 0, you, now: 1, expiresAt: 2 };
    await replica.welcomed({ ...welcome, present: [] });
    expect(await replica.read()).toMatchObject({ heardTo: 4 });
  });

  it("what is deleted leaves the place before it unread where that isn't held", async () => {
    const { replica } = await open(CHANNEL);
    await replica.snapshot({ ...snapshot(51, 52), entities: [message(51), message(52, { author: ME })] });
    await replica.changed(changes(52, 53, message(51, { rev: 53, deleted: true })), "e");
    expect((await replica.read()).top).toBe(50);
  });

  it("leaves what lies before a first page of my own messages unread, until it is here", async () => {
    const { replica } = await open(CHANNEL);
    const mine = (seq: number): Entity => message(seq, { author: ME });
    await replica.snapshot({ ...snapshot(51, 52), entities: [mine(51), mine(52)] });
    expect((await replica.read()).top).toBe(50);
    const page = (...messages: Entity[]): History => ({
      t: "history",
      messages: messages.filter((entity) => entity.kind === "message"),
      more: true,
      rev: 52,
      epoch: "e",
    });
    await replica.history(page(mine(49), mine(50)), { before: 51 });
    expect((await replica.read()).top).toBe(48);
    await replica.history(page(message(46), mine(47), mine(48)), { before: 49 });
    expect((await replica.read()).top).toBe(46);
  });

  it("[SY4] leaves what lies before such a page unread where the channel was empty when it was last heard", async () => {
    const { replica } = await open(CHANNEL);
    await replica.snapshot({ ...snapshot(1, 0), oldest: null });
    await replica.snapshot({ ...snapshot(51, 52), entities: [51, 52].map((seq) => message(seq, { author: ME })) });
    expect((await replica.read()).top).toBe(50);
  });

  it("[SY4] leaves it unread also where posts of mine had been acknowledged before that page came", async () => {
    const { store, replica } = await open(CHANNEL);
    const mine = (seq: number): Entity => message(seq, { author: ME });
    await replica.snapshot({ ...snapshot(1, 0), oldest: null });
    await store.write({ tables: FRAME_TABLES, durability: "relaxed" }, (tx) =>
      storeAck(tx, CHANNEL, ME, { t: "ack", n: 1, rev: 52, entities: [mine(51), mine(52)] }),
    );
    expect((await replica.read()).top).toBe(0);
    await replica.snapshot({ ...snapshot(51, 52), entities: [mine(51), mine(52)] });
    expect((await replica.read()).top).toBe(50);
  });

  it("[SY4] leaves it unread also where a page that came before it was read, and isn't compared yet", async () => {
    const { replica } = await open(CHANNEL);
    await replica.snapshot(snapshot(1, 20));
    await replica.snapshot(snapshot(51, 70));
    expect(await replica.read()).toMatchObject({ top: 70, second: { since: 20 } });
    await replica.snapshot({ ...snapshot(101, 102), entities: [101, 102].map((seq) => message(seq, { author: ME })) });
    expect((await replica.read()).top).toBe(100);
  });

  it("[SY4] leaves it unread also where all that was held before had made way", async () => {
    const { store, replica } = await open(CHANNEL);
    await replica.snapshot(snapshot(1, 20));
    await store.write({ tables: FRAME_TABLES, durability: "relaxed" }, async (tx) => {
      await freeBelow(tx, await readRoom(tx, CHANNEL), 21);
    });
    await replica.snapshot({ ...snapshot(51, 52), entities: [51, 52].map((seq) => message(seq, { author: ME })) });
    expect((await replica.read()).top).toBe(50);
  });

  it("[RV3] of a first page of my own messages above what retention left leaves nothing unread", async () => {
    const { replica } = await open(CHANNEL);
    const you = { user: ME, role: "member" as const, can: [] };
    const welcome = { t: "welcome" as const, head: 51, epoch: "e", lastN: 0, floor: 51, you, now: 1, expiresAt: 2 };
    await replica.welcomed({ ...welcome, present: [] });
    await replica.snapshot({ ...snapshot(51, 51), entities: [message(51, { author: ME })] });
    expect((await replica.read()).top).toBe(0);
  });

  it("remembers which messages name me, also once they are read: one may mark them unread", async () => {
    const { store, replica } = await open(CHANNEL);
    await replica.snapshot(snapshot(1, 2));
    await replica.changed(
      changes(2, 4, message(3, { mentions: [ME] }), message(4, { mentions: [ME], author: ME })),
      "e",
    );
    expect((await replica.read()).naming).toEqual([3]);
    const read = { kind: "read", id: myStateId(ME, "c" as ChannelId), rev: 1, user: ME, channel: "c", seq: 4 };
    await replicaStore(store, "tab", DIRECTORY, ME).changed({ ...changes(0, 1, read as Entity), reset: true }, "e");
    await replica.changed(changes(4, 5, message(5)), "e");
    expect((await replica.read()).naming).toEqual([3]);
    await replica.changed(changes(5, 6, message(3, { rev: 6 })), "e");
    expect((await replica.read()).naming).toEqual([]);
  });
});

describe("[SV4] a page over HTTP that was asked for before another history came", () => {
  const other = { ...snapshot(1, 2), epoch: "f" };

  it("brings nothing of the one that is gone", async () => {
    const { store, replica } = await open(CHANNEL);
    await replica.snapshot(snapshot(1, 1));
    const { epoch } = await replica.read();
    await replica.snapshot(other);
    expect((await replica.pulled(changes(1, 4, message(3), message(4)), epoch)).do).toBe("ignore");
    expect(await replica.read()).toMatchObject({ cursor: 2, epoch: "f" });
    expect((await heldIn(store, CHANNEL)).length).toBe(2);
  });

  it("isn't begun with, nor is one of it where something is held since", async () => {
    const { replica } = await open(CHANNEL);
    await replica.snapshot(other);
    const page = { t: "history", messages: [], more: false, rev: 9, epoch: "e" } as const;
    expect((await replica.began({ ...page, messages: [] }, null)).do).toBe("ignore");
    expect(await replica.read()).toMatchObject({ cursor: 2, epoch: "f" });
  });
});

describe("a mention that was freed from the device", () => {
  it("counts until the message is deleted, or names me no more", async () => {
    const { store, replica } = await open(CHANNEL);
    const naming = { mentions: [ME] };
    await replica.snapshot({ ...snapshot(1, 4), entities: [1, 2, 3, 4].map((seq) => message(seq, naming)) });
    await store.write({ tables: ["rooms", "messages", "outbox", "drafts"], durability: "relaxed" }, async (tx) => {
      const room = await tx.get("rooms", CHANNEL);
      if (room !== undefined) await freeBelow(tx, room, 4);
    });
    expect((await replica.read()).naming).toEqual([1, 2, 3, 4]);
    await replica.changed(changes(4, 5, message(1, { rev: 5 })), "e");
    await replica.changed(changes(5, 6, message(2, { rev: 6, ...naming, text: "still" })), "e");
    const { text: _, ...tombstone } = message(3, { rev: 7 }) as { text?: string };
    await replica.changed(changes(6, 7, { ...tombstone, deleted: true, deletedAt: 7 } as Entity), "e");
    expect((await replica.read()).naming).toEqual([2, 4]);
    // And from when an edit names me.
    await replica.changed(changes(7, 8, message(1, { rev: 8, ...naming })), "e");
    expect((await replica.read()).naming).toEqual([1, 2, 4]);
    expect(await heldIn(store, CHANNEL)).toEqual([[4, 4]]);
  });
});

describe("a workspace's frame", () => {
  const channel = (id: string, rev: number): Entity =>
    ({
      kind: "channel",
      id,
      rev,
      access: "public",
      name: id,
      topic: "",
      purpose: "",
      createdBy: ME,
      createdAt: 1,
      posting: "all",
    }) as Entity;
  const membership = (rev: number, more: object = {}): Entity =>
    ({ kind: "membership", id: `c.${ME}`, rev, channel: "c", user: ME, ...more }) as Entity;
  const names = async (store: Store): Promise<string[]> =>
    (await store.read(["entities"], (tx) => tx.all("entities"))).map(({ entity }) => entity.id);

  it("[SY4] a reset in pages loses nothing on the way and keeps only what it brought", async () => {
    const { store, replica } = await open(DIRECTORY);
    await replica.changed({ ...changes(0, 9, channel("a", 1), channel("b", 9)), reset: true }, "e1");
    await replica.changed({ ...changes(0, 1, channel("c", 1)), more: true, reset: true }, "e2");
    expect(await names(store)).toEqual(["a", "b", "c"]);
    await replica.changed(changes(1, 2, channel("b", 2)), "e2");
    expect(await names(store)).toEqual(["b", "c"]);
    expect(await replica.read()).toMatchObject({ cursor: 2, epoch: "e2", isSweeping: false });
  });

  it("[RV5] my membership's end out of sight takes the channel and its messages along", async () => {
    const { store, replica } = await open(DIRECTORY);
    await replica.changed({ ...changes(0, 1, channel("c", 1)), reset: true }, "e");
    await replicaStore(store, "tab", CHANNEL, ME).snapshot(snapshot(1, 3));
    await replica.changed(changes(1, 2, membership(2, { deleted: true, gone: true })), "e");
    expect(await names(store)).toEqual([`c.${ME}`]);
    expect(await heldIn(store, CHANNEL)).toEqual([]);
  });

  it("[RV5] what the channel's room had said before that, and what it says while I am out, is not stored", async () => {
    const { store, replica } = await open(DIRECTORY);
    const room = replicaStore(store, "tab", CHANNEL, ME);
    await replica.changed({ ...changes(0, 1, channel("c", 1)), reset: true }, "e");
    await replica.changed(changes(1, 2, membership(2, { deleted: true, gone: true })), "e");
    await room.snapshot(snapshot(1, 3));
    await room.changed(changes(0, 1, message(1)), "e");
    expect(await heldIn(store, CHANNEL)).toEqual([]);
    await replica.changed(changes(2, 4, membership(3), channel("c", 4)), "e");
    await room.snapshot(snapshot(1, 3));
    expect(await heldIn(store, CHANNEL)).toHaveLength(3);
  });

  it("[SV2] heads merge by the higher rev", async () => {
    const { store, replica } = await open(DIRECTORY);
    const head = (rev: number) => ({ seq: rev, top: rev, rev, at: 1 });
    await replica.bumped("c" as ChannelId, head(5), 7);
    await replica.bumped("c" as ChannelId, head(3), 6);
    expect(await store.read(["heads"], (tx) => tx.all("heads"))).toMatchObject([{ channel: "c", rev: 5, top: 5 }]);
    expect((await replica.read()).heads).toBe(7);
  });
});
