import { describe, expect, it } from "vitest";
import type { LiveMessage, Message } from "#protocol/entities/message.ts";
import type { MessageId, UserId } from "#protocol/ids.ts";
import { change, outboxOf, post, REFUSED, type Waiting } from "../test/ops.ts";
import type { OutboxRecord } from "./schema.ts";
import type { TimelineMessage } from "./timeline-snapshots.ts";
import { emptyCache, timelineRows, type RowCache, type RowContext } from "./timeline-rows.ts";

const ME = "olga" as UserId;
const HOUR = 3_600_000;

const message = (seq: number, more: Partial<LiveMessage> = {}): Message => ({
  kind: "message",
  id: `m${seq}` as MessageId,
  rev: seq,
  seq,
  author: "mara" as UserId,
  createdAt: 10 * HOUR,
  text: `text ${seq}`,
  ...more,
});

function rowsOf(
  confirmed: readonly Message[],
  waiting: readonly Waiting[] = [],
  more: Partial<RowContext> = {},
  cache: RowCache = emptyCache(),
): { rows: readonly TimelineMessage[]; cache: RowCache } {
  const context: RowContext = {
    me: ME,
    manages: false,
    mayWrite: true,
    mayPin: true,
    editWindowMs: null,
    now: 11 * HOUR,
    messageOf: (id) => confirmed.find((each) => each.id === id),
    deliveryOf: (op: OutboxRecord) => (op.refusal ? "refused" : op.n === undefined ? "queued" : "sending"),
    ...more,
  };
  return timelineRows(confirmed, outboxOf(...waiting), context, cache);
}

describe("rows of the timeline", () => {
  it("stand by place, and behind them what waits, in the order written", () => {
    const { rows } = rowsOf([message(1), message(2)], [post("a"), { ...post("b"), n: 1 }]);
    expect(rows.map(({ id, seq, delivery, isMine }) => [id, seq, delivery, isMine])).toEqual([
      ["m1", 1, "sent", false],
      ["m2", 2, "sent", false],
      ["a", null, "queued", true],
      ["b", null, "sending", true],
    ]);
  });

  it("[OP3] a post that is confirmed while its op still waits stands there once", () => {
    const { rows } = rowsOf([message(1, { id: "a" as MessageId, author: ME })], [{ ...post("a"), n: 1 }]);
    expect(rows.map(({ id, seq }) => [id, seq])).toEqual([["a", 1]]);
  });

  it("show a waiting edit, reaction and deletion at once, and that they wait", () => {
    const own = message(1, { author: ME });
    const { rows } = rowsOf(
      [own, message(2), message(3, { author: ME })],
      [
        change("message.edit", { id: "m1", text: "better", base: 1 }),
        change("message.react", { id: "m2", emoji: "👍", on: true }),
        change("message.delete", { id: "m3" }),
      ],
    );
    expect(rows).toMatchObject([
      { text: "better", isEdited: true, hasWaitingChange: true, rev: 1 },
      { reactions: [{ emoji: "👍", people: [ME], isMine: true }], hasWaitingChange: true },
      { isDeleted: true, text: "", hasWaitingChange: true },
    ]);
  });

  it("[OP9] show a refused post with its reason, and a refused edit as it was, with its reason", () => {
    const { rows } = rowsOf(
      [message(1, { author: ME })],
      [
        { ...change("message.edit", { id: "m1", text: "better", base: 1 }), refusal: REFUSED },
        { ...post("a"), refusal: REFUSED },
      ],
    );
    expect(rows).toMatchObject([
      { text: "text 1", hasWaitingChange: false, refused: { op: "op1", refusal: REFUSED } },
      { id: "a", delivery: "refused", refused: { op: "op2" }, mayEdit: false },
    ]);
  });

  it("say no more of a refused change that was given up", () => {
    const confirmed = [message(1, { author: ME })];
    const refused = { ...change("message.edit", { id: "m1", text: "better", base: 1 }), refusal: REFUSED };
    const { cache } = rowsOf(confirmed, [refused]);
    expect(rowsOf(confirmed, [], {}, cache).rows[0]?.refused).toBeUndefined();
  });

  it("quote the root of a reply, as it is now, and say when it isn't here", () => {
    const reply = (id: string, root: string) => message(9, { id: id as MessageId, root: root as MessageId });
    const waiting = [change("message.edit", { id: "m1", text: "better", base: 1 })];
    const { rows } = rowsOf([message(1, { author: ME }), reply("r1", "m1"), reply("r2", "far")], waiting);
    expect(rows.map(({ quote }) => quote)).toEqual([
      undefined,
      { id: "m1", author: ME, text: "better" },
      { id: "far", author: null, text: null },
    ]);
  });

  it("a reply that waits raises its root's count, and the root waits for nothing", () => {
    const { rows } = rowsOf([message(1)], [post("r", { root: "m1", toChannel: true })]);
    expect(rows[0]).toMatchObject({ replyCount: 1, hasWaitingChange: false, delivery: "sent" });
  });

  it("say who may edit and delete", () => {
    const own = message(1, { author: ME });
    const may = (more: Partial<RowContext>): boolean[] =>
      rowsOf([own, message(2)], [], more).rows.flatMap(({ mayEdit, mayDelete }) => [mayEdit, mayDelete]);
    expect(may({})).toEqual([true, true, false, false]);
    expect(may({ manages: true })).toEqual([true, true, false, true]);
    expect(may({ mayWrite: false })).toEqual([false, false, false, false]);
    expect(may({ editWindowMs: HOUR / 2 })).toEqual([false, true, false, false]);
  });

  it("show when it was written only where that was noticeably earlier", () => {
    const { rows } = rowsOf([message(1, { writtenAt: 9 * HOUR }), message(2, { writtenAt: 10 * HOUR - 1_000 })]);
    expect(rows.map(({ writtenAt }) => writtenAt)).toEqual([9 * HOUR, undefined]);
  });

  it("are the identical objects where nothing changed", () => {
    const confirmed = [message(1), message(2, { root: "m1" as MessageId })];
    const first = rowsOf(confirmed);
    const second = rowsOf([...confirmed, message(3)], [post("a")], {}, first.cache);
    expect(second.rows[0]).toBe(first.rows[0]);
    expect(second.rows[1]).toBe(first.rows[1]);
    const third = rowsOf([...confirmed, message(3)], [post("a")], {}, second.cache);
    expect(third.rows.every((row, i) => row === second.rows[i])).toBe(true);
  });

  it("name me in what others wrote", () => {
    const named = (author: string) => message(1, { author: author as UserId, mentions: [ME] });
    expect(rowsOf([named("mara")]).rows[0]?.namesMe).toBe(true);
    expect(rowsOf([named(ME)]).rows[0]?.namesMe).toBe(false);
  });
});
