// What waits in the outbox, laid over what the worker finds.
import { expect, it } from "vitest";
import type { Message } from "#protocol/entities/message.ts";
import type { ChannelId, UserId, WorkspaceId } from "#protocol/ids.ts";
import { putEntity } from "../../store/put-entities.ts";
import { memoryBackend } from "../../store/memory.ts";
import { putMessage } from "../../store/messages.ts";
import { openReplica } from "../../store/replica.ts";
import { channelRoom, emptyRoom, workspaceRoom } from "../../store/rooms.ts";
import { createStore } from "../../store/store.ts";
import { CHANNEL, outboxOf, post, REFUSED, type Waiting } from "../../test/ops.ts";
import type { Asked, Order } from "./search-index.ts";
import { searchOf } from "./search.ts";
import type { WorkerLink } from "./worker-link.ts";

const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };

it("finds what is pinned by an op that still waits", async () => {
  const store = createStore(memoryBackend(), quiet);
  const held = { kind: "message", id: "m", rev: 1, seq: 1, author: "mara", createdAt: 1, text: "the plan" };
  await store.write({ tables: ["messages", "outbox"], durability: "relaxed" }, async (tx) => {
    putMessage(tx, CHANNEL, held as unknown as Message);
    for (const op of outboxOf({ op: "message.pin", args: { id: "m", on: true } })) tx.put("outbox", op);
  });
  const extent = { count: 1, since: 1, channels: 1 };
  const link = { ask: async () => ({ total: 0, hits: [], extent }) } as unknown as WorkerLink;
  const replica = openReplica(store, "w" as WorkspaceId, "olga" as UserId);
  const answer = await searchOf({ store, replica, link, now: () => 2 }).ask("has:pin", "newest", 10);
  expect(answer).toMatchObject({
    total: 1,
    results: [{ message: { id: "m" }, delivery: "sent", hasWaitingChange: true }],
  });
});

it("says how many are searched with those that wait, and without those whose deletion does", async () => {
  const store = createStore(memoryBackend(), quiet);
  const held = (id: string, seq: number) =>
    ({ kind: "message", id, rev: seq, seq, author: "olga", createdAt: 50, text: "the plan" }) as unknown as Message;
  const waiting: readonly Waiting[] = [
    post("new", { text: "a plan" }),
    { ...post("refused", { text: "a plan" }), refusal: REFUSED },
    { op: "message.edit", args: { id: "m", text: "no plan", base: 1 } },
  ];
  await store.write({ tables: ["messages", "outbox"], durability: "relaxed" }, async (tx) => {
    for (const message of [held("m", 1), held("n", 2)]) putMessage(tx, CHANNEL, message);
    for (const op of outboxOf(...waiting)) tx.put("outbox", op);
  });
  const link = {
    ask: async () => ({ total: 2, hits: [], extent: { count: 2, oldestAt: 50 } }),
  } as unknown as WorkerLink;
  const replica = openReplica(store, "w" as WorkspaceId, "olga" as UserId);
  const search = searchOf({ store, replica, link, now: () => 99 });
  expect(await search.ask("plan", "newest", 10)).toMatchObject({ total: 4, extent: { count: 4 } });
  expect(await search.ask("", "newest", 10)).toMatchObject({ total: 0, extent: { count: 4 } });
  await store.write({ tables: ["outbox"], durability: "relaxed" }, async (tx) => {
    for (const op of outboxOf(...waiting, { op: "message.delete", args: { id: "n" } })) tx.put("outbox", op);
  });
  expect(await search.ask("plan", "newest", 10)).toMatchObject({ total: 3, extent: { count: 3 } });
});

it("never counts fewer than it shows, though what an edit outdates isn't in the index yet", async () => {
  const store = createStore(memoryBackend(), quiet);
  const held = { kind: "message", id: "m", rev: 1, seq: 1, author: "olga", createdAt: 1, text: "the plan" };
  await store.write({ tables: ["messages", "outbox"], durability: "relaxed" }, async (tx) => {
    putMessage(tx, CHANNEL, held as unknown as Message);
    for (const op of outboxOf({ op: "message.edit", args: { id: "m", text: "a plan", base: 1 } })) tx.put("outbox", op);
  });
  const extent = { count: 0, oldestAt: null };
  const link = { ask: async () => ({ total: 0, hits: [], extent }) } as unknown as WorkerLink;
  const replica = openReplica(store, "w" as WorkspaceId, "olga" as UserId);
  const search = searchOf({ store, replica, link, now: () => 2 });
  expect(await search.ask("the", "newest", 10)).toMatchObject({ total: 0, results: [] });
  expect(await search.ask("plan", "newest", 10)).toMatchObject({ total: 1, results: [{ message: { id: "m" } }] });
});

it.each<[Order, string[]]>([
  ["best", ["new", "old", "newer", "oldest"]],
  ["newest", ["new", "newer", "old", "oldest"]],
])("%s first is as the index has it, or by time; what waits was written last and comes first", async (order, ids) => {
  const store = createStore(memoryBackend(), quiet);
  await store.write({ tables: ["outbox"], durability: "relaxed" }, async (tx) => {
    for (const op of outboxOf(post("new", { text: "a plan" }))) tx.put("outbox", op);
  });
  const hit = (id: string, createdAt: number) => ({
    room: CHANNEL,
    message: { kind: "message", id, rev: 1, seq: createdAt, author: "mara", createdAt, text: "the plan" },
  });
  const asked: (Asked | null)[] = [];
  const link = {
    ask: async (_rooms: string, question: Asked | null) => {
      asked.push(question);
      return {
        total: 3,
        hits: [hit("old", 20), hit("newer", 30), hit("oldest", 10)],
        extent: { count: 3, oldestAt: 10 },
      };
    },
  } as unknown as WorkerLink;
  const replica = openReplica(store, "w" as WorkspaceId, "olga" as UserId);
  const answer = await searchOf({ store, replica, link, now: () => 99 }).ask("plan", order, 7);
  expect(answer?.results.map(({ message }) => message.id)).toEqual(ids);
  expect(asked).toMatchObject([{ order, limit: 7, now: 99 }]);
});

it("says since when what waits is from, where nothing else is here", async () => {
  const store = createStore(memoryBackend(), quiet);
  await store.write({ tables: ["outbox"], durability: "relaxed" }, async (tx) => {
    for (const op of outboxOf(post("new", { text: "a plan" }))) tx.put("outbox", op);
  });
  const link = {
    ask: async () => ({ total: 0, hits: [], extent: { count: 0, oldestAt: null } }),
  } as unknown as WorkerLink;
  const replica = openReplica(store, "w" as WorkspaceId, "olga" as UserId);
  const answer = await searchOf({ store, replica, link, now: () => 99 }).ask("", "newest", 10);
  expect(answer?.extent).toEqual({ count: 1, oldestAt: expect.any(Number) as number });
});

it("says of each channel one is in that not all of it is here, also where nothing is yet, or newer is known to be there", async () => {
  const store = createStore(memoryBackend(), quiet);
  const directory = workspaceRoom("w" as WorkspaceId);
  const member = (channel: string) => ({ kind: "membership", id: `${channel}.olga`, rev: 1, channel, user: "olga" });
  await store.write({ tables: ["entities", "rooms", "heads"], durability: "relaxed" }, async (tx) => {
    for (const id of ["whole", "begun", "behind", "never-opened", "restored"]) {
      const channel = { kind: "channel", id, rev: 1, access: "public", name: id };
      for (const entity of [channel, member(id)])
        await putEntity(tx, directory, 1, entity as unknown as Parameters<typeof putEntity>[3]);
    }
    const room = (id: string, from: number) =>
      tx.put("rooms", { ...emptyRoom(channelRoom("w" as WorkspaceId, id as ChannelId)), ranges: [{ from, to: null }] });
    room("whole", 1);
    room("begun", 50);
    room("behind", 1);
    room("restored", 1);
    const head = { workspace: "w" as WorkspaceId, seq: 0, top: 0, rev: 0, at: 1 };
    // Of which what is here is gone by now, and what is there now isn't here ([SV4]).
    tx.put("heads", { ...head, channel: "restored" as ChannelId, restored: { epoch: "anew", at: 1, seq: 0 } });
    tx.put("heads", { workspace: "w" as WorkspaceId, channel: "behind" as ChannelId, seq: 3, top: 3, rev: 3, at: 1 });
  });
  const link = {
    ask: async () => ({ total: 0, hits: [], extent: { count: 1, oldestAt: 1 } }),
  } as unknown as WorkerLink;
  const replica = openReplica(store, "w" as WorkspaceId, "olga" as UserId);
  const answer = await searchOf({ store, replica, link, now: () => 2 }).ask("plan", "newest", 10);
  expect(answer?.incompleteCount).toBe(4);
});
