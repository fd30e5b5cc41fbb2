// What the status page says of the rooms.
import { expect, it } from "vitest";
import type { ChannelId, UserId, WorkspaceId } from "#protocol/ids.ts";
import { memoryBackend } from "../store/memory.ts";
import { openReplica, type Replica } from "../store/replica.ts";
import { channelRoom, emptyRoom } from "../store/rooms.ts";
import type { EventRecord } from "../store/schema.ts";
import { createStore, type Store } from "../store/store.ts";
import { ALWAYS_LIVE } from "../test/always-live.ts";
import { statusView } from "./status-view.ts";
import type { WorkspaceClientDeps } from "./workspace-client.ts";

const WORKSPACE = "w" as WorkspaceId;
const CHANNEL = "c" as ChannelId;
const ROOM = channelRoom(WORKSPACE, CHANNEL);
const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };

function shown(store: Store, replica: Replica) {
  const ports = {
    storage: null,
    now: () => 1,
    report: (error: unknown) => {
      throw error;
    },
  };
  const tab = {
    liveness: () => ALWAYS_LIVE,
    statusOf: () => ({ rooms: [{ room: ROOM, link: "live" }] }),
    isLeading: () => true,
  };
  const ref = { id: WORKSPACE };
  const deps = { store, ports, tab, ref: () => ref, workspaces: () => [ref], config: () => null };
  return statusView(deps as unknown as WorkspaceClientDeps, replica);
}

it("a channel that was restored isn't complete until what is there now is here", async () => {
  const store = createStore(memoryBackend(), quiet);
  const replica = openReplica(store, WORKSPACE, "olga" as UserId);
  const held = { ...emptyRoom(ROOM), epoch: "before", cursor: 1, head: 1, lastSeq: 1, ranges: [{ from: 1, to: null }] };
  const head = { workspace: WORKSPACE, channel: CHANNEL, seq: 1, top: 1, rev: 1, at: 2 };
  await store.write({ tables: ["rooms", "heads"], durability: "relaxed" }, async (tx) => {
    tx.put("rooms", held);
    tx.put("heads", head);
  });
  await replica.loaded;
  const view = shown(store, replica);
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

it("lines that are numbered from the beginning again, for the site's data was cleared, don't stand among the old ones", async () => {
  const store = createStore(memoryBackend(), quiet);
  const replica = openReplica(store, WORKSPACE, "olga" as UserId);
  await replica.loaded;
  const noted = (what: string, place: number) => ({ kind: "app", what, place, at: place }) as EventRecord;
  const write = (...lines: readonly EventRecord[]): Promise<void> =>
    store.write({ tables: ["events"], durability: "relaxed" }, async (tx) => {
      for (const line of lines) tx.put("events", line);
    });
  await write(noted("one", 1), noted("two", 2));
  const view = shown(store, replica);
  const stop = view.subscribe(() => undefined);
  const said = (): string[] => view.snapshot().events.map(({ what }) => what);
  await write(noted("three", 3));
  await expect.poll(said).toEqual(["one", "two", "three"]);
  await store.write({ tables: ["events"], durability: "relaxed" }, async (tx) =>
    tx.remove("events", { lower: 1, upper: 3 }),
  );
  await write(noted("anew", 1));
  await write(noted("and on", 2));
  await expect.poll(said).toEqual(["anew", "and on"]);
  stop();
});

it("a line that was read already stands among the others when another tab tells of it", async () => {
  let tell: (message: unknown) => void = () => undefined;
  const bus = {
    ...quiet,
    listen: (listener: typeof tell) => {
      tell = listener;
      return () => undefined;
    },
  };
  const backend = memoryBackend();
  const store = createStore(backend, bus);
  const replica = openReplica(store, WORKSPACE, "olga" as UserId);
  await replica.loaded;
  const lines = [1, 2, 3].map((place): EventRecord => ({ kind: "app", what: `${place}`, place, at: place }));
  await store.write({ tables: ["events"], durability: "relaxed" }, async (tx) => {
    for (const line of lines) tx.put("events", line);
  });
  const view = shown(store, replica);
  const count = (): number => view.snapshot().events.length;
  let fewest = lines.length;
  const stop = view.subscribe(() => (fewest = Math.min(fewest, count())));
  await expect.poll(count).toBe(3);
  fewest = count();
  for (const put of lines.slice(1)) tell({ type: "commit", commit: [{ table: "events", put: { ...put } }] });
  expect(fewest).toBe(3);
  // Two tabs, the later one heard first.
  const later = [4, 5].map((place): EventRecord => ({ kind: "app", what: `${place}`, place, at: place }));
  await createStore(backend, quiet).write({ tables: ["events"], durability: "relaxed" }, async (tx) => {
    for (const line of later) tx.put("events", line);
  });
  for (const put of later.toReversed()) tell({ type: "commit", commit: [{ table: "events", put: { ...put } }] });
  await expect.poll(count).toBe(5);
  expect(fewest).toBe(3);
  stop();
});
