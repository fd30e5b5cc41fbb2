// A limit on all channels together, over the real store: what makes way for it, what never does, and when filling stops.
import { afterEach, expect, it } from "vitest";
import type { ChannelId, MessageId, UserId, WorkspaceId } from "#protocol/ids.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { KEEP_ALL, KEPT_MIN, putKeep, type Keep } from "../store/keep.ts";
import { putMessage } from "../store/messages.ts";
import { putLeader, putLooked } from "../store/meta.ts";
import { openStore } from "../store/open-store.ts";
import { emptyRoom } from "../store/rooms.ts";
import type { OutboxRecord, RoomRecord } from "../store/schema.ts";
import { NotLeader, type Store } from "../store/store.ts";
import { between } from "../store/tx.ts";
import { createProfile } from "../test/node-ports.ts";
import { startFiller, type Filler, type FillerDeps } from "./filler.ts";
import { makeRoom } from "./make-room.ts";
import { isAtCap, keepWithin, makeWay, totalOf } from "./upkeep.ts";

const SELDOM = "channel:w_seldom" as RoomName;
const OFTEN = "channel:w_often" as RoomName;
const SHOWN = "channel:w_shown" as RoomName;
const COUNT = 400;
const BYTES = 500;
const DAY_MS = 24 * 3_600_000;
const NOW = 1_000 * DAY_MS;
/** One message a day, the newest of them today. */
const writtenAt = (seq: number): number => NOW - (COUNT - seq) * DAY_MS;
const idOf = (room: RoomName, seq: number): MessageId => `${room}-${seq}` as MessageId;

let store: Store;
afterEach(() => store.close());

/** Three channels that are here as a whole; one was looked at least, and one is on screen. */
async function filled(rooms: readonly RoomName[] = [SELDOM, OFTEN, SHOWN]): Promise<void> {
  const { ports } = createProfile({ origin: "http://test" }).openTab();
  store = await openStore(ports.indexedDB, "causeway/test/me", ports.openBus("me"), () => undefined);
  await store.write({ tables: ["rooms", "messages", "meta"], durability: "relaxed" }, async (tx) => {
    putLeader(tx, "me");
    for (const room of rooms) {
      for (let seq = 1; seq <= COUNT; seq += 1) {
        const keys = { kind: "message", id: idOf(room, seq), rev: seq, seq, author: "mara" as UserId } as const;
        putMessage(tx, room, { ...keys, createdAt: writtenAt(seq), text: `${seq}` });
      }
      const held = { heldCount: COUNT, heldBytes: COUNT * BYTES, ranges: [{ from: 1, to: null }] };
      const here = { cursor: COUNT, head: COUNT, lastSeq: COUNT, oldestAt: writtenAt(1) };
      tx.put("rooms", { ...emptyRoom(room), epoch: "e", ...here, ...held });
    }
    await putLooked(tx, SELDOM, 1);
    await putLooked(tx, OFTEN, 2);
  });
}

const limited = (messages: number, more: Partial<Keep> = {}): Keep => ({
  ...KEEP_ALL,
  maxBytes: messages * BYTES,
  ...more,
});
const deps = () => ({ store, leader: "me", isOnScreen: (room: RoomName) => room === SHOWN, now: () => NOW });
const roomsHeld = (): Promise<RoomRecord[]> => store.read(["rooms"], (tx) => tx.all("rooms"));
const seqsIn = async (room: RoomName): Promise<number[]> =>
  (await store.read(["messages"], (tx) => tx.all("messages")))
    .filter((record) => record.room === room)
    .map(({ message }) => message.seq);
const from = (first: number): number[] => Array.from({ length: COUNT - first + 1 }, (_, at) => first + at);

it("nothing goes while all channels together are within the limit, nor where there is none", async () => {
  await filled();
  for (const keep of [KEEP_ALL, limited(3 * COUNT)]) await keepWithin(deps(), keep);
  for (const room of [SELDOM, OFTEN, SHOWN]) expect(await seqsIn(room)).toEqual(from(1));
});

it("what is over the limit goes from the channel least looked at, its oldest first, until all is within it", async () => {
  await filled();
  const keep = limited(1_100);
  await keepWithin(deps(), keep);
  // 1,045 stay: a twentieth of the limit is left, for what is posted next.
  expect(await seqsIn(SELDOM)).toEqual(from(156));
  expect(await seqsIn(OFTEN)).toEqual(from(1));
  const rooms = await roomsHeld();
  expect(totalOf(rooms)).toBeLessThanOrEqual(1_100 * BYTES);
  expect(rooms.find(({ name }) => name === SELDOM)).toMatchObject({
    ranges: [{ from: 156, to: null }],
    heldCount: 245,
    oldestAt: writtenAt(156),
  });
});

it("no channel gives more than half of it in one turn, and the next one gives the rest", async () => {
  await filled();
  await keepWithin(deps(), limited(950));
  expect(await seqsIn(SELDOM)).toEqual(from(201));
  expect((await seqsIn(OFTEN)).length).toBe(COUNT - 98);
});

it("what stands apart, further down, goes first, as a whole, and of no more channels than have to", async () => {
  await filled();
  await store.write({ tables: ["rooms", "messages"], durability: "relaxed" }, async (tx) => {
    for (const name of [SELDOM, OFTEN]) {
      tx.remove("messages", between([name, 101], [name, 300]));
      const room = (await tx.get("rooms", name))!;
      const ranges = [
        { from: 1, to: 100 },
        { from: 301, to: null },
      ];
      tx.put("rooms", { ...room, ranges, heldCount: 200, heldBytes: 200 * BYTES, oldestAt: writtenAt(301) });
    }
  });
  await keepWithin(deps(), limited(790));
  expect(await seqsIn(SELDOM)).toEqual(from(301));
  expect(await seqsIn(OFTEN)).toHaveLength(200);
});

it("however little is allowed, a hundred of each channel stay, and all of the one on screen", async () => {
  await filled();
  let before = Infinity;
  for (let total = totalOf(await roomsHeld()); total < before; total = totalOf(await roomsHeld())) {
    before = total;
    await keepWithin(deps(), limited(1));
  }
  for (const room of [SELDOM, OFTEN]) expect(await seqsIn(room)).toEqual(from(COUNT - KEPT_MIN + 1));
  expect(await seqsIn(SHOWN)).toEqual(from(1));
});

it("what one turn can't take goes at once, not ten minutes later, and what one reads is told of, to go when one leaves it", async () => {
  await filled();
  expect(await keepWithin(deps(), limited(1))).toEqual([SHOWN]);
  for (const room of [SELDOM, OFTEN]) expect(await seqsIn(room)).toEqual(from(COUNT - KEPT_MIN + 1));
  expect(await keepWithin(deps(), limited(3 * COUNT))).toEqual([]);
  const left = { ...deps(), isOnScreen: () => false };
  expect(await keepWithin(left, limited(1))).toEqual([]);
  expect(await seqsIn(SHOWN)).toEqual(from(COUNT - KEPT_MIN + 1));
});

it("[OP10] what isn't sent stays, and each message that it is about, while what is around them makes way", async () => {
  await filled([SELDOM]);
  await store.write({ tables: ["outbox", "drafts"], durability: "relaxed" }, async (tx) => {
    const ops = [
      { op: "message.edit", args: { id: idOf(SELDOM, 3), text: "mended", base: 3 } },
      { op: "message.post", args: { id: "new", text: "an answer", root: idOf(SELDOM, 9) } },
    ];
    for (const [at, op] of ops.entries())
      await tx.add("outbox", { id: `op${at}`, version: 0, at: NOW, room: SELDOM, ...op } as unknown as OutboxRecord);
    const place = { workspace: "w" as WorkspaceId, channel: "seldom" as ChannelId, root: idOf(SELDOM, 12) };
    tx.put("drafts", { ...place, text: "half a thought", at: NOW });
  });
  const unsent = () =>
    store.read(["outbox", "drafts"], async (tx) => [await tx.all("outbox"), await tx.all("drafts")] as const);
  const before = await unsent();
  for (let turn = 0; turn < 5; turn += 1) await keepWithin(deps(), limited(1));
  expect(await seqsIn(SELDOM)).toEqual([3, 9, 12, ...from(COUNT - KEPT_MIN + 1)]);
  expect(await unsent()).toEqual(before);
  expect(before.map((each) => each.length)).toEqual([2, 1]);
});

it("filling stops below the limit, stays stopped by what made way for it, and goes on where more is allowed", async () => {
  await filled();
  const cap = async (keep: Keep): Promise<boolean> => isAtCap(await roomsHeld(), keep);
  expect(await cap(KEEP_ALL)).toBe(false);
  expect(await cap(limited(1_334))).toBe(false);
  expect(await cap(limited(1_333))).toBe(true);
  await keepWithin(deps(), limited(1_100));
  expect(await cap(limited(1_100))).toBe(true);
  expect(await cap(limited(1_200))).toBe(false);
});

it("a tab that no longer leads frees nothing by a limit", async () => {
  await filled();
  await expect(keepWithin({ ...deps(), leader: "another" }, limited(600))).rejects.toThrow(NotLeader);
  expect(totalOf(await roomsHeld())).toBe(3 * COUNT * BYTES);
});

it("a tenth of it all makes way where the browser is nearly full, but nothing of what is on screen", async () => {
  await filled();
  await makeWay(deps());
  expect([(await seqsIn(SELDOM)).length, (await seqsIn(OFTEN)).length]).toEqual([COUNT - 120, COUNT]);
  expect(await seqsIn(SHOWN)).toEqual(from(1));
});

it("where a write found no room history makes way, until nothing is left that may", async () => {
  await filled([SELDOM]);
  let count = 0;
  while (await makeRoom(store)) count += 1;
  expect(count).toBeGreaterThan(0);
  expect(await seqsIn(SELDOM)).toEqual(from(COUNT - KEPT_MIN + 1));
});

it("a limit of all and one of days: what goes by age counts for both", async () => {
  await filled();
  // By age 219 go of each of the two that nobody reads, which is more than the limit of all asks for.
  await keepWithin(deps(), limited(1_000, { days: 180 }));
  for (const room of [SELDOM, OFTEN]) expect(await seqsIn(room)).toEqual(from(219));
});

/** Fills the rooms given; what waits for longer than a moment never comes. */
function filling(rooms: readonly RoomRecord[]): { readonly filler: Filler; readonly askedCount: () => number } {
  let asked = 0;
  const filler = startFiller({
    ...deps(),
    me: "olga" as UserId,
    ports: {
      now: () => NOW,
      timers: {
        set: (run, ms) => (ms > 5_000 ? null : setTimeout(run, 0)),
        clear: (timer) => clearTimeout(timer as number),
      },
      storage: null,
      fetch: () => Promise.reject(new Error("no network here")),
      origin: "http://test",
      report: () => undefined,
    },
    tokens: {} as FillerDeps["tokens"],
    roomsAt: () => "http://test",
    rooms: () => rooms.map((room) => ({ room, head: { rev: COUNT, seq: COUNT, at: NOW }, link: "up" })),
    conditions: () => ({ isConnected: true, isOwed: false, usedAt: 0, hiddenAt: null, line: "free", isForced: false }),
    leastAt: () => null,
    older: async () => ((asked += 1), false),
    isFull: () => false,
    changed: () => undefined,
    deposed: () => undefined,
    unstored: async (error) => {
      throw error;
    },
  });
  filler.nudge();
  return { filler, askedCount: () => asked };
}

const toKeep = (keep: Keep): Promise<void> =>
  store.write({ tables: ["meta"], durability: "relaxed" }, async (tx) => putKeep(tx, keep));

it("filling stops at the limit of all channels, also those of the person's other workspaces", async () => {
  await filled([SELDOM, "channel:v_elsewhere" as RoomName]);
  const half = COUNT / 2;
  await toKeep(limited(COUNT + half + 10));
  await store.write({ tables: ["rooms", "messages"], durability: "relaxed" }, async (tx) => {
    const room = (await tx.get("rooms", SELDOM))!;
    tx.remove("messages", between([SELDOM, 1], [SELDOM, half]));
    tx.put("rooms", { ...room, ranges: [{ from: half + 1, to: null }], heldCount: half, heldBytes: half * BYTES });
  });
  const { filler, askedCount } = filling((await roomsHeld()).filter(({ name }) => name === SELDOM));
  await expect.poll(filler.status).toEqual({ state: "paused", why: "cap", until: null });
  expect(askedCount()).toBe(0);
  await filler.close();
});

it("a limit that is chosen while another one is being kept to is kept to next, not ten minutes later", async () => {
  await filled();
  await toKeep({ ...KEEP_ALL, days: 300 });
  let isChosen = false;
  store.listen((commit) => {
    if (isChosen || !commit.some((change) => change.table === "messages")) return;
    isChosen = true;
    void toKeep({ ...KEEP_ALL, days: 200 });
  });
  const { filler } = filling([]);
  await expect.poll(async () => (await seqsIn(SELDOM)).length).toBeLessThan(210);
  await filler.close();
});
