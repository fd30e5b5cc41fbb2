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
import { freeOldest } from "./make-room.ts";
import { FRAME_TABLES, replicaStore, type ReplicaStore } from "./replica-store.ts";
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
