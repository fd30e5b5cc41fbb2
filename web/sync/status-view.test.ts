// What the status page says of the rooms.
import { expect, it } from "vitest";
import type { ChannelId, UserId, WorkspaceId } from "#protocol/ids.ts";
import type { Liveness } from "../store/liveness.ts";
import { memoryBackend } from "../store/memory.ts";
import { openReplica } from "../store/replica.ts";
import { channelRoom, emptyRoom } from "../store/rooms.ts";
import { createStore } from "../store/store.ts";
import { statusView } from "./status-view.ts";
import type { WorkspaceClientDeps } from "./workspace-client.ts";

const WORKSPACE = "w" as WorkspaceId;
const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };
const live: Liveness = {
  subscribe: () => () => undefined,
  version: () => 0,
  isFlowing: () => true,
  connection: () => ({ state: "live" }),
  liveAt: () => null,
};

it("a channel that was restored isn't complete until what is there now is here", async () => {
  const store = createStore(memoryBackend(), quiet);
  const replica = openReplica(store, WORKSPACE, "olga" as UserId);
  const channel = "c" as ChannelId;
  const room = channelRoom(WORKSPACE, channel);
  const held = { ...emptyRoom(room), epoch: "before", cursor: 1, head: 1, lastSeq: 1, ranges: [{ from: 1, to: null }] };
  const head = { workspace: WORKSPACE, channel, seq: 1, top: 1, rev: 1, at: 2 };
  await store.write({ tables: ["rooms", "heads"], durability: "relaxed" }, async (tx) => {
    tx.put("rooms", held);
    tx.put("heads", head);
  });
  await replica.loaded;
  const ports = {
    storage: null,
    now: () => 1,
    report: (error: unknown) => {
      throw error;
    },
  };
  const tab = {
    liveness: () => live,
    statusOf: () => ({ rooms: [{ room, link: "live" }] }),
    isLeading: () => true,
  };
  const deps = { store, ports, tab, ref: () => ({ id: WORKSPACE }), config: () => null };
  const view = statusView(deps as unknown as WorkspaceClientDeps, replica);
  const stop = view.subscribe(() => undefined);
  const isComplete = (): boolean | undefined => view.snapshot().rooms[0]?.isComplete;
  expect(isComplete()).toBe(true);
  await store.write({ tables: ["heads"], durability: "relaxed" }, async (tx) =>
    tx.put("heads", { ...head, restored: { epoch: "anew", at: 2, seq: 1 } }),
  );
  expect(isComplete()).toBe(false);
  await store.write({ tables: ["rooms"], durability: "relaxed" }, async (tx) =>
    tx.put("rooms", { ...held, epoch: "anew" }),
  );
  expect(isComplete()).toBe(true);
  stop();
});
