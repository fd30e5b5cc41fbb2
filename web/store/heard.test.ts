import { expect, it } from "vitest";
import type { Message } from "#protocol/entities/message.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { heardAfter } from "./heard.ts";
import { memoryBackend } from "./memory.ts";
import { putMessage } from "./messages.ts";
import { emptyRoom, heardTo } from "./rooms.ts";
import { createStore } from "./store.ts";

const ROOM = "channel:w_c" as RoomName;
const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };
const at = (seq: number): Message => ({ kind: "message", id: `m${seq}`, seq, rev: seq }) as Message;
const places = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** What was held, and up to where that was known to be whole; what came; up to where it is now. */
const rows: readonly (readonly [what: string, held: number[], to: number, came: number[], then: number])[] = [
  ["what goes on from there", places(1, 10), 10, [11, 12], 12],
  ["that in another order, for one of them was changed since", places(1, 10), 10, [12, 13, 11], 13],
  ["my own post behind others'", places(1, 10), 10, [50], 10],
  ["a page without the one that was changed since", places(1, 10), 10, places(12, 20), 10],
  ["that one", [...places(1, 10), ...places(12, 600)], 10, [11], 600],
  ["a part of what lay between", [...places(1, 10), 50], 10, places(11, 30), 30],
  ["all of it", [...places(1, 10), 50, 51], 10, places(11, 49), 51],
  ["all of it up to the next hole", [...places(1, 10), 50, 60], 10, places(11, 49), 50],
  ["another of mine", [...places(1, 10), 50], 10, [51], 10],
  ["nothing", places(1, 10), 10, [], 10],
];

it.each(rows)("the place up to which nothing is missing, after %s", async (_, held, to, came, then) => {
  const store = createStore(memoryBackend(), quiet);
  const room = { ...emptyRoom(ROOM), ranges: [{ from: 1, to: null }], heardTo: to };
  const lastSeq = Math.max(...held, ...came);
  const heard = await store.write({ tables: ["messages"], durability: "relaxed" }, async (tx) => {
    for (const seq of [...held, ...came]) putMessage(tx, ROOM, at(seq));
    return heardAfter(tx, room, came.map(at), lastSeq);
  });
  expect(heard).toBe(then);
});

it("begins with what is held, or with what the room still has", async () => {
  const store = createStore(memoryBackend(), quiet);
  const heard = await store.write({ tables: ["messages"], durability: "relaxed" }, async (tx) => {
    for (const seq of places(41, 45)) putMessage(tx, ROOM, at(seq));
    const fresh = { ...emptyRoom(ROOM), heardTo: 0 };
    return Promise.all([
      heardAfter(tx, { ...fresh, ranges: [{ from: 41, to: null }] }, places(41, 45).map(at), 45),
      heardAfter(tx, { ...fresh, ranges: [{ from: 1, to: null }], floor: 41 }, places(41, 45).map(at), 45),
    ]);
  });
  expect(heard).toEqual([45, 45]);
});

it("is the last that is held where an older build didn't say", () => {
  expect(heardTo({ lastSeq: 50 })).toBe(50);
  expect(heardTo({ lastSeq: 50, heardTo: 10 })).toBe(10);
});
