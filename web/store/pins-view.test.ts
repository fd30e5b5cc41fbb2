import { expect, it, vi } from "vitest";
import type { Message } from "#protocol/entities/message.ts";
import type { ChannelId, UserId, WorkspaceId } from "#protocol/ids.ts";
import { CHANNEL } from "../test/ops.ts";
import type { Liveness } from "./liveness.ts";
import { memoryBackend } from "./memory.ts";
import { putMessage } from "./messages.ts";
import { pinsView } from "./pins-view.ts";
import { openReplica } from "./replica.ts";
import { emptyRoom } from "./rooms.ts";
import { createStore, type Bus } from "./store.ts";

const ME = "olga" as UserId;
const deaf: Bus = { send: () => undefined, listen: () => () => undefined, close: () => undefined };
const away = { subscribe: () => () => undefined, connection: () => ({ state: "offline" }) } as unknown as Liveness;
const message = (rev: number, more: object): Message =>
  ({ kind: "message", id: "m1", rev, seq: 1, author: ME, createdAt: 1, ...more }) as unknown as Message;

it("what is pinned is read anew where commits were missed", async () => {
  const backend = memoryBackend();
  const store = createStore(backend, deaf);
  const unheard = createStore(backend, deaf);
  await store.write({ tables: ["messages", "rooms"], durability: "relaxed" }, async (tx) => {
    putMessage(tx, CHANNEL, message(1, { text: "pinned", pinned: { by: ME, at: 1 } }));
    tx.put("rooms", { ...emptyRoom(CHANNEL), cursor: 1, head: 1, lastSeq: 1, ranges: [{ from: 1, to: null }] });
  });
  const replica = openReplica(store, "w" as WorkspaceId, ME);
  const ref = () => ({ id: "w" as WorkspaceId, slug: "w", name: "w", role: "member" as const });
  const report = (error: unknown): void => {
    throw error;
  };
  const pins = pinsView({ store, replica, liveness: away, ref, now: () => 2, report }, "c" as ChannelId);
  pins.subscribe(() => undefined);
  const count = (): number | null => {
    const now = pins.snapshot();
    return now.state === "ready" ? now.value.messages.length : null;
  };
  await vi.waitUntil(() => count() === 1);
  await unheard.write({ tables: ["messages"], durability: "relaxed" }, async (tx) =>
    putMessage(tx, CHANNEL, message(2, { deleted: true, deletedAt: 2 })),
  );
  await replica.reload();
  await vi.waitUntil(() => count() === 0);
  expect(count()).toBe(0);
});
