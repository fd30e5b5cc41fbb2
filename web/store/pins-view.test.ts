import { expect, it, vi } from "vitest";
import type { Message } from "#protocol/entities/message.ts";
import type { ChannelId, UserId, WorkspaceId } from "#protocol/ids.ts";
import { CHANNEL } from "../test/ops.ts";
import type { Liveness } from "./liveness.ts";
import { memoryBackend } from "./memory.ts";
import { putMessage } from "./messages.ts";
import { pinsView } from "./pins-view.ts";
import { openReplica, type Replica } from "./replica.ts";
import { emptyRoom } from "./rooms.ts";
import { createStore, type Bus, type Store } from "./store.ts";
import type { PinsSnapshot } from "./timeline-snapshots.ts";

const ME = "olga" as UserId;
const CHANNEL_ID = "c" as ChannelId;
const deaf: Bus = { send: () => undefined, listen: () => () => undefined, close: () => undefined };
const away = { subscribe: () => () => undefined, connection: () => ({ state: "offline" }) } as unknown as Liveness;
const message = (rev: number, more: object): Message =>
  ({ kind: "message", id: "m1", rev, seq: 1, author: ME, createdAt: 1, ...more }) as unknown as Message;

/** One message, and nobody has told of another. */
async function holding(more: object, backend = memoryBackend()): Promise<Store> {
  const store = createStore(backend, deaf);
  await store.write({ tables: ["messages", "rooms"], durability: "relaxed" }, async (tx) => {
    putMessage(tx, CHANNEL, message(1, more));
    tx.put("rooms", { ...emptyRoom(CHANNEL), cursor: 1, head: 1, lastSeq: 1, ranges: [{ from: 1, to: null }] });
  });
  return store;
}

function pinsOf(store: Store): { readonly replica: Replica; readonly value: () => PinsSnapshot | null } {
  const replica = openReplica(store, "w" as WorkspaceId, ME);
  const ref = () => ({ id: "w" as WorkspaceId, slug: "w", name: "w", role: "member" as const });
  const report = (error: unknown): void => {
    throw error;
  };
  const pins = pinsView({ store, replica, liveness: away, ref, now: () => 2, report }, CHANNEL_ID);
  pins.subscribe(() => undefined);
  const value = (): PinsSnapshot | null => {
    const now = pins.snapshot();
    return now.state === "ready" ? now.value : null;
  };
  return { replica, value };
}

it("what is pinned is read anew where commits were missed", async () => {
  const backend = memoryBackend();
  const store = await holding({ text: "pinned", pinned: { by: ME, at: 1 } }, backend);
  const unheard = createStore(backend, deaf);
  const { replica, value } = pinsOf(store);
  await vi.waitUntil(() => value()?.messages.length === 1);
  await unheard.write({ tables: ["messages"], durability: "relaxed" }, async (tx) =>
    putMessage(tx, CHANNEL, message(2, { deleted: true, deletedAt: 2 })),
  );
  await replica.reload();
  await vi.waitUntil(() => value()?.messages.length === 0);
  expect(value()).toMatchObject({ messages: [] });
});

it("isn't called whole once the workspace's room has told of more", async () => {
  const store = await holding({ text: "not pinned" });
  const { value } = pinsOf(store);
  await vi.waitUntil(() => value() !== null);
  expect(value()).toMatchObject({ messages: [], isWhole: true });
  await store.write({ tables: ["heads"], durability: "relaxed" }, async (tx) =>
    tx.put("heads", { workspace: "w" as WorkspaceId, channel: CHANNEL_ID, seq: 2, top: 2, rev: 2, at: 2 }),
  );
  await vi.waitUntil(() => value()?.isWhole === false);
  expect(value()).toMatchObject({ messages: [], isWhole: false });
});

it("isn't called whole once the channel was restored, and what is there now isn't here", async () => {
  const store = await holding({ text: "not pinned" });
  const { value } = pinsOf(store);
  await vi.waitUntil(() => value()?.isWhole === true);
  const head = { workspace: "w" as WorkspaceId, channel: CHANNEL_ID, seq: 1, top: 1, rev: 1, at: 2 };
  await store.write({ tables: ["heads"], durability: "relaxed" }, async (tx) =>
    tx.put("heads", { ...head, restored: { epoch: "anew", at: 2, seq: 1 } }),
  );
  await vi.waitUntil(() => value()?.isWhole === false);
});
