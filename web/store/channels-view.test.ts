// What the title and the sidebar say of channels, counted from what is held.
import { expect, it } from "vitest";
import type { ChannelId, UserId, WorkspaceId } from "#protocol/ids.ts";
import { channelsView, channelView, isComing } from "./channels-view.ts";
import { putEntity } from "./put-entities.ts";
import type { Liveness } from "./liveness.ts";
import { memoryBackend } from "./memory.ts";
import { openReplica } from "./replica.ts";
import { channelRoom, emptyRoom, workspaceRoom } from "./rooms.ts";
import type { RoomRecord } from "./schema.ts";
import { createStore } from "./store.ts";

const WORKSPACE = "w" as WorkspaceId;
const ROOM = workspaceRoom(WORKSPACE);
const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };
const offline = {
  subscribe: () => () => undefined,
  version: () => 0,
  isFlowing: () => false,
  connection: () => ({ state: "offline", retryAt: null }),
  liveAt: () => null,
} satisfies Liveness;

it("counts nothing unread of an archived channel: it stands in no list where one could read it", async () => {
  const store = createStore(memoryBackend(), quiet);
  const open = { kind: "channel", id: "open", rev: 1, access: "public", name: "open" };
  const archived = { ...open, id: "archived", name: "archived", archivedAt: 1 };
  await store.write({ tables: ["entities", "rooms"], durability: "relaxed" }, async (tx) => {
    for (const channel of [open, archived]) {
      const { id } = channel;
      const member = { kind: "membership", id: `${id}.olga`, rev: 1, channel: id, user: "olga", joinedAt: 1 };
      for (const entity of [channel, member])
        await putEntity(tx, workspaceRoom(WORKSPACE), 1, entity as unknown as Parameters<typeof putEntity>[3]);
      const held = { ranges: [{ from: 1, to: null }], lastSeq: 9, top: 9, naming: [8, 9] };
      tx.put("rooms", { ...emptyRoom(channelRoom(WORKSPACE, id as ChannelId)), ...held });
    }
  });
  const replica = openReplica(store, WORKSPACE, "olga" as UserId);
  await replica.loaded;
  expect(channelsView(replica, offline).snapshot()).toMatchObject({
    state: "ready",
    value: {
      channels: [
        { id: "archived", isUnread: true },
        { id: "open", isUnread: true },
      ],
      unreadChannelCount: 1,
      mentionCount: 2,
    },
  });
});

it("doesn't call one a stranger to a channel while the directory still comes, for one's membership may be among the last", async () => {
  const store = createStore(memoryBackend(), quiet);
  const put = (room: Partial<RoomRecord>): Promise<void> =>
    store.write({ tables: ["entities", "rooms"], durability: "relaxed" }, async (tx) => {
      tx.put("rooms", { ...emptyRoom(ROOM), ...room });
      const channel = { kind: "channel", id: "open", rev: 1, access: "public", name: "open" };
      await putEntity(tx, ROOM, 1, channel as unknown as Parameters<typeof putEntity>[3]);
    });
  const said = async (): Promise<unknown> => {
    const replica = openReplica(store, WORKSPACE, "olga" as UserId);
    await replica.loaded;
    const ref = { id: WORKSPACE, slug: "team", name: "Team", role: "member" } as const;
    const { closed } = channelView(replica, offline, () => ref, "open" as ChannelId).snapshot() as { closed?: unknown };
    return { closed, isComing: isComing(replica) };
  };
  await put({ cursor: 200, isSweeping: true });
  expect(await said()).toEqual({ closed: null, isComing: true });
  // Where all of it comes anew, what one is in is known from before.
  await put({ cursor: 200, isSweeping: true, generation: 2 });
  expect(await said()).toEqual({ closed: "not-joined", isComing: true });
  await put({ cursor: 430 });
  expect(await said()).toEqual({ closed: "not-joined", isComing: false });
});
