import { describe, expect, test } from "vitest";
import type { MessageId, UserId } from "#protocol/ids.ts";
import type { TimelineMessage } from "../../store/timeline-snapshots.ts";
import { newsIn } from "./news.ts";
import { arrived, joins, moved, movementOf, newAfter, placeLeft, timelineRows, type Movement } from "./rows.ts";

const NOON = new Date(2026, 6, 14, 12).getTime();
const MINUTE = 60_000;

function message(
  seq: number | null,
  change: Partial<TimelineMessage> & { readonly minute?: number; readonly by?: string } = {},
): TimelineMessage {
  const { minute = seq ?? 0, by = "ana", ...rest } = change;
  return {
    id: `m${seq ?? "-"}-${minute}` as MessageId,
    seq,
    author: by as UserId,
    isMine: by === "me",
    at: NOON + minute * MINUTE,
    text: "text",
    isDeleted: false,
    isEdited: false,
    replyCount: 0,
    reactions: [],
    namesMe: false,
    delivery: seq === null ? "queued" : "sent",
    hasWaitingChange: false,
    mayPin: false,
    mayEdit: false,
    mayDelete: false,
    rev: seq ?? 0,
    ...rest,
  };
}

const heads = (messages: readonly TimelineMessage[], readAt: number | null = null): string =>
  timelineRows(messages, readAt)
    .map(
      ({ isHead, isFirstNew, day }) =>
        `${day === null ? "" : "day "}${isFirstNew ? "new " : ""}${isHead ? "head" : "more"}`,
    )
    .join(" | ");

describe("a group is one author's messages within five minutes", () => {
  test.each<[string, readonly TimelineMessage[], string]>([
    ["the same author goes on", [message(1), message(2)], "day head | more"],
    ["another author begins", [message(1), message(2, { by: "bo" })], "day head | head"],
    ["five minutes later it begins again", [message(1), message(2, { minute: 6 })], "day head | head"],
    ["a minute before that it goes on", [message(1), message(2, { minute: 5 })], "day head | more"],
    [
      "a reply begins, for it shows what it answers",
      [message(1), message(2, { quote: { id: "x" as MessageId, author: null, text: null } })],
      "day head | head",
    ],
    [
      "a system line stands alone",
      [message(1), message(2, { system: { type: "created" } }), message(3)],
      "day head | head | head",
    ],
    ["a new day begins", [message(1, { minute: 719 }), message(2, { minute: 721 })], "day head | day head"],
    [
      "a clock that went back a little changes nothing",
      [message(1, { minute: 3 }), message(2, { minute: 1 })],
      "day head | more",
    ],
  ])("%s", (_, messages, expected) => {
    expect(heads(messages)).toBe(expected);
  });
});

describe('the "New" line', () => {
  test.each<[string, readonly TimelineMessage[], number | null, string]>([
    [
      "stands before the first message of others past the read position",
      [message(1), message(2), message(3)],
      1,
      "day head | new head | more",
    ],
    ["doesn't stand where all is read", [message(1), message(2)], 2, "day head | more"],
    [
      "doesn't stand for what I wrote",
      [message(1), message(2, { by: "me" }), message(3, { by: "me" })],
      1,
      "day head | head | more",
    ],
    ["skips what I wrote", [message(1), message(2, { by: "me" }), message(3)], 1, "day head | head | new head"],
    [
      "skips what was deleted since",
      [message(1), message(2, { isDeleted: true }), message(3)],
      1,
      "day head | more | new head",
    ],
    [
      "skips system lines",
      [message(1), message(2, { system: { type: "created" } }), message(3)],
      1,
      "day head | head | new head",
    ],
    ["isn't known without a read position", [message(1), message(2)], null, "day head | more"],
  ])("%s", (_, messages, readAt, expected) => {
    expect(heads(messages, readAt)).toBe(expected);
  });
});

describe("what is on the screen", () => {
  const READ = 5;
  test.each<[string, readonly TimelineMessage[], number, boolean, boolean]>([
    ["joins where it was read", [message(4), message(5), message(6)], 0, false, true],
    ["joins where it begins with the first that is new", [message(5), message(6), message(7)], 1, false, true],
    ["joins behind places that stand in threads", [message(5), message(9), message(10)], 1, false, true],
    ["joins where only one's own lies above it", [message(5), message(6, { by: "me" }), message(7)], 2, false, true],
    [
      "joins where what lies above it was deleted",
      [message(5), message(6, { isDeleted: true }), message(7)],
      2,
      false,
      true,
    ],
    ["doesn't where something new lies above it", [message(5), message(6), message(7)], 2, false, false],
    ["doesn't where what lies above isn't here", [message(7), message(8)], 0, false, false],
    ["joins at the beginning of all there is", [message(7), message(8)], 0, true, true],
    ["doesn't as long as nothing is known to be on the screen", [message(4), message(5)], -1, true, false],
    ["doesn't further down from there", [message(7), message(8)], 1, true, false],
  ])("%s", (_, messages, first, isWhole, expected) => {
    expect(joins(timelineRows(messages, READ), first, READ, isWhole)).toBe(expected);
  });
});

describe("how the list moved", () => {
  const rows = (...seqs: readonly number[]) =>
    timelineRows(
      seqs.map((seq) => message(seq)),
      null,
    );
  const at = (...seqs: readonly number[]): Movement => ({ ...movementOf(rows(...seqs)), generation: 3 });

  test.each<[string, Movement, readonly number[], boolean, number]>([
    ["older ones came", at(5, 6), [3, 4, 5, 6], true, 3],
    ["newer ones came", at(5, 6), [5, 6, 7], false, 3],
    ["both came", at(5, 6), [4, 5, 6, 7], true, 3],
    ["the oldest went", at(5, 6, 7), [6, 7], true, 3],
    ["the window moved elsewhere", at(5, 6), [90, 91], false, 4],
    ["the first ones came", at(), [1, 2], false, 3],
    ["all went", at(1, 2), [], false, 3],
  ])("%s", (_, from, seqs, isShift, generation) => {
    expect(moved(from, rows(...seqs))).toMatchObject({ isShift, generation });
  });

  test("where the window moved elsewhere, a row that somebody types in stays as it is", () => {
    const waiting = rows(7)[0]!;
    const { id } = waiting.message;
    const from = { ...movementOf([...rows(5, 6), waiting]), generation: 3 };
    const goal = [...rows(90, 91), waiting];
    expect(moved(from, goal, id)).toEqual({ rows: goal, goal, isShift: false, generation: 3 });
    expect(moved(from, goal).generation).toBe(4);
    expect(moved(from, rows(90, 91), id).generation).toBe(4);
  });

  test("rows that came at both ends are taken one end at a time", () => {
    const first = moved(at(5, 6), rows(3, 4, 5, 6, 7));
    const seqs = (movement: Movement) => movement.rows.map(({ message }) => message.seq);
    expect([seqs(first), first.isShift]).toEqual([[3, 4, 5, 6], true]);
    const second = arrived(first);
    expect([seqs(second), second.isShift, second.rows]).toEqual([[3, 4, 5, 6, 7], false, first.goal]);
  });
});

test("what counts as new while scrolled up are messages of others that have their place", () => {
  const messages = [
    message(1),
    message(2),
    message(3, { by: "me" }),
    message(4, { system: { type: "created" } }),
    message(5),
    message(6, { isDeleted: true }),
    message(null),
  ];
  expect(newAfter(messages, 1)).toHaveLength(2);
});

describe("what is new since one left the newest", () => {
  const farUp = {
    state: "ready",
    older: "more",
    newSince: null,
    read: 0,
    heardTo: 100,
    isApart: false,
    isUnchecked: false,
    isOnWay: false,
  } as const;

  test("is none of what was there already, though a link led far up", () => {
    const place = placeLeft({ ...farUp, messages: [message(1), message(2)], newer: "more", top: 300 });
    expect(newAfter([message(2), message(3), message(300)], place)).toEqual([]);
    expect(newAfter([message(300), message(301)], place)).toHaveLength(1);
  });

  test("is all that comes behind the newest that is here, also what was missed and known of before", () => {
    const place = placeLeft({ ...farUp, messages: [message(1), message(2)], newer: "nothing", top: 300 });
    expect(newAfter([message(2), message(3)], place)).toHaveLength(1);
  });

  test("is also what comes into the hole before one's own last", () => {
    const held = [message(1), message(9, { isMine: true })];
    const place = placeLeft({ ...farUp, heardTo: 1, messages: held, newer: "nothing", top: 1 });
    expect(newAfter([message(1), message(2), message(9, { isMine: true })], place)).toHaveLength(1);
  });
});

describe("what a screen reader is told of", () => {
  const far = Array.from({ length: 40 }, (_, at) => message(at + 1));
  const snapshot = (
    messages: readonly TimelineMessage[],
    newer: "nothing" | "more",
    top: number,
  ): Parameters<typeof newsIn>[0] => ({
    state: "ready",
    messages,
    older: "nothing",
    newer,
    newSince: null,
    read: 0,
    top,
    heardTo: 100,
    isApart: false,
    isUnchecked: false,
    isOnWay: false,
  });
  const told = (...snapshots: readonly Parameters<typeof newsIn>[0][]): (number | null)[] => {
    let upTo: number | null = null;
    return snapshots.flatMap((each) => {
      const news = newsIn(each, upTo);
      ({ upTo } = news);
      return news.fresh.map(({ seq }) => seq);
    });
  };

  test("what comes while one stands at the newest, once", () => {
    const newest = snapshot(far.slice(0, 3), "nothing", 3);
    const later = snapshot(far.slice(0, 5), "nothing", 5);
    expect(told(newest, later, later, newest, later)).toEqual([4, 5]);
  });

  test("nothing of what a link led to and one reads on in, nor the newest that one goes back to", () => {
    const linked = snapshot(far.slice(0, 5), "more", 40);
    const further = snapshot(far.slice(0, 30), "more", 40);
    expect(told(linked, further, snapshot(far.slice(20), "nothing", 40))).toEqual([]);
  });

  test("what came meanwhile, on going back to the newest", () => {
    const linked = snapshot(far.slice(0, 5), "more", 38);
    expect(told(linked, { ...linked, top: 40 }, snapshot(far.slice(20), "nothing", 40))).toEqual([39, 40]);
  });
});
