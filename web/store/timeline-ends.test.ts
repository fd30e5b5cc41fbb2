import { expect, it } from "vitest";
import type { RoomName } from "#protocol/room-name.ts";
import { emptyRoom } from "./rooms.ts";
import { watchEnds } from "./timeline-ends.ts";
import type { TimelineWindow } from "./timeline-window.ts";

it("what was asked for and can't come any more isn't called on its way", () => {
  let isApart = false;
  const places = { from: 50, to: null };
  const window = { places: () => places, isReading: () => false } as TimelineWindow;
  const record = { ...emptyRoom("channel:w_c" as RoomName), cursor: 1, ranges: [places], lastSeq: 100 };
  const ends = watchEnds({
    window,
    record: () => record,
    isApart: () => isApart,
    fetchHistory: () => new Promise(() => undefined),
    changed: () => undefined,
  });
  expect(ends.beyond("older")).toBe("more");
  void ends.loadOlder();
  expect(ends.beyond("older")).toBe("loading");
  isApart = true;
  expect(ends.beyond("older")).toBe("unreachable");
});

it("below what is shown there is more, cut off too, up to where what is held ends", () => {
  const window = { places: () => ({ from: 50, to: 80 }), isReading: () => false } as TimelineWindow;
  const newerIn = (to: number | null): string =>
    watchEnds({
      window,
      record: () => ({ ...emptyRoom("channel:w_c" as RoomName), cursor: 1, ranges: [{ from: 1, to }], lastSeq: 100 }),
      isApart: () => true,
      fetchHistory: () => new Promise(() => undefined),
      changed: () => undefined,
    }).beyond("newer");
  expect([newerIn(null), newerIn(90), newerIn(80)]).toEqual(["more", "more", "unreachable"]);
});

it("where a hole lies below what is shown, growing goes over it at once", async () => {
  const froms: number[] = [];
  let places = { from: 900, to: null };
  const window: Pick<TimelineWindow, "places" | "isReading" | "read"> = {
    places: () => places,
    isReading: () => false,
    read: async (next) => {
      places = { ...places, from: next.from };
      froms.push(next.from);
    },
  };
  const room = { ...emptyRoom("channel:w_c" as RoomName), cursor: 1, ranges: [{ from: 1, to: null }], lastSeq: 900 };
  const ends = watchEnds({
    window: window as TimelineWindow,
    record: () => ({ ...room, heardTo: 250 }),
    isApart: () => false,
    fetchHistory: async () => false,
    changed: () => undefined,
  });
  for (let i = 0; i < 3; i++) await ends.loadOlder();
  expect(froms).toEqual([151, 51, 1]);
});
