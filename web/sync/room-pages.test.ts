// Which page is asked for when: as soon as one is here, never two at a time, and never further ahead than the disk can bear.
import { beforeEach, describe, expect, it } from "vitest";
import type { ChannelId, UserId, WorkspaceId } from "#protocol/ids.ts";
import { roomNameOf } from "#protocol/room-name.ts";
import type { DownFrame } from "#protocol/down.ts";
import type { Changes } from "#protocol/frames/changes.ts";
import type { History } from "#protocol/frames/history.ts";
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
const ANSWER_MS = 10_000;

let sent: UpFrame[];
let isLive: boolean;
let now: number;
let storing: () => Promise<Verdict>;
let pages: RoomPages;

const pulls = (): number[] =>
  sent.flatMap((frame) => (frame.t === "pull" && frame.since !== undefined ? [frame.since] : []));
const pageOf = (
  fields: Pick<Changes, "to" | "more"> & { readonly q?: number; readonly reset?: boolean },
): DownFrame => ({
  t: "changes",
  from: 0,
  entities: [],
  ...fields,
});
const WELCOME = {
  head: 1,
  epoch: "e",
  lastN: 0,
  floor: 0,
  you: { user: "olga" as UserId, role: "member" as const, can: [] },
  now: 1,
  expiresAt: 2,
  present: [],
};
const lastQ = (): number => (sent.at(-1) as { readonly q: number }).q;
const stored = (cursor: number, more = true): Verdict => {
  const room: RoomRecord = { ...ROOM, cursor, head: HEAD };
  return { do: "store", room, more, drops: false, sweeps: false };
};

beforeEach(() => {
  sent = [];
  isLive = true;
  now = 1_000_000;
  storing = async () => ({ do: "ignore" });
  pages = askPages({
    send: (frame) => void sent.push(frame),
    isLive: () => isLive,
    now: () => now,
    answerMs: () => ANSWER_MS,
    asked: () => undefined,
    read: async () => ROOM,
    startOver: async () => undefined,
    stored: () => undefined,
    storeHistory: () => storing(),
    changed: () => undefined,
  });
});

describe("pages of changes", () => {
  it("asks for the next page while one is being stored", async () => {
    pages.greeted();
    await pages.came(stored(PAGE), undefined);
    expect(pulls()).toEqual([PAGE]);
    const first = lastQ();
    pages.arrived(pageOf({ q: first, to: 2 * PAGE, more: true }), 1_000);
    expect(pulls()).toEqual([PAGE, 2 * PAGE]);
    await pages.came(stored(2 * PAGE), first);
    expect(pulls()).toEqual([PAGE, 2 * PAGE]);
    expect(pages.owedMs()).toBe(ANSWER_MS);
  });

  it("is on a good line again where a page is here before its greeting is stored", async () => {
    for (let miss = 0; miss < 3; miss += 1) pages.ungreeted();
    expect(pages.withinMs()).toBeGreaterThan(ANSWER_MS);
    pages.greeting();
    pages.arrived({ ...WELCOME, t: "welcome" }, 500);
    pages.arrived(pageOf({ to: PAGE, more: false }), 1_000);
    pages.greeted();
    await pages.came(stored(PAGE, false), undefined);
    pages.left();
    expect([pages.withinMs(), pages.bytes()]).toEqual([ANSWER_MS, 16 * 1024]);
  });

  it("holds no more than a few pages that aren't stored", async () => {
    pages.greeted();
    await pages.came(stored(PAGE), undefined);
    const asked: number[] = [];
    for (let page = 2; page < 20; page += 1) {
      if (asked.includes(lastQ())) break;
      asked.push(lastQ());
      pages.arrived(pageOf({ q: lastQ(), to: page * PAGE, more: true }), 1_000);
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
    pages.arrived(pageOf({ q: q + 7, to: 2 * PAGE, more: true }), 1_000);
    pages.arrived(pageOf({ to: 2 * PAGE, more: true }), 1_000);
    pages.arrived(pageOf({ q, to: 2 * PAGE, more: true, reset: true }), 1_000);
    pages.arrived(pageOf({ q, to: HEAD, more: false }), 1_000);
    expect(pulls()).toEqual([PAGE]);
    await pages.came(stored(HEAD, false), q);
    expect(pages.isCaughtUp()).toBe(true);
    expect(pages.owedMs()).toBeNull();
  });

  it("asks on where what was told of meanwhile lies behind the page that was awaited", async () => {
    pages.greeted();
    await pages.came({ do: "pull", to: HEAD - 1 }, undefined);
    await pages.came({ do: "pull", to: HEAD }, undefined);
    expect(pulls()).toEqual([0]);
    await pages.came(stored(HEAD - 1, false), lastQ());
    expect(pulls()).toEqual([0, HEAD - 1]);
    expect(pages.isCaughtUp()).toBe(false);
    await pages.came(stored(HEAD, false), lastQ());
    // Nor is anything asked for that a page has brought, or that another connection told of.
    expect(pulls()).toEqual([0, HEAD - 1]);
    expect(pages.isCaughtUp()).toBe(true);
    await pages.came({ do: "pull", to: HEAD + 1 }, undefined);
    await pages.came({ do: "pull", to: HEAD + 2 }, undefined);
    pages.left();
    pages.greeted();
    await pages.came(stored(HEAD, false), undefined);
    expect(pulls()).toEqual([0, HEAD - 1, 0]);
  });

  it("asks once for what a room told of and then hasn't", async () => {
    pages.greeted();
    await pages.came({ do: "pull", to: HEAD - 1 }, undefined);
    await pages.came({ do: "pull", to: 2 * HEAD }, undefined);
    await pages.came(stored(HEAD, false), lastQ());
    await pages.came(stored(HEAD, false), lastQ());
    expect(pulls()).toEqual([0, HEAD]);
  });

  it("owes nothing that is here, however long the disk takes over it", async () => {
    pages.greeting();
    pages.greeted();
    expect(pages.owedMs()).toBe(ANSWER_MS);
    pages.arrived(pageOf({ to: PAGE, more: true }), 1_000);
    expect(pages.owedMs()).toBeNull();
    await pages.came(stored(PAGE), undefined);
    pages.arrived(pageOf({ q: lastQ(), to: HEAD, more: false }), 1_000);
    expect(pages.owedMs()).toBeNull();
  });

  it("asks for larger pages of a line that brings them quickly, and begins small on the next", async () => {
    const first = pages.bytes();
    pages.greeting();
    pages.greeted();
    now += 40;
    pages.arrived(pageOf({ to: PAGE, more: true }), first);
    await pages.came(stored(PAGE), undefined);
    expect(sent.at(-1)).toMatchObject({ t: "pull", bytes: 4 * first });
    pages.left();
    expect(pages.bytes()).toBe(first);
  });

  it("waits longer for the first page after one that didn't come, on a line that had greeted", () => {
    pages.greeting();
    pages.greeted();
    const first = pages.bytes();
    now += ANSWER_MS;
    pages.left();
    pages.greeted();
    expect(pages.owedMs()).toBe(2 * ANSWER_MS);
    expect(pages.bytes()).toBeLessThan(first);
    pages.arrived(pageOf({ to: PAGE, more: true }), 1_000);
    pages.left();
    pages.greeted();
    expect(pages.owedMs()).toBe(ANSWER_MS);
  });

  it("begins anew on another connection, whatever was under way", async () => {
    pages.greeted();
    await pages.came(stored(PAGE), undefined);
    const old = lastQ();
    pages.arrived(pageOf({ q: old, to: 2 * PAGE, more: true }), 1_000);
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

it("tells who asked for history that it can't be had where it can't be stored, whatever becomes of the rest", async () => {
  storing = () => Promise.reject(new Error("another tab leads"));
  const asked = pages.history({ before: PAGE });
  const page: History = { t: "history", q: lastQ(), messages: [], more: false, rev: 1 };
  await expect(pages.historyCame(page)).rejects.toThrow("another tab leads");
  expect(await asked).toBe(false);
});
