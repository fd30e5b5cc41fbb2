// What a timeline makes of what is held, what waits beside it, and what goes meanwhile.
import { expect, it } from "vitest";
import type { ChannelId, MessageId, UserId, WorkspaceId } from "#protocol/ids.ts";
import type { Message } from "#protocol/entities/message.ts";
import { makeRoom } from "../sync/make-room.ts";
import { CHANNEL, outboxOf, post, type Waiting } from "../test/ops.ts";
import { freeBelow } from "./freeing.ts";
import type { Liveness } from "./liveness.ts";
import { memoryBackend } from "./memory.ts";
import { dropMessages, putMessage } from "./messages.ts";
import { openReplica, type Replica } from "./replica.ts";
import { emptyRoom, readRoom } from "./rooms.ts";
import type { RoomRecord } from "./schema.ts";
import { createStore, type Bus, type Store } from "./store.ts";
import { openTimeline } from "./timeline.ts";
import type { HistoryPlace } from "./timeline-ends.ts";
import { placesAround } from "./timeline-find.ts";
import type { Timeline, TimelineMessage } from "./timeline-snapshots.ts";

const ME = "olga" as UserId;
const away: Liveness = {
  subscribe: () => () => undefined,
  version: () => 0,
  isFlowing: () => false,
  connection: () => ({ state: "offline" }) as ReturnType<Liveness["connection"]>,
  liveAt: () => null,
};

const quiet: Bus = { send: () => undefined, listen: () => () => undefined, close: () => undefined };
const message = (seq: number, more: Partial<Message> = {}): Message =>
  ({
    kind: "message",
    id: `m${seq}`,
    rev: seq,
    seq,
    author: "mara",
    createdAt: seq,
    text: `text ${seq}`,
    ...more,
  }) as Message;

interface Opened {
  readonly store: Store;
  readonly replica: Replica;
  readonly timeline: Timeline;
  readonly rows: () => readonly TimelineMessage[];
}

/** So many messages held and read to the newest, and what waits. */
async function opened(
  messages: readonly Message[],
  waiting: readonly Waiting[] = [],
  backend = memoryBackend(),
  liveness = away,
  fetchHistory: (place: HistoryPlace) => Promise<boolean> = async () => false,
): Promise<Opened> {
  const store = createStore(backend, quiet);
  const count = messages.length;
  await store.write({ tables: ["messages", "outbox", "rooms"], durability: "relaxed" }, async (tx) => {
    for (const each of messages) putMessage(tx, CHANNEL, each);
    const ranges = [{ from: 1, to: null }];
    const held = { head: count, lastSeq: count, top: count, heldCount: count, heldBytes: 10_000 * count };
    tx.put("rooms", { ...emptyRoom(CHANNEL), cursor: count, ranges, ...held });
    for (const op of outboxOf(...waiting)) tx.put("outbox", op);
  });
  const replica = openReplica(store, "w" as WorkspaceId, ME);
  const timeline = openTimeline(
    {
      store,
      replica,
      liveness,
      fetchHistory,
      ref: () => ({ id: "w" as WorkspaceId, slug: "w", name: "w", role: "member" }),
      now: () => 300,
      page: { isVisible: () => true },
      report: (error) => {
        throw error;
      },
    },
    "c" as ChannelId,
  );
  timeline.subscribe(() => undefined);
  await replica.loaded;
  await timeline.settled();
  const rows = (): readonly TimelineMessage[] => {
    const now = timeline.snapshot();
    if (now.state !== "ready") throw new Error("not ready");
    return now.messages;
  };
  return { store, replica, timeline, rows };
}

const upTo = (count: number): Message[] => Array.from({ length: count }, (_, at) => message(at + 1));
const seqs = (rows: readonly TimelineMessage[]): unknown[] => [rows[0]?.seq, rows.at(-1)?.seq];

it("[OP3] a post whose answer was lost doesn't wait at the end where its message is held far above", async () => {
  const held = upTo(200).with(99, message(100, { id: "arrived" as MessageId, author: ME }));
  const { timeline, rows } = await opened(held, [
    { ...post("arrived"), n: 1 },
    { ...post("waits"), n: 2 },
  ]);
  const ids = rows().map(({ id }) => id);
  expect(ids).toContain("waits" as MessageId);
  expect(ids).not.toContain("arrived" as MessageId);
  timeline.loadOlder();
  await timeline.settled();
  expect(
    rows()
      .filter(({ id }) => id === "arrived")
      .map(({ seq }) => seq),
  ).toEqual([100]);
});

it("where one reads an old place and all of it makes way, the newest are shown", async () => {
  const { store, timeline, rows } = await opened(upTo(400));
  expect(await timeline.goTo("m50" as MessageId)).toBe(true);
  await timeline.settled();
  expect(seqs(rows())).toEqual([20, 80]);
  expect(await makeRoom(store)).toBe(true);
  await timeline.settled();
  expect(seqs(rows())).toEqual([341, 400]);
});

it("where commits were missed by which a history was taken back to before what is shown, its newest are shown", async () => {
  const backend = memoryBackend();
  const { replica, timeline, rows } = await opened(upTo(200), [], backend);
  expect(seqs(rows())).toEqual([141, 200]);
  const unheard = createStore(backend, quiet);
  await unheard.write({ tables: ["messages", "rooms"], durability: "relaxed" }, async (tx) => {
    const room = await readRoom(tx, CHANNEL);
    dropMessages(tx, CHANNEL);
    for (const each of upTo(7)) putMessage(tx, CHANNEL, each);
    tx.put("rooms", { ...room, epoch: "another", cursor: 7, head: 7, lastSeq: 7, top: 7, heldCount: 7 });
  });
  await replica.reload();
  await timeline.settled();
  expect(seqs(rows())).toEqual([1, 7]);
});

it("where commits were missed by which the first of what is shown made way, more is above, and comes from there on", async () => {
  const backend = memoryBackend();
  const asked: unknown[] = [];
  const { replica, timeline, rows } = await opened(
    upTo(150),
    [],
    backend,
    away,
    async (place) => asked.push(place) === 0,
  );
  timeline.loadOlder();
  await timeline.settled();
  expect(timeline.snapshot()).toMatchObject({ older: "nothing" });
  const unheard = createStore(backend, quiet);
  await unheard.write({ tables: ["messages", "rooms", "outbox", "drafts"], durability: "relaxed" }, async (tx) => {
    await freeBelow(tx, await readRoom(tx, CHANNEL), 51);
  });
  await replica.reload();
  await timeline.settled();
  expect(seqs(rows())).toEqual([51, 150]);
  expect(timeline.snapshot()).toMatchObject({ older: "unreachable" });
  timeline.loadOlder();
  expect(asked).toEqual([{ before: 51 }]);
});

it("where commits were missed by which all of an old place made way that one reads, the newest are shown", async () => {
  const backend = memoryBackend();
  const { replica, timeline, rows } = await opened(upTo(400), [], backend);
  expect(await timeline.goTo("m50" as MessageId)).toBe(true);
  expect(seqs(rows())).toEqual([20, 80]);
  expect(await makeRoom(createStore(backend, quiet))).toBe(true);
  await replica.reload();
  await timeline.settled();
  expect(seqs(rows())).toEqual([341, 400]);
});

it("where all was cleared under it, says that it isn't here, never that nothing was written, above what waits", async () => {
  const backend = memoryBackend();
  const { replica, timeline, rows } = await opened(upTo(30), [post("waits")], backend);
  expect(timeline.snapshot()).toMatchObject({ older: "nothing" });
  const unheard = createStore(backend, quiet);
  await unheard.write({ tables: ["messages", "rooms"], durability: "relaxed" }, async (tx) => {
    dropMessages(tx, CHANNEL);
    tx.remove("rooms", CHANNEL);
  });
  await replica.reload();
  await timeline.settled();
  expect(timeline.snapshot()).toMatchObject({ older: "unreachable" });
  expect(rows().map(({ id }) => id)).toEqual(["waits"]);
});

it("what waits stays in sight while the first of what is behind it is read, whatever the connection does", async () => {
  const backend = memoryBackend();
  let said = (): void => undefined;
  const liveness: Liveness = {
    ...away,
    subscribe: (listener) => {
      said = listener;
      return () => undefined;
    },
  };
  const { store, replica, timeline, rows } = await opened(upTo(30), [post("waits")], backend, liveness);
  const room = await store.read(["rooms"], (tx) => readRoom(tx, CHANNEL));
  await createStore(backend, quiet).write({ tables: ["messages", "rooms"], durability: "relaxed" }, async (tx) => {
    dropMessages(tx, CHANNEL);
    tx.remove("rooms", CHANNEL);
  });
  await replica.reload();
  await timeline.settled();
  expect(rows().map(({ id }) => id)).toEqual(["waits"]);
  const shown: unknown[] = [];
  store.listen(() => {
    said();
    shown.push(timeline.snapshot().state, rows().at(-1)?.id);
  });
  await store.write({ tables: ["messages", "rooms"], durability: "relaxed" }, async (tx) => {
    for (const each of upTo(30)) putMessage(tx, CHANNEL, each);
    tx.put("rooms", room);
  });
  expect(shown).toEqual(["ready", "waits"]);
  await timeline.settled();
  expect([rows().length, rows().at(-1)?.id]).toEqual([31, "waits"]);
});

/** The newest page comes, far behind: from 301 to 400 where 200 were held. What is between is on its way. */
async function farBehind({ store }: Opened): Promise<void> {
  await store.write({ tables: ["messages", "rooms"], durability: "relaxed" }, async (tx) => {
    const room = await readRoom(tx, CHANNEL);
    for (const each of upTo(400).slice(300)) putMessage(tx, CHANNEL, each);
    const ranges = [
      { from: 1, to: 200 },
      { from: 301, to: null },
    ];
    const second = { cursor: 200, upTo: 400, since: 200 };
    tx.put("rooms", { ...room, cursor: 400, head: 400, lastSeq: 400, top: 400, ranges, second, heardTo: 400 });
  });
}

async function gapCloses({ store }: Opened): Promise<void> {
  await store.write({ tables: ["messages", "rooms"], durability: "relaxed" }, async (tx) => {
    for (const each of upTo(300).slice(200)) putMessage(tx, CHANNEL, each);
    tx.put("rooms", { ...(await readRoom(tx, CHANNEL)), ranges: [{ from: 1, to: null }], second: null });
  });
}

it("[SY4] says that something is missing behind the gap of a comparison where it goes over that, and not below it", async () => {
  const here = await opened(upTo(200));
  const { timeline, rows } = here;
  await farBehind(here);
  expect(seqs(rows())).toEqual([141, 400]);
  expect(timeline.snapshot()).toMatchObject({ heardTo: 200, isUnchecked: true });
  timeline.goToNewest();
  await timeline.settled();
  expect(seqs(rows())).toEqual([341, 400]);
  expect(timeline.snapshot()).toMatchObject({ heardTo: 400, isUnchecked: true });
  expect(await timeline.goTo("m150" as MessageId)).toBe(true);
  expect(timeline.snapshot()).toMatchObject({ heardTo: 200, isUnchecked: true });
  await gapCloses(here);
  expect(timeline.snapshot()).toMatchObject({ heardTo: 400, isUnchecked: false });
});

it("[SY4] a link into the gap of a comparison leads there as soon as that is through", async () => {
  const here = await opened(upTo(200));
  const { store, replica } = here;
  await farBehind(here);
  await store.write({ tables: ["messages"], durability: "relaxed" }, async (tx) =>
    putMessage(tx, CHANNEL, message(250)),
  );
  const record = (): RoomRecord => replica.rooms.get(CHANNEL)!;
  const wanted = { isWanted: () => true, fetchHistory: async () => false, now: () => 300 };
  const search = { store, room: CHANNEL, record, replica, liveness: away, changes: replica, ...wanted };
  const going = placesAround(search, "m250" as MessageId);
  // It has looked by then.
  await store.read(["messages", "meta"], async () => undefined);
  await gapCloses(here);
  expect(await going).toEqual({ from: 220, to: 280 });
});

it("[SY4] a row of mine in the gap of a comparison stays where the window begins with it", async () => {
  const here = await opened(upTo(200));
  const { store, timeline, rows } = here;
  await store.write({ tables: ["messages", "rooms"], durability: "relaxed" }, async (tx) => {
    putMessage(tx, CHANNEL, message(280, { author: ME }));
    tx.put("rooms", { ...(await readRoom(tx, CHANNEL)), lastSeq: 280, heardTo: 200 });
  });
  timeline.goToNewest();
  await timeline.settled();
  expect(seqs(rows())).toEqual([280, 280]);
  await farBehind(here);
  expect(seqs(rows())).toEqual([280, 400]);
  expect(timeline.snapshot()).toMatchObject({ heardTo: 200 });
  await gapCloses(here);
  expect(seqs(rows())).toEqual([221, 400]);
});

it("where commits were missed by which history made way around what something unsent is about, nothing is shown over that hole", async () => {
  const backend = memoryBackend();
  const { replica, timeline, rows } = await opened(upTo(150), [post("answer", { root: "m30" })], backend);
  timeline.loadOlder();
  await timeline.settled();
  expect(seqs(rows())).toEqual([1, null]);
  const unheard = createStore(backend, quiet);
  await unheard.write({ tables: ["messages", "rooms", "outbox", "drafts"], durability: "relaxed" }, async (tx) => {
    await freeBelow(tx, await readRoom(tx, CHANNEL), 101);
  });
  await replica.reload();
  await timeline.settled();
  expect(replica.rooms.get(CHANNEL)?.ranges[0]).toEqual({ from: 30, to: 30 });
  expect(rows()[0]?.seq).toBe(101);
});

it("where one reads an old place and commits were missed by which all but one of it made way, the newest are shown", async () => {
  const backend = memoryBackend();
  const { replica, timeline, rows } = await opened(upTo(400), [post("answer", { root: "m30" })], backend);
  expect(await timeline.goTo("m50" as MessageId)).toBe(true);
  const unheard = createStore(backend, quiet);
  await unheard.write({ tables: ["messages", "rooms", "outbox", "drafts"], durability: "relaxed" }, async (tx) => {
    await freeBelow(tx, await readRoom(tx, CHANNEL), 201);
  });
  await replica.reload();
  await timeline.settled();
  expect(seqs(rows())).toEqual([341, null]);
});
