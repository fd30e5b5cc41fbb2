// A channel far behind: its newest page is here, and what stands in the gap below that comes with the comparison ([SY4]).
import { expect, it } from "vitest";
import type { Entity } from "#protocol/entities/entity.ts";
import type { UserId } from "#protocol/ids.ts";
import type { Snapshot } from "#protocol/frames/snapshot.ts";
import { memoryBackend } from "../store/memory.ts";
import { putLeader } from "../store/meta.ts";
import { createStore, type Store } from "../store/store.ts";
import { CHANNEL } from "../test/ops.ts";
import { replicaStore, type ReplicaStore } from "./replica-store.ts";
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
