// Which page is asked for when: as soon as one is here, never two at a time, and never further ahead than the disk can bear.
import { beforeEach, describe, expect, it } from "vitest";
import type { ChannelId, WorkspaceId } from "#protocol/ids.ts";
import { roomNameOf } from "#protocol/room-name.ts";
import type { UpFrame } from "#protocol/up.ts";
import { emptyRoom } from "../store/rooms.ts";
import type { RoomRecord } from "../store/schema.ts";
import type { Verdict } from "./catch-up.ts";
import { askPages, type RoomPages } from "./room-pages.ts";

const ROOM = emptyRoom(
  roomNameOf({ party: "channel", workspace: "w" as WorkspaceId, channel: "general" as ChannelId }),
);
const PAGE = 200;
const HEAD = 100_000;

let sent: UpFrame[];
let isLive: boolean;
let pages: RoomPages;

const pulls = (): number[] =>
  sent.flatMap((frame) => (frame.t === "pull" && frame.since !== undefined ? [frame.since] : []));
const lastQ = (): number => (sent.at(-1) as { readonly q: number }).q;
const stored = (cursor: number, more = true): Verdict => {
  const room: RoomRecord = { ...ROOM, cursor, head: HEAD };
  return { do: "store", room, more, drops: false, sweeps: false };
};

beforeEach(() => {
  sent = [];
  isLive = true;
  pages = askPages({
    send: (frame) => void sent.push(frame),
    isLive: () => isLive,
    asked: () => undefined,
    read: async () => ROOM,
    startOver: async () => undefined,
    storeHistory: async () => ({ do: "ignore" }),
    changed: () => undefined,
  });
});

describe("pages of changes", () => {
  it("asks for the next page while one is being stored", async () => {
    pages.greeted();
    await pages.came(stored(PAGE), undefined);
    expect(pulls()).toEqual([PAGE]);
    const first = lastQ();
    pages.arrived({ q: first, to: 2 * PAGE, more: true });
    expect(pulls()).toEqual([PAGE, 2 * PAGE]);
    await pages.came(stored(2 * PAGE), first);
    expect(pulls()).toEqual([PAGE, 2 * PAGE]);
    expect(pages.owed()).toBe("changes");
  });

  it("holds no more than a few pages that aren't stored", async () => {
    pages.greeted();
    await pages.came(stored(PAGE), undefined);
    const asked: number[] = [];
    for (let page = 2; page < 20; page += 1) {
      if (asked.includes(lastQ())) break;
      asked.push(lastQ());
      pages.arrived({ q: lastQ(), to: page * PAGE, more: true });
    }
    expect(pulls()).toHaveLength(4);
    for (const [at, q] of asked.entries()) await pages.came(stored((at + 2) * PAGE), q);
    expect(pulls()).toHaveLength(5);
    expect(pulls().at(-1)).toBe(5 * PAGE);
  });

  it("asks for nothing behind the last page, a page it didn't ask for, or a reset", async () => {
    pages.greeted();
    await pages.came(stored(PAGE), undefined);
    const q = lastQ();
    pages.arrived({ q: q + 7, to: 2 * PAGE, more: true });
    pages.arrived({ to: 2 * PAGE, more: true });
    pages.arrived({ q, to: 2 * PAGE, more: true, reset: true });
    pages.arrived({ q, to: HEAD, more: false });
    expect(pulls()).toEqual([PAGE]);
    await pages.came(stored(HEAD, false), q);
    expect(pages.isCaughtUp()).toBe(true);
    expect(pages.owed()).toBeNull();
  });

  it("begins anew on another connection, whatever was under way", async () => {
    pages.greeted();
    await pages.came(stored(PAGE), undefined);
    const old = lastQ();
    pages.arrived({ q: old, to: 2 * PAGE, more: true });
    isLive = false;
    pages.left();
    await pages.came(stored(2 * PAGE), old);
    expect(pulls()).toEqual([PAGE, 2 * PAGE]);
    isLive = true;
    pages.greeted();
    await pages.came(stored(3 * PAGE), undefined);
    expect(pulls().at(-1)).toBe(3 * PAGE);
  });
});
