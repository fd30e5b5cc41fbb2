// When an open search says anew what of its channels isn't here.
import { expect, it } from "vitest";
import type { ChannelId, UserId, WorkspaceId } from "#protocol/ids.ts";
import { putEntity } from "../../store/put-entities.ts";
import { memoryBackend } from "../../store/memory.ts";
import { openReplica } from "../../store/replica.ts";
import { channelRoom, emptyRoom, workspaceRoom } from "../../store/rooms.ts";
import { createStore } from "../../store/store.ts";
import type { WorkspaceClient } from "../../sync/client.ts";
import { searchOf } from "../../sync/search/search.ts";
import type { WorkerLink } from "../../sync/search/worker-link.ts";
import { searchSession } from "./session.ts";

const WORKSPACE = "w" as WorkspaceId;
const CHANNEL = "c" as ChannelId;
const never = { subscribe: () => () => undefined };
const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };

it("says that some of a channel is missing as soon as the workspace's room has told of more than is here", async () => {
  const store = createStore(memoryBackend(), quiet);
  const room = channelRoom(WORKSPACE, CHANNEL);
  const directory = workspaceRoom(WORKSPACE);
  await store.write({ tables: ["entities", "rooms"], durability: "relaxed" }, async (tx) => {
    for (const entity of [
      { kind: "channel", id: CHANNEL, rev: 1, access: "public", name: "general" },
      { kind: "membership", id: `${CHANNEL}.olga`, rev: 1, channel: CHANNEL, user: "olga" },
    ])
      await putEntity(tx, directory, 1, entity as unknown as Parameters<typeof putEntity>[3]);
    tx.put("rooms", { ...emptyRoom(room), cursor: 2, head: 2, lastSeq: 2, ranges: [{ from: 1, to: null }] });
  });
  const replica = openReplica(store, WORKSPACE, "olga" as UserId);
  await replica.loaded;
  const status = { state: "ready", todo: 0, version: 1 };
  const ask = async () => ({ total: 0, hits: [], extent: { count: 2, oldestAt: 1 } });
  const link = { status: { ...never, snapshot: () => status }, ask } as unknown as WorkerLink;
  const search = searchOf({ store, replica, link, now: () => 2 });
  const views = { outbox: never, workspace: never, channels: never };
  const client = { ...views, search: async () => search } as unknown as WorkspaceClient;
  const session = searchSession(client, { typed: "plan", order: "newest" }, (error) => {
    throw error;
  });
  const stop = session.subscribe(() => undefined);
  const missing = (): number | undefined => session.snapshot().answered?.incompleteCount;
  await expect.poll(missing).toBe(0);
  await store.write({ tables: ["heads"], durability: "relaxed" }, async (tx) =>
    tx.put("heads", { workspace: WORKSPACE, channel: CHANNEL, seq: 3, top: 3, rev: 3, at: 3 }),
  );
  await expect.poll(missing).toBe(1);
  stop();
  const told = session.snapshot();
  await store.write({ tables: ["heads"], durability: "relaxed" }, async (tx) =>
    tx.put("heads", { workspace: WORKSPACE, channel: CHANNEL, seq: 2, top: 2, rev: 2, at: 3 }),
  );
  expect(session.snapshot()).toBe(told);
});
