// A channel far behind: its newest page is here, and what stands in the gap below that comes with the comparison ([SY4]).
import { expect, it } from "vitest";
import type { Entity } from "#protocol/entities/entity.ts";
import type { UserId } from "#protocol/ids.ts";
import type { Snapshot } from "#protocol/frames/snapshot.ts";
import { memoryBackend } from "../store/memory.ts";
import { messageAt } from "../store/messages.ts";
import { putLeader } from "../store/meta.ts";
import { createStore, type Store } from "../store/store.ts";
import { CHANNEL } from "../test/ops.ts";
import { freeBelow } from "../store/freeing.ts";
import { heardTo, readRoom } from "../store/rooms.ts";
import type { OutboxRecord } from "../store/schema.ts";
import { prefix } from "../store/tx.ts";
import { freeOldest } from "./make-room.ts";
import { FRAME_TABLES, replicaStore, storeAck, type ReplicaStore } from "./replica-store.ts";
import { coverageOf, planOf } from "./search/coverage.ts";
import { createIndexer } from "./search/indexer.ts";
import { EVERYTHING } from "./search/query.ts";
import { fedReader } from "./search/reader.ts";
import { SearchIndex } from "./search/search-index.ts";

const ME = "olga" as UserId;
const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };

interface Opened {
  readonly store: Store;
  readonly channel: ReplicaStore;
}

async function open(): Promise<Opened> {
  const store = createStore(memoryBackend(), quiet);
  await store.write({ tables: ["meta"], durability: "strict" }, async (tx) => putLeader(tx, "tab"));
  return { store, channel: replicaStore(store, "tab", CHANNEL, ME) };
}

const message = (seq: number, more: object = {}): Entity =>
  ({
    kind: "message",
    id: `m${seq}`,
    rev: seq,
    seq,
    author: "mara",
    createdAt: seq,
    text: `${seq}`,
    ...more,
  }) as Entity;
const messages = (from: number, to: number): Entity[] =>
  Array.from({ length: to - from + 1 }, (_, i) => message(from + i));
const page = (from: number, to: number, more: Partial<Snapshot> = {}): Snapshot => ({
  t: "snapshot",
  head: to,
  epoch: "e",
  oldest: from === 1 ? null : from,
  reset: from > 1,
  entities: messages(from, to),
  ...more,
});

/** The comparison's page up to a rev. */
async function compare({ channel }: Opened, to: number, entities: Entity[], more = false): Promise<void> {
  const { second } = await channel.read();
  if (second !== null) await channel.changed({ t: "changes", from: second.cursor, to, entities, more }, "e");
}

/** 1 to 300 and 1,001 to 1,100 are here; of what lies between, what the comparison has brought so far. */
async function farBehind(): Promise<Opened> {
  const opened = await open();
  await opened.channel.snapshot(page(1, 300));
  await opened.channel.snapshot(page(1_001, 1_100));
  await compare(opened, 500, messages(301, 500), true);
  return opened;
}

it("[SY4] all of what stood in it is found when it is through, also where search was opened before that", async () => {
  const opened = await farBehind();
  const { store, channel } = opened;
  const reader = fedReader();
  await store.read(["rooms", "messages"], async (tx) => {
    for (const put of await tx.all("rooms")) reader.take({ table: "rooms", put });
    for (const put of await tx.all("messages")) reader.take({ table: "messages", put });
  });
  const index = new SearchIndex();
  const indexer = createIndexer({ reader, index, covered: new Map(), changed: () => undefined });
  store.listen(indexer.hear);
  await indexer.catchUp();
  await compare(opened, 1_100, messages(501, 1_000));
  expect(await channel.read()).toMatchObject({ second: null, ranges: [{ from: 1, to: null }], heldCount: 1_100 });
  const asked = { query: EVERYTHING, order: "newest", limit: 1, now: 0 } as const;
  expect(index.find(asked, () => true).total).toBe(1_100);
});

/** So much of what is held makes way, the oldest first. */
async function free({ store, channel }: Opened, part: number): Promise<void> {
  const { heldBytes = 0 } = await channel.read();
  await store.write({ tables: [...FRAME_TABLES, "meta"], durability: "relaxed" }, (tx) =>
    freeOldest(tx, heldBytes * part, () => false),
  );
}

it("[SY4] what the first of two newest pages brought is compared, also where what is older made way meanwhile", async () => {
  const opened = await open();
  const { store, channel } = opened;
  await channel.snapshot(page(1, 10));
  await channel.snapshot(page(6_001, 6_100));
  // Reactions and edits raise the head as well.
  await channel.snapshot(page(6_101, 6_200, { head: 12_000 }));
  await free(opened, 0.05);
  const gone = message(6_090, { rev: 9_000, text: undefined, deleted: true, deletedAt: 1 });
  await compare(opened, 12_000, [gone]);
  expect(await store.read(["messages"], (tx) => messageAt(tx, CHANNEL, 6_090))).toEqual(gone);
});

it("[SY4] a mention that was deleted meanwhile counts no more and a new one does, though both made way", async () => {
  const opened = await open();
  const { channel } = opened;
  await channel.snapshot(page(1, 10, { entities: messages(1, 10).with(3, message(4, { mentions: [ME] })) }));
  await channel.snapshot(page(1_001, 1_200));
  await free(opened, 0.3);
  expect(await channel.read()).toMatchObject({ naming: [4], ranges: [{ from: 1_064, to: null }] });
  await compare(opened, 1_200, [
    message(4, { rev: 50, deleted: true, deletedAt: 1 }),
    message(700, { mentions: [ME] }),
  ]);
  expect((await channel.read()).naming).toEqual([700]);
});

it.each([
  ["the last of it that is others'", 46, 45],
  ["what was held, where all of it is mine", 4, 3],
])(
  "[SY4] before a newest page of my own what was missed is unread while it comes, and then %s",
  async (_, mineFrom, top) => {
    const opened = await open();
    const { channel } = opened;
    const written = (from: number, to: number): Entity[] =>
      messages(from, to).map((each, i) => (from + i < mineFrom ? each : message(from + i, { author: ME })));
    await channel.snapshot(page(1, 3));
    await channel.snapshot(page(51, 52, { entities: written(51, 52) }));
    expect(await channel.read()).toMatchObject({ top: 50 });
    await compare(opened, 40, written(4, 40), true);
    expect(await channel.read()).toMatchObject({ top: 50 });
    await compare(opened, 52, written(41, 50));
    expect(await channel.read()).toMatchObject({ second: null, top });
  },
);

const mine = (from: number, to: number): Entity[] =>
  messages(from, to).map((_, i) => message(from + i, { author: ME }));

const changed = ({ channel }: Opened, from: number, to: number, entities: Entity[], more = false) =>
  channel.changed({ t: "changes", from, to, entities, more }, "e");

async function freeTo({ store }: Opened, below: number): Promise<void> {
  await store.write({ tables: FRAME_TABLES, durability: "relaxed" }, async (tx) => {
    await freeBelow(tx, await readRoom(tx, CHANNEL), below);
  });
}

/** The places of what is held, of messages that aren't deleted. */
async function standing({ store, channel }: Opened): Promise<readonly number[]> {
  const held = await store.read(["messages"], (tx) => tx.all("messages", prefix(CHANNEL)));
  expect((await channel.read()).heldCount).toBe(held.length);
  return held.flatMap(({ message: { seq, deleted } }) => (deleted ? [] : [seq]));
}

it("[SY6] what something unsent is about stays when the gap that it lies in makes way, and is kept up to date", async () => {
  const opened = await open();
  const { store, channel } = opened;
  await channel.snapshot(page(1, 5));
  await channel.snapshot(page(91, 100));
  await changed(opened, 5, 50, messages(6, 50), true);
  await store.write({ tables: ["outbox"], durability: "strict" }, async (tx) => {
    const pin = { id: "op", version: 0, at: 1, room: CHANNEL, op: "message.pin", args: { id: "m20", on: true } };
    await tx.add("outbox", { ...pin, refusal: { code: "forbidden", detail: "no" } } as unknown as OutboxRecord);
  });
  await freeTo(opened, 91);
  await changed(opened, 50, 100, messages(51, 90));
  expect(await standing(opened)).toContain(20);
  await changed(opened, 100, 101, [message(20, { rev: 101, deleted: true })]);
  expect(await standing(opened)).not.toContain(20);
});

it("[SY6] so is a post of one's own, answered beyond all that was heard of a channel that had been empty", async () => {
  const opened = await open();
  const { store, channel } = opened;
  await channel.snapshot(page(1, 0));
  const ack = { t: "ack", n: 1, rev: 6_001, entities: mine(6_001, 6_001) } as const;
  await store.write({ tables: FRAME_TABLES, durability: "relaxed" }, (tx) => storeAck(tx, CHANNEL, ME, ack));
  await channel.snapshot(page(6_202, 6_301));
  // From another device.
  await changed(opened, 6_301, 6_302, [message(6_001, { author: ME, rev: 6_302, deleted: true })]);
  expect(await standing(opened)).not.toContain(6_001);
});

it("[SY4] what was edited since the newest page is missing when the comparison is through, and isn't called heard", async () => {
  const { channel } = await open();
  await channel.snapshot(page(1, 1));
  await channel.snapshot(page(8, 11));
  const pulled = (from: number, to: number, entities: Entity[]) =>
    channel.pulled({ t: "changes", from, to, entities, more: true }, "e");
  await pulled(1, 8, [...messages(2, 3), ...messages(5, 8)]);
  await pulled(8, 11, messages(9, 11));
  expect(heardTo(await channel.read())).toBe(3);
});

it("[SY4] what lies before a newest page of my own is unread, also behind a later place that came and was read", async () => {
  const opened = await open();
  await opened.channel.snapshot(page(1, 1));
  // 2 and 3 were edited since, so that they come later.
  await changed(opened, 1, 5, messages(4, 5), true);
  await opened.channel.snapshot(page(14, 17, { entities: mine(14, 17) }));
  expect((await opened.channel.read()).top).toBe(13);
  // Also where it makes way before it is compared.
  await freeTo(opened, 14);
  await changed(opened, 1, 17, [...messages(2, 8), ...mine(9, 17)]);
  const room = await opened.channel.read();
  expect(room).toMatchObject({ cursor: 17, second: null });
  expect(room.top).toBeGreaterThanOrEqual(8);
});

it("a page of history that brings the later state of what is held has the search read it", async () => {
  const { channel } = await open();
  await channel.snapshot(page(1, 3));
  const before = coverageOf(await channel.read());
  const around = [message(1), message(2, { rev: 4, deleted: true }), message(3)] as never;
  await channel.history({ t: "history", messages: around, more: false, rev: 4, epoch: "e", floor: 0 }, { around: 2 });
  expect(planOf(before, coverageOf(await channel.read()))?.isWhole).toBe(true);
});
