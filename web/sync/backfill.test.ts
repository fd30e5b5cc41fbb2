import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RoomName } from "#protocol/room-name.ts";
import { isFilled, toCome, type KeepDays } from "../store/keep.ts";
import { emptyRoom } from "../store/rooms.ts";
import type { RoomRecord } from "../store/schema.ts";
import {
  askedNext,
  GIVES_WAY_FOR_MS,
  HIDDEN_MS,
  newsPauseOf,
  nextPullAt,
  pauseOf,
  planFill,
  planNews,
  PULL_AFTER_MS,
  PULL_AT_LATEST_MS,
  PULL_GAP_MS,
  QUIET_MS,
  type Conditions,
  type FillRoom,
  type FillStep,
  type Pause,
} from "./backfill.ts";
import { judgeChanges, judgeHistory, judgeNewest } from "./catch-up.ts";

const NOW = 1_000 * 24 * 3_600_000;
const DAY = 24 * 3_600_000;
const named = (name: string): RoomName => `channel:w_${name}` as RoomName;

function room(name: string, held: Partial<RoomRecord> = {}, more: Partial<FillRoom> = {}): FillRoom {
  const record: RoomRecord = {
    ...emptyRoom(named(name)),
    epoch: "e",
    cursor: 900,
    head: 900,
    lastSeq: 900,
    ranges: [{ from: 801, to: null }],
    oldestAt: NOW - DAY,
    ...held,
  };
  const head = { rev: record.head, seq: record.lastSeq, at: NOW };
  return { room: record, head, link: "up", days: null, pulledAt: 0, restsUntil: 0, ...more };
}

const restoredTo = (epoch: string) => ({ epoch, at: NOW, seq: 40 });

const none = { link: "none" } as const;
/** Brought up to date so many ms ago, and it moved on since. */
const moved = (name: string, ms: number): FillRoom =>
  room(name, {}, { ...none, pulledAt: NOW - ms, head: { rev: 950, seq: 940, at: NOW } });
const nothing = { cursor: null, ranges: [], lastSeq: 0, oldestAt: null };
const older = (name: string, before: number, over: "link" | "http" = "link"): FillStep => ({
  do: "older",
  room: named(name),
  before,
  over,
});

const ROWS: readonly (readonly [string, readonly FillRoom[], FillStep | null])[] = [
  ["nothing to do where there are no channels", [], null],
  ["older messages of a channel that isn't complete", [room("a")], older("a", 801)],
  ["over HTTP where it has no link", [room("a", {}, none)], older("a", 801, "http")],
  ["nothing of one that reaches to the beginning", [room("a", { ranges: [{ from: 1, to: null }] })], null],
  ["nothing of one that reaches to the floor", [room("a", { floor: 801 })], null],
  ["nothing of one whose link is on its way", [room("a", {}, { link: "wanted" })], null],
  [
    "of several the one whose oldest message is the latest",
    [room("a", { oldestAt: NOW - 3 * DAY }), room("b", { oldestAt: NOW - DAY, ranges: [{ from: 501, to: null }] })],
    older("b", 501),
  ],
  [
    "the newest page of a channel of which nothing is held, before anything older",
    [room("a"), room("b", nothing, none)],
    { do: "begin", room: named("b") },
  ],
  ["nothing of such a channel where a link brings it", [room("b", nothing, { link: "wanted" })], null],
  [
    "what changed in a channel without a link, before anything older",
    [room("a"), room("b", {}, { ...none, head: { rev: 950, seq: 940, at: NOW } })],
    { do: "check", room: named("b"), since: 900 },
  ],
  [
    "[SV4] the newest page of a channel that was restored, whatever its rev and however lately it was asked",
    [
      room("b", {}, { ...none, pulledAt: NOW, head: { rev: 50, seq: 40, at: NOW, restored: restoredTo("f") } }),
      room("c", {}, { ...none, head: { rev: 900, seq: 900, at: NOW, restored: restoredTo("e") } }),
    ],
    { do: "begin", room: named("b") },
  ],
  ["but not within seconds of the last time", [moved("b", PULL_AFTER_MS - 1)], older("b", 801, "http")],
  [
    "and then again, for its marks tell of the last time",
    [moved("b", PULL_AFTER_MS)],
    { do: "check", room: named("b"), since: 900 },
  ],
  [
    "[SY4] the newest page first where it is far behind",
    [room("b", {}, { ...none, head: { rev: 9_000, seq: 8_000, at: NOW } })],
    { do: "begin", room: named("b") },
  ],
  [
    "[SY4] then what the older messages missed",
    [room("b", { second: { cursor: 10, upTo: 900 } }, none)],
    { do: "check", room: named("b"), since: 10 },
  ],
  ["[SY4] nothing older before that, where a link does it", [room("b", { second: { cursor: 10, upTo: 900 } })], null],
  [
    "[SY6] the hole between two ranges",
    [
      room("a", {
        ranges: [
          { from: 1, to: 99 },
          { from: 801, to: null },
        ],
      }),
    ],
    older("a", 801),
  ],
  ["nothing of a channel that rests", [room("a", {}, { restsUntil: NOW + 1 })], null],
  ["nothing beyond the days that are wanted", [room("a", { oldestAt: NOW - 31 * DAY }, { days: 30 })], null],
  ["but all of those days", [room("a", { oldestAt: NOW - 29 * DAY }, { days: 30 })], older("a", 801)],
  [
    "and a hundred messages at least",
    [room("a", { ranges: [{ from: 851, to: null }], oldestAt: NOW - 31 * DAY }, { days: 30 })],
    older("a", 851),
  ],
  ["nothing but the newest page where no more is wanted", [room("a", {}, { days: 0 })], null],
  [
    "100,000 messages of a channel and no more",
    [room("a", { lastSeq: 150_000, ranges: [{ from: 50_001, to: null }] })],
    null,
  ],
];

describe("the next step", () => {
  it.each(ROWS)("is %s", (_what, rooms, step) => {
    expect(planFill(rooms, NOW, 0)).toEqual(step);
  });

  it("reads one channel again each gap, and one that waits for minutes whatever others do", () => {
    const check = { do: "check", room: named("b"), since: 900 };
    const lately = NOW - PULL_GAP_MS + 1;
    expect(planFill([moved("b", PULL_AFTER_MS)], NOW, lately)).toEqual(older("b", 801, "http"));
    expect(planFill([moved("b", PULL_AT_LATEST_MS)], NOW, lately)).toEqual(check);
    expect(planNews([moved("b", PULL_AFTER_MS)], NOW, lately)).toBeNull();
    expect(planNews([moved("b", PULL_AFTER_MS)], NOW, NOW - PULL_GAP_MS)).toEqual(check);
  });

  it("where bytes cost is only what happened since, in channels of which something is held", () => {
    const far = room("far", {}, { ...none, head: { rev: 9_000, seq: 8_000, at: NOW } });
    const gap = room("gap", { second: { cursor: 10, upTo: 900 } }, none);
    const others = [far, gap, room("linked"), room("new", nothing, none), moved("just", 1_000)];
    expect(planNews(others, NOW, 0)).toBeNull();
    expect(planNews([...others, moved("b", PULL_AFTER_MS)], NOW, 0)).toEqual({
      do: "check",
      room: named("b"),
      since: 900,
    });
  });

  it("is due when the first of those that moved may be read again, also beside one that rests", () => {
    const due = NOW - 4_000 + PULL_AFTER_MS;
    const resting = { ...moved("resting", PULL_AT_LATEST_MS * 9), restsUntil: NOW + 1_800_000 };
    expect(nextPullAt([moved("a", 1_000), moved("b", 4_000), resting], NOW, 0)).toBe(due);
    expect(nextPullAt([moved("b", PULL_AFTER_MS)], NOW, NOW - 500)).toBe(NOW - 500 + PULL_GAP_MS);
    expect(nextPullAt([room("linked"), room("still", {}, none), room("new", nothing, none)], NOW, 0)).toBeNull();
  });

  it("shares its token with those that come after it, and with nobody else", () => {
    const rooms = [
      room("linked"),
      room("full", { ranges: [{ from: 1, to: null }] }, none),
      room("resting", {}, { ...none, restsUntil: NOW + 1 }),
      room("b", nothing, none),
      room("c", {}, none),
    ];
    expect(askedNext(rooms, named("c"), NOW, 20)).toEqual([named("c"), named("b")]);
    expect(askedNext(rooms, named("c"), NOW, 1)).toEqual([named("c")]);
  });
});

const FREE: Conditions = {
  isConnected: true,
  isOwed: false,
  usedAt: 0,
  hiddenAt: null,
  line: "free",
  isForced: false,
  isShort: false,
  isAtCap: false,
  waitsUntil: 0,
};

const PAUSES: readonly (readonly [string, Partial<Conditions>, Pause | null])[] = [
  ["goes on where nothing is in the way", {}, null],
  ["keeps still while somebody scrolls or types", { usedAt: NOW - 1 }, { why: "busy", until: NOW - 1 + QUIET_MS }],
  ["lets go first what waits to be sent, and what was missed", { isOwed: true }, { why: "busy", until: null }],
  ["waits for the network", { isConnected: false, isForced: true }, { why: "offline", until: null }],
  [
    "stops where the device is short of space, whoever asks",
    { isShort: true, isForced: true },
    { why: "space", until: null },
  ],
  ["stops at what the person allows", { isAtCap: true }, { why: "cap", until: null }],
  [
    "names what stays in the way with a network too",
    { isConnected: false, line: "saving" },
    { why: "saving", until: null },
  ],
  ["spares data where the browser is told to", { line: "saving" }, { why: "saving", until: null }],
  ["waits until it knows what bytes cost", { line: null }, { why: "busy", until: null }],
  ["spares a metered line", { line: "metered" }, { why: "metered", until: null }],
  ["spares a slow one", { line: "slow" }, { why: "slow", until: null }],
  ["but fills when asked to", { line: "metered", isForced: true }, null],
  ["waits as long as it was told to", { waitsUntil: NOW + 7 }, { why: "asked-to-wait", until: NOW + 7 }],
  ["goes on unseen for a while", { hiddenAt: NOW - HIDDEN_MS + 1 }, null],
  ["and then stops", { hiddenAt: NOW - HIDDEN_MS }, { why: "hidden", until: null }],
];

describe("filling", () => {
  it.each(PAUSES)("%s", (_what, conditions, pause) => {
    expect(pauseOf({ ...FREE, ...conditions }, NOW)).toEqual(pause);
  });
});

const NEWS_PAUSES: readonly (readonly [string, Partial<Conditions>, number | null, Pause | null])[] = [
  ["goes on where bytes cost", { line: "metered" }, null, null],
  ["goes on before it knows whether they do", { line: null }, null, null],
  ["goes on where nobody looks", { hiddenAt: NOW - HIDDEN_MS }, null, null],
  ["goes on where history is at its limit", { isAtCap: true }, null, null],
  ["keeps still while somebody types", { usedAt: NOW - 1 }, null, { why: "busy", until: NOW - 1 + QUIET_MS }],
  ["waits for the network", { isConnected: false }, null, { why: "offline", until: null }],
  ["waits for room", { isShort: true }, null, { why: "space", until: null }],
  [
    "gives way for a while to what is owed",
    { isOwed: true },
    NOW - 1,
    { why: "busy", until: NOW - 1 + GIVES_WAY_FOR_MS },
  ],
  ["and not to what doesn't come", { isOwed: true }, NOW - GIVES_WAY_FOR_MS, null],
];

describe("what is new", () => {
  it.each(NEWS_PAUSES)("%s", (_what, conditions, owedAt, pause) => {
    expect(newsPauseOf({ ...FREE, ...conditions }, owedAt, NOW)).toEqual(pause);
  });
});

// — filling against rooms that go on —

/** Seq → rev of a channel's messages; each is written a minute after the one before. */
interface Truth {
  readonly revs: Map<number, number>;
  head: number;
}

const writtenAt = (seq: number): number => NOW - 20 * DAY + seq * 60_000;

function play(counts: readonly number[], days: KeepDays, changes: readonly number[]): void {
  const truths = counts.map((count): Truth => ({
    revs: new Map(Array.from({ length: count }, (_, i) => [i + 1, i + 1])),
    head: count,
  }));
  const records = truths.map((_, i) => emptyRoom(named(`${i}`)));
  const held = truths.map(() => new Map<number, number>());
  const message = (seq: number, rev: number) =>
    ({ kind: "message", id: `${seq}`, seq, rev, createdAt: writtenAt(seq) }) as never;
  const rooms = (): FillRoom[] =>
    records.map((record, i) => ({
      room: record,
      head: { rev: truths[i]!.head, seq: truths[i]!.revs.size, at: truths[i]!.head },
      link: "none",
      days,
      pulledAt: 0,
      restsUntil: 0,
    }));
  const store = (i: number, verdict: ReturnType<typeof judgeHistory>, seqs: readonly number[]): void => {
    if (verdict.do !== "store") throw new Error(verdict.do);
    for (const seq of seqs) held[i]!.set(seq, truths[i]!.revs.get(seq)!);
    const from = verdict.room.ranges.at(-1)!.from;
    const lastSeq = Math.max(verdict.room.lastSeq, ...seqs);
    records[i] = { ...verdict.room, lastSeq, heardTo: lastSeq, oldestAt: writtenAt(from) };
  };
  let moved = 0;
  for (let steps = 0; ; steps++) {
    const step = planFill(rooms(), NOW, 0);
    if (step === null) break;
    expect(steps).toBeLessThan(2_000);
    const i = records.findIndex(({ name }) => name === step.room);
    const truth = truths[i]!;
    const last = step.do === "older" ? step.before - 1 : truth.revs.size;
    const seqs = Array.from({ length: Math.min(10, last) }, (_, at) => last - Math.min(10, last) + 1 + at);
    const page = {
      messages: seqs.map((seq) => message(seq, truth.revs.get(seq)!)),
      more: (seqs[0] ?? 1) > 1,
      rev: truth.head,
      epoch: "e",
    };
    if (step.do === "begin") store(i, judgeNewest(records[i]!, page), seqs);
    else if (step.do === "older") store(i, judgeHistory(records[i]!, page, { before: step.before }), seqs);
    else {
      const changed = [...truth.revs].filter(([, rev]) => rev > step.since).map(([seq]) => seq);
      const inRange = changed.filter((seq) => seq >= records[i]!.ranges.at(-1)!.from);
      store(i, judgeChanges(records[i]!, { from: step.since, to: truth.head, more: false }, "e"), inRange);
    }
    // A room goes on meanwhile.
    const change = changes[moved++];
    const other = change === undefined ? undefined : truths[change % truths.length];
    if (other !== undefined && other.revs.size > 0) {
      if (change! % 3 === 0) other.revs.set(other.revs.size + 1, ++other.head);
      else other.revs.set((change! % other.revs.size) + 1, ++other.head);
    }
  }
  for (const [i, truth] of truths.entries()) {
    expect(isFilled(records[i]!, days, NOW)).toBe(true);
    expect(toCome(records[i]!, truth.revs.size, days, NOW)).toBe(0);
    const from = records[i]!.ranges.at(-1)?.from ?? 1;
    expect([...held[i]!].filter(([seq]) => seq >= from).toSorted(([a], [b]) => a - b)).toEqual(
      [...truth.revs].filter(([seq]) => seq >= from).toSorted(([a], [b]) => a - b),
    );
    if (days === null) expect(held[i]!.size).toBe(truth.revs.size);
  }
}

describe("step by step", () => {
  it("[SY4] [SY6] every channel becomes complete, without a hole and up to date, whatever is written meanwhile", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(260), { minLength: 1, maxLength: 4 }),
        fc.constantFrom<KeepDays>(null, 0, 19),
        fc.array(fc.nat(1_000), { maxLength: 30 }),
        play,
      ),
      { numRuns: 300 },
    );
  });
});
