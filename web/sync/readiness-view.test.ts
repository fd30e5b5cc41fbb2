// What the browser says of its storage, as the page shows it, and how much is allowed.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ChannelId, UserId, WorkspaceId } from "#protocol/ids.ts";
import { putEntity } from "../store/put-entities.ts";
import { KEEP_ALL, putKeep } from "../store/keep.ts";
import { memoryBackend } from "../store/memory.ts";
import type { ReadinessSnapshot } from "../store/readiness.ts";
import { openReplica } from "../store/replica.ts";
import { channelRoom, emptyRoom, workspaceRoom } from "../store/rooms.ts";
import { createStore } from "../store/store.ts";
import { ALWAYS_LIVE } from "../test/always-live.ts";
import type { DeviceStorage } from "./ports.ts";
import { readinessView } from "./readiness-view.ts";
import type { WorkspaceClientDeps } from "./workspace-client.ts";

const WORKSPACE = "w" as WorkspaceId;
const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function shown(storage: DeviceStorage | null) {
  const store = createStore(memoryBackend(), quiet);
  const replica = openReplica(store, WORKSPACE, "olga" as UserId);
  await replica.loaded;
  const timers = {
    set: (run: () => void, ms: number) => setTimeout(run, ms),
    clear: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
  };
  const report = (error: unknown): never => {
    throw error;
  };
  const view = readinessView(
    {
      store,
      ports: { storage, timers, report, now: () => Date.now() },
      tab: { liveness: () => ALWAYS_LIVE, statusOf: () => null },
      ref: () => ({ id: WORKSPACE }),
    } as unknown as WorkspaceClientDeps,
    replica,
  );
  const stop = view.subscribe(() => undefined);
  const now = (): ReadinessSnapshot => {
    const snapshot = view.snapshot();
    if (snapshot.state === "loading") throw new Error("not loaded");
    return snapshot.value;
  };
  return { store, now, stop };
}

it("what is used, what may be and whether it is protected is asked of the browser, and again while somebody looks", async () => {
  let isPersistent = false;
  let usage = 86_000_000;
  let asked = 0;
  const { now, stop } = await shown({
    estimate: async () => {
      asked += 1;
      return { usage, quota: 1_000_000_000 };
    },
    persisted: async () => isPersistent,
  });
  await vi.advanceTimersByTimeAsync(0);
  const before = { usedBytes: 86_000_000, quotaBytes: 1_000_000_000, isPersistent: false, kind: "memory" };
  expect(now().storage).toEqual(before);
  [isPersistent, usage] = [true, 90_000_000];
  await vi.advanceTimersByTimeAsync(5_000);
  expect(now().storage).toEqual({ ...before, usedBytes: 90_000_000, isPersistent: true });
  stop();
  const atLast = asked;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(atLast);
});

it("of a browser that says nothing of its storage nothing is said", async () => {
  const unknown = { usedBytes: null, quotaBytes: null, isPersistent: null, kind: "memory" };
  const silent = await shown(null);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(silent.now().storage).toEqual(unknown);
  const vague = await shown({ estimate: async () => ({}), persisted: async () => false });
  await vi.advanceTimersByTimeAsync(0);
  expect(vague.now().storage).toEqual({ ...unknown, isPersistent: false });
  for (const { stop } of [silent, vague]) stop();
});

it("how much is allowed is what was chosen, in whichever tab", async () => {
  const { store, now, stop } = await shown(null);
  expect(now().keep).toEqual({ days: null, maxBytes: null });
  await store.write({ tables: ["meta"], durability: "relaxed" }, async (tx) =>
    putKeep(tx, { ...KEEP_ALL, days: 30, maxBytes: 100_000_000 }),
  );
  expect(now().keep).toEqual({ days: 30, maxBytes: 100_000_000 });
  stop();
});

it("of a channel that was restored nothing is said to be here until what is there now is", async () => {
  const { store, now, stop } = await shown(null);
  const channel = "c" as ChannelId;
  const name = channelRoom(WORKSPACE, channel);
  const head = { workspace: WORKSPACE, channel, seq: 2, top: 2, rev: 2, at: 2 };
  const held = { cursor: 2, head: 2, lastSeq: 2, heldCount: 2, oldestAt: 1, ranges: [{ from: 1, to: null }] };
  await store.write({ tables: ["entities", "rooms", "heads"], durability: "relaxed" }, async (tx) => {
    for (const entity of [
      { kind: "channel", id: channel, rev: 1, access: "public", name: "general" },
      { kind: "membership", id: "c.olga", rev: 1, channel, user: "olga" },
    ])
      await putEntity(tx, workspaceRoom(WORKSPACE), 1, entity as unknown as Parameters<typeof putEntity>[3]);
    tx.put("rooms", { ...emptyRoom(name), ...held, epoch: "before" });
    tx.put("heads", head);
  });
  const whole = { isReady: true, isWhole: true, since: 1, toCome: 0 };
  expect(now()).toMatchObject({ channels: [whole], readyCount: 1, completeSince: 1 });
  await store.write({ tables: ["heads"], durability: "relaxed" }, async (tx) =>
    tx.put("heads", { ...head, seq: 1, restored: { epoch: "anew", at: 2, seq: 1 } }),
  );
  const past = { isReady: false, isWhole: false, since: null, toCome: 1, messageCount: 2 };
  expect(now()).toMatchObject({ channels: [past], readyCount: 0, completeSince: null });
  await store.write({ tables: ["rooms"], durability: "relaxed" }, async (tx) =>
    tx.put("rooms", { ...emptyRoom(name), ...held, cursor: 1, head: 1, lastSeq: 1, heldCount: 1, epoch: "anew" }),
  );
  expect(now()).toMatchObject({ channels: [whole], readyCount: 1, completeSince: 1 });
  stop();
});
