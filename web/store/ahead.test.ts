import { expect, it } from "vitest";
import type { Message } from "#protocol/entities/message.ts";
import { aheadAfter } from "./ahead.ts";
import { heardTo } from "./rooms.ts";
import type { RoomRecord } from "./schema.ts";

const at = (seq: number, rev = seq): Message => ({ seq, rev }) as Message;
const HOLE = { after: 10, rev: 50 };

/** Held up to 10, at the cursor that goes with what came. */
const rows: readonly (readonly [
  what: string,
  ahead: RoomRecord["ahead"],
  cursor: number,
  came: readonly Message[],
  isMore: boolean,
  then: typeof HOLE | null,
])[] = [
  ["what the cursor takes in", undefined, 12, [at(11), at(12)], false, null],
  ["my own post behind others'", null, 10, [at(50)], false, HOLE],
  ["my own post next to the last, with a reaction before it", null, 10, [at(11, 14)], false, null],
  ["two of mine in a row", null, 10, [at(11, 14), at(12, 15)], false, null],
  ["two of mine with others' between them", null, 10, [at(11, 14), at(13, 17)], false, { after: 10, rev: 17 }],
  ["a change to one that is held", null, 10, [at(9, 40)], false, null],
  ["another of mine beyond the hole", HOLE, 10, [at(51, 52)], false, { after: 10, rev: 52 }],
  ["a part of what lay between", HOLE, 30, [at(20, 21), at(29, 30)], true, HOLE],
  ["a live change below it", HOLE, 11, [at(11)], false, HOLE],
  ["all that lay between, and more to come", HOLE, 60, [at(49), at(51)], true, HOLE],
  ["all that lay between", HOLE, 60, [at(49), at(51)], false, null],
];

it.each(rows)("the place up to which nothing is missing, after %s", (_, ahead, cursor, came, isMore, then) => {
  const known = ahead === undefined ? { cursor } : { cursor, ahead };
  expect(aheadAfter(10, known, came, isMore)).toEqual(then);
});

it("is the last that is held, unless that stands behind a hole", () => {
  expect(heardTo({ lastSeq: 50 })).toBe(50);
  expect(heardTo({ lastSeq: 50, ahead: null })).toBe(50);
  expect(heardTo({ lastSeq: 50, ahead: HOLE })).toBe(10);
});
