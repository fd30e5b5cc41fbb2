// What has to make way goes, oldest first; what waits to be sent, and what it is about, stays.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RoomName } from "#protocol/room-name.ts";
import { freeBelow, placeSince, withoutBelow } from "./freeing.ts";
import { memoryBackend } from "./memory.ts";
import { emptyRoom } from "./rooms.ts";
import type { MessageRecord, OutboxRecord, RoomRecord, SeqRange } from "./schema.ts";
import type { Backend } from "./tx.ts";

const NAME = "channel:w_c" as RoomName;
const TABLES = ["rooms", "messages", "outbox", "drafts"] as const;

function message(seq: number): MessageRecord {
  const keys = { kind: "message", id: `m${seq}`, rev: seq, seq, author: "olga", createdAt: seq * 10 };
  return { room: NAME, message: { ...keys, text: `${seq}` } } as unknown as MessageRecord;
}

function full(count: number, more: Partial<RoomRecord> = {}): RoomRecord {
  const held = { cursor: count, lastSeq: count, heldCount: count, heldBytes: count * 100 };
  return { ...emptyRoom(NAME), ...held, ranges: [{ from: 1, to: null }], ...more };
}

async function holding(room: RoomRecord, ops: readonly object[] = []): Promise<Backend> {
  const backend = memoryBackend();
  await backend.write(TABLES, "strict", async (tx) => {
    for (const { from, to } of room.ranges) {
      for (let seq = from; seq <= (to ?? room.lastSeq); seq++) tx.put("messages", message(seq));
    }
    tx.put("rooms", room);
    for (const op of ops) await tx.add("outbox", { id: "op", version: 0, at: 1, room: NAME, ...op } as OutboxRecord);
  });
  return backend;
}

const seqs = async (backend: Backend): Promise<number[]> =>
  (await backend.read(TABLES, (tx) => tx.all("messages"))).map((record) => record.message.seq);
const free = (backend: Backend, room: RoomRecord, below: number): Promise<RoomRecord> =>
  backend.write(TABLES, "strict", (tx) => freeBelow(tx, room, below));

describe("freeing", () => {
  it("takes what stands below a place, and counts what is left", async () => {
    const room = full(10);
    const backend = await holding(room);
    expect(await free(backend, room, 8)).toMatchObject({
      ranges: [{ from: 8, to: null }],
      heldCount: 3,
      heldBytes: 300,
      oldestAt: 80,
    });
    expect(await seqs(backend)).toEqual([8, 9, 10]);
  });

  it("leaves who was named in the badge: it is on no other place of this device that one was", async () => {
    const room = full(10, { naming: [2, 9] });
    expect((await free(await holding(room), room, 8)).naming).toEqual([2, 9]);
  });

  it("[OP10] spares what something unsent is about, and leaves the outbox alone", async () => {
    const room = full(10);
    const waiting = [
      { op: "message.edit", args: { id: "m3", text: "x", base: 3 } },
      { op: "message.post", args: { id: "new", text: "x", root: "m5" } },
    ];
    const backend = await holding(room, waiting);
    const after = await free(backend, room, 8);
    expect(after.ranges).toEqual([
      { from: 3, to: 3 },
      { from: 5, to: 5 },
      { from: 8, to: null },
    ]);
    expect(after.heldCount).toBe(5);
    expect(await seqs(backend)).toEqual([3, 5, 8, 9, 10]);
    expect(await backend.read(TABLES, (tx) => tx.all("outbox"))).toHaveLength(2);
  });

  it("[SY4] ends no check of what is older: that says who is named also where nothing of it is left", () => {
    const ranges: SeqRange[] = [
      { from: 1, to: 100 },
      { from: 901, to: null },
    ];
    const behind = full(1_000, { ranges, second: { cursor: 5, upTo: 2_000, since: 100 } });
    expect(withoutBelow(behind, 50)).toMatchObject({ second: { cursor: 5, upTo: 2_000, since: 100 } });
    expect(withoutBelow(behind, 500)).toMatchObject({ second: { cursor: 5, upTo: 2_000, since: 499 } });
    // All in one range, where the newest page met what was held.
    const met = full(1_000, { second: { cursor: 5, upTo: 2_000, since: 900 } });
    expect(withoutBelow(met, 500)).toMatchObject({ second: { cursor: 5, since: 900 } });
    // What stays may have come with an earlier newest page, which isn't compared either.
    expect(withoutBelow(met, 950)).toMatchObject({ second: { cursor: 5, upTo: 2_000, since: 949 } });
    expect(withoutBelow(behind, 950)).toMatchObject({ second: { since: 949 }, ranges: [{ from: 950, to: null }] });
  });

  it("leaves no range below the place, and of what is above it nothing out", () => {
    const range = fc.tuple(fc.nat(50), fc.nat(10)).map(([from, more]) => ({ from, to: from + more }));
    fc.assert(
      fc.property(
        fc.array(range, { maxLength: 5 }),
        fc.integer({ min: 60, max: 70 }),
        fc.nat(80),
        (closed, open, below) => {
          const room = full(80, { ranges: [...closed, { from: open, to: null }] });
          const isIn = ({ ranges }: RoomRecord, seq: number): boolean =>
            ranges.some(({ from, to }) => seq >= from && (to === null || seq <= to));
          const after = withoutBelow(room, below);
          for (let seq = 0; seq < 90; seq++) expect(isIn(after, seq)).toBe(isIn(room, seq) && seq >= below);
        },
      ),
    );
  });

  it("[RV4] finds the first place written since a time, by halving", async () => {
    const room = full(40);
    const backend = await holding(room);
    for (const [since, place] of [
      [0, 1],
      [10, 1],
      [11, 2],
      [200, 20],
      [400, 40],
      [401, 41],
    ] as const) {
      expect(await backend.read(TABLES, (tx) => placeSince(tx, room, since))).toBe(place);
    }
  });
});
