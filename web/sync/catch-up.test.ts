import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RoomName } from "#protocol/room-name.ts";
import type { DeviceId, MessageId, UserId } from "#protocol/ids.ts";
import type { Message } from "#protocol/entities/message.ts";
import { joinedRanges } from "../store/ranges.ts";
import { isComplete } from "../store/keep.ts";
import { emptyRoom } from "../store/rooms.ts";
import type { RoomRecord } from "../store/schema.ts";
import {
  aboveFloor,
  isKept,
  judgeChanges,
  judgeHistory,
  judgeNewest,
  judgeSnapshot,
  type Verdict,
} from "./catch-up.ts";
import { helloFrame } from "./hello-frame.ts";

const EPOCH = "e";
const room = (more: Partial<RoomRecord>): RoomRecord => ({ ...emptyRoom("channel:w_c" as RoomName), ...more });
const channel = room({ cursor: 10, epoch: EPOCH, head: 10, ranges: [{ from: 1, to: null }], lastSeq: 8 });
const directory = room({ name: "workspace:w" as RoomName, cursor: 10, epoch: EPOCH, head: 10, generation: 3 });
const changes = (from: number, to: number, more = false, reset = false) => ({
  from,
  to,
  more,
  ...(reset ? { reset } : {}),
});
const message = (seq: number, rev = seq): Message => ({
  kind: "message",
  id: `m${seq}` as MessageId,
  rev,
  seq,
  author: "olga" as UserId,
  createdAt: 1,
  text: `${seq}@${rev}`,
});
const stored = (verdict: Verdict): RoomRecord => {
  if (verdict.do !== "store") throw new Error(`not stored: ${verdict.do}`);
  return verdict.room;
};

describe("changes", () => {
  it("[SY1] that continue the cursor are applied", () => {
    expect(judgeChanges(channel, changes(10, 12), EPOCH)).toMatchObject({
      do: "store",
      room: { cursor: 12, head: 12 },
    });
  });

  it("[SY1] that overlap the cursor are applied", () => {
    expect(judgeChanges(channel, changes(4, 12), EPOCH)).toMatchObject({ do: "store", room: { cursor: 12 } });
  });

  it("[SY1] that lie behind the cursor are ignored", () => {
    expect(judgeChanges(channel, changes(4, 10), EPOCH)).toEqual({ do: "ignore" });
  });

  it("[SY1] that leave a gap are pulled for", () => {
    expect(judgeChanges(channel, changes(11, 12), EPOCH)).toEqual({ do: "pull", to: 12 });
  });

  it.each([null, 10])("[RV5] [SY4] to a channel of which nothing is held start over, its cursor being %s", (cursor) => {
    // It went out of sight and came back while its line was open.
    const emptied = room({ cursor, epoch: cursor === null ? null : EPOCH });
    for (const from of [0, 10, 11])
      expect(judgeChanges(emptied, changes(from, 12), EPOCH)).toEqual({ do: "start-over" });
    const greeting = { token: "t", device: "d" as DeviceId, bytes: 1, startsOver: false };
    expect(helloFrame(emptied, greeting).since).toBeNull();
    expect(helloFrame(directory, greeting).since).toBe(10);
    // Over HTTP its newest page is no old one.
    const page = { messages: [message(8)], more: true, rev: 10, epoch: EPOCH };
    expect(judgeNewest(emptied, page)).toMatchObject({
      do: "store",
      room: { cursor: 10, ranges: [{ from: 8, to: null }] },
    });
  });

  it("[SV4] of another history than what is held start over, whether they join or not", () => {
    for (const from of [4, 10, 11])
      expect(judgeChanges(channel, changes(from, 12), "other")).toEqual({ do: "start-over" });
  });

  it("[SY1] an answer from beyond head starts over", () => {
    expect(judgeChanges(channel, changes(7, 7, false, true), EPOCH)).toEqual({ do: "start-over" });
    expect(judgeChanges(directory, changes(7, 7, false, true), EPOCH)).toEqual({ do: "start-over" });
  });

  it("[SY2] more to come means another pull", () => {
    expect(judgeChanges(channel, changes(10, 12, true), EPOCH)).toMatchObject({ more: true });
  });

  it("[SY4] a workspace's reset begins a generation, and sweeps when it is through", () => {
    const first = judgeChanges(directory, changes(0, 200, true, true), "other");
    expect(first).toMatchObject({
      sweeps: false,
      room: { generation: 4, isSweeping: true, cursor: 200, epoch: "other" },
    });
    const last = judgeChanges(stored(first), changes(200, 230), "other");
    expect(last).toMatchObject({ sweeps: true, room: { generation: 4, isSweeping: false, cursor: 230 } });
  });

  it("[SY4] a reset broken off before its last page still sweeps when it is through", () => {
    const first = judgeChanges(directory, changes(0, 200, true, true), "other");
    expect(judgeChanges(stored(first), changes(200, 200), "other")).toMatchObject({
      sweeps: true,
      room: { isSweeping: false },
    });
  });

  it("[SY2] a directory whose first page isn't its last is marked as coming until that is here", () => {
    const fresh = room({ name: directory.name });
    const first = stored(judgeChanges(fresh, changes(0, 200, true), EPOCH));
    expect(first).toMatchObject({ cursor: 200, isSweeping: true });
    const second = stored(judgeChanges(first, changes(200, 400, true), EPOCH));
    expect(second).toMatchObject({ cursor: 400, isSweeping: true });
    expect(stored(judgeChanges(second, changes(400, 430), EPOCH))).toMatchObject({ cursor: 430, isSweeping: false });
    expect(stored(judgeChanges(fresh, changes(0, 30), EPOCH))).toMatchObject({ cursor: 30, isSweeping: false });
  });

  it("[SY4] a reset in one page sweeps at once", () => {
    expect(judgeChanges(directory, changes(0, 20, false, true), "other")).toMatchObject({ sweeps: true });
  });
});

describe("a snapshot", () => {
  const page = (head: number, from: number, to: number, epoch = EPOCH) => ({
    head,
    epoch,
    entities: Array.from({ length: to - from + 1 }, (_, i) => message(from + i)),
    oldest: from,
    reset: true,
  });

  it("is all that a new replica holds", () => {
    const verdict = judgeSnapshot(room({}), page(500, 401, 500));
    expect(verdict).toMatchObject({
      drops: false,
      room: { cursor: 500, ranges: [{ from: 401, to: null }], second: null, lastSeq: 500 },
    });
  });

  it("[SY4] far behind, older messages stay, unchecked up to the snapshot's head", () => {
    const verdict = judgeSnapshot(channel, page(9_000, 8_901, 9_000));
    expect(verdict).toMatchObject({
      drops: false,
      room: {
        cursor: 9_000,
        ranges: [
          { from: 1, to: 8 },
          { from: 8_901, to: null },
        ],
        second: { cursor: 10, upTo: 9_000, since: 8 },
      },
    });
  });

  it("[SY4] far behind, what lies between comes with the check, and the gap closes when it is through", () => {
    const behind = stored(judgeSnapshot(channel, page(9_000, 8_901, 9_000)));
    expect([8, 9, 4_000, 8_900].map((seq) => isKept(behind, seq))).toEqual([true, true, true, true]);
    const halfway = stored(judgeChanges(behind, changes(10, 5_000, true), EPOCH));
    expect(halfway.ranges).toEqual(behind.ranges);
    expect(stored(judgeChanges(halfway, changes(5_000, 9_000), EPOCH))).toMatchObject({
      second: null,
      ranges: [{ from: 1, to: null }],
    });
  });

  it("[SY4] far behind again before that was done, the check begins where it stood", () => {
    const behind = stored(judgeSnapshot(channel, page(9_000, 8_901, 9_000)));
    expect(stored(judgeSnapshot(behind, page(20_000, 19_901, 20_000))).second).toEqual({
      cursor: 10,
      upTo: 20_000,
      since: 8,
    });
  });

  it("of another epoch drops what was held", () => {
    const verdict = judgeSnapshot(channel, page(3, 1, 3, "other"));
    expect(verdict).toMatchObject({
      drops: true,
      room: { epoch: "other", cursor: 3, ranges: [{ from: 1, to: null }], second: null },
    });
  });

  it("of a head below the cursor drops what was held", () => {
    expect(judgeSnapshot(channel, page(3, 1, 3))).toMatchObject({ drops: true });
  });

  it("of an empty channel holds all of it", () => {
    const verdict = judgeSnapshot(room({}), { head: 0, epoch: EPOCH, entities: [], oldest: null, reset: false });
    expect(isComplete(stored(verdict), 0)).toBe(true);
  });

  it("[SY4] the check ends when it reaches the snapshot's head", () => {
    const behind = room({ ...channel, cursor: 100, head: 100, second: { cursor: 10, upTo: 100 } });
    expect(stored(judgeChanges(behind, changes(10, 60, true), EPOCH))).toMatchObject({
      cursor: 100,
      second: { cursor: 60, upTo: 100 },
    });
    expect(stored(judgeChanges(behind, changes(10, 100), EPOCH))).toMatchObject({ cursor: 100, second: null });
  });
});

describe("history", () => {
  const held = room({ cursor: 50, epoch: EPOCH, ranges: [{ from: 31, to: null }], lastSeq: 40 });

  it("[SY6] grows the range it meets", () => {
    const page = { messages: [message(21), message(22)], more: true, rev: 50 };
    expect(stored(judgeHistory(held, page, { before: 31 })).ranges).toEqual([{ from: 21, to: null }]);
  });

  it("[SY6] read before the cursor is not stored, but asked for again", () => {
    const page = { messages: [message(21)], more: true, rev: 49 };
    expect(judgeHistory(held, page, { before: 31 })).toEqual({ do: "ask-again" });
  });

  it("[SY6] of another epoch is of another history", () => {
    const page = { messages: [message(21)], more: true, rev: 50, epoch: "other" };
    expect(judgeHistory(held, page, { before: 31 })).toEqual({ do: "start-over" });
  });

  it("[SY6] around a place stands apart until it meets another", () => {
    const page = { messages: [message(5), message(6), message(7)], more: true, rev: 50 };
    const apart = stored(judgeHistory(held, page, { around: 6 }));
    expect(apart.ranges).toEqual([
      { from: 5, to: 7 },
      { from: 31, to: null },
    ]);
    const between = { messages: [message(8), message(9)], more: true, rev: 50 };
    expect(stored(judgeHistory(apart, between, { before: 31 })).ranges).toEqual([{ from: 5, to: null }]);
  });

  it("to the beginning makes the channel complete, also where its first messages are gone", () => {
    const whole = stored(judgeHistory(held, { messages: [], more: false, rev: 50 }, { before: 31 }));
    expect(isComplete(whole, 0)).toBe(true);
    // What is still to be compared may have been edited, pinned or deleted meanwhile.
    expect(isComplete({ ...whole, second: { cursor: 10, upTo: 50 } }, 0)).toBe(false);
  });
});

describe("ranges", () => {
  it("[RV3] below the floor are gone", () => {
    const cut = aboveFloor(
      room({
        ranges: [
          { from: 1, to: 5 },
          { from: 9, to: null },
        ],
        naming: [4, 13],
      }),
      12,
    );
    expect(cut).toMatchObject({ floor: 12, ranges: [{ from: 12, to: null }], naming: [13] });
    expect(aboveFloor(cut, 3)).toBe(cut);
  });

  it("stay in order, apart, and hold just what went in", () => {
    const range = fc
      .tuple(fc.nat(60), fc.nat(10))
      .map(([from, more]) => ({ from, to: (from + more) as number | null }));
    fc.assert(
      fc.property(fc.array(range, { maxLength: 12 }), fc.option(fc.nat(60)), (closed, open) => {
        const list = open === null ? closed : [...closed, { from: open, to: null }];
        const made = joinedRanges(list);
        const isHeld = (ranges: RoomRecord["ranges"], seq: number): boolean => isKept(room({ ranges }), seq);
        for (let seq = 0; seq < 100; seq++) expect(isHeld(made, seq)).toBe(isHeld(list, seq));
        for (const [i, { from }] of made.entries()) {
          const before = made[i - 1];
          if (before !== undefined) expect((before.to ?? Number.POSITIVE_INFINITY) + 1).toBeLessThan(from);
        }
      }),
    );
  });
});

// — a replica against a room —

/** Seq → rev of its last change: the whole truth of a room, for this purpose. */
type Truth = Map<number, number>;
type Move =
  | { readonly do: "post" }
  | { readonly do: "edit"; readonly which: number }
  | { readonly do: "live" }
  | { readonly do: "page" }
  | { readonly do: "second" }
  | { readonly do: "snapshot" }
  | { readonly do: "history" }
  | { readonly do: "stale" };

const move: fc.Arbitrary<Move> = fc.oneof(
  { arbitrary: fc.constant<Move>({ do: "post" }), weight: 5 },
  { arbitrary: fc.nat(40).map((which): Move => ({ do: "edit", which })), weight: 4 },
  {
    arbitrary: fc.constantFrom<Move>(
      { do: "live" },
      { do: "page" },
      { do: "second" },
      { do: "history" },
      { do: "stale" },
    ),
    weight: 8,
  },
  { arbitrary: fc.constant<Move>({ do: "snapshot" }), weight: 1 },
);

function playReplica(script: readonly Move[]): void {
  const truth: Truth = new Map();
  let head = 0;
  let seq = 0;
  let held: RoomRecord = room({});
  let messages: Truth = new Map();
  let stale: { messages: Message[]; more: boolean; rev: number; before: number } | null = null;

  const at = (from: number, to: number): Message[] =>
    [...truth].filter(([, rev]) => rev > from && rev <= to).map(([place, rev]) => message(place, rev));
  const store = (verdict: Verdict, entities: readonly Message[]): void => {
    if (verdict.do !== "store") return;
    if (verdict.drops) messages = new Map();
    let { lastSeq } = verdict.room;
    for (const { seq: place, rev } of entities) {
      if (!isKept(verdict.room, place)) continue;
      if ((messages.get(place) ?? 0) < rev) messages.set(place, rev);
      lastSeq = Math.max(lastSeq, place);
    }
    held = { ...verdict.room, lastSeq };
  };
  const pageFrom = (since: number, revs: number): void => {
    const to = Math.min(head, since + revs);
    const frame = { from: since, to, more: to < head };
    store(judgeChanges(held, frame, EPOCH), at(since, to));
  };
  const historyPage = (before: number) => {
    const older = [...truth].filter(([place]) => place < before).toSorted(([a], [b]) => a - b);
    const page = older.slice(-3);
    return {
      messages: page.map(([place, rev]) => message(place, rev)),
      more: older.length > page.length,
      rev: head,
      before,
    };
  };

  for (const each of script) {
    if (each.do === "post") truth.set(++seq, ++head);
    if (each.do === "edit" && truth.size > 0) truth.set((each.which % seq) + 1, ++head);
    if (each.do === "snapshot") {
      const newest = [...truth].toSorted(([a], [b]) => b - a).slice(0, 3);
      const entities = newest.map(([place, rev]) => message(place, rev));
      const oldest = newest.at(-1)?.[0] ?? null;
      store(judgeSnapshot(held, { head, epoch: EPOCH, entities, oldest, reset: held.cursor !== null }), entities);
    }
    if (held.cursor === null) continue;
    if (each.do === "live") pageFrom(held.cursor, 1_000);
    if (each.do === "page") pageFrom(held.cursor, 2);
    if (each.do === "second" && held.second !== null) pageFrom(held.second.cursor, 2);
    if (each.do === "history") {
      const page = historyPage(held.ranges.at(-1)?.from ?? 1);
      store(judgeHistory(held, page, page), page.messages);
      stale = page;
    }
    if (each.do === "stale" && stale !== null) store(judgeHistory(held, stale, stale), stale.messages);
    check();
  }

  /** What a replica promises: see catch-up.ts. */
  function check(): void {
    for (const [place, rev] of truth) {
      const range = held.ranges.find(({ from, to }) => place >= from && (to === null || place <= to));
      if (range === undefined) continue;
      const isOlder = held.second !== null && rev > held.second.cursor;
      if (rev <= (held.cursor ?? 0) && !isOlder) expect([place, messages.get(place)]).toEqual([place, rev]);
    }
  }
}

describe("whatever a room sends", () => {
  it("[SY1] [SY4] [SY6] what is held in a range is never behind the cursor that vouches for it", () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 80 }), (script) =>
        playReplica([{ do: "post" }, { do: "snapshot" }, ...script]),
      ),
      { numRuns: 2_000 },
    );
  });
});
