import { expect, test, vi } from "vitest";
import type { ChannelId } from "#protocol/ids.ts";
import { followHeads, type Bump } from "./room-heads.ts";

const BYTES = 4_096;
const page = (counter: number, more: boolean) => ({ list: {}, counter, more });
const bump = (counter: number): Bump => {
  return { t: "signal", kind: "bump", channel: "c" as ChannelId, seq: 1, top: 1, rev: 1, at: 1, counter };
};

function following() {
  const send = vi.fn();
  const bumped = vi.fn(async (_channel: ChannelId, _head: unknown, _counter: number) => undefined);
  const changed = vi.fn();
  const heads = followHeads({ send, bytes: () => BYTES, replica: { bumped }, changed });
  const stored = async (counter: number): Promise<number | undefined> => {
    await heads.bumped(bump(counter));
    return bumped.mock.lastCall?.[2];
  };
  return { heads, send, bumped, changed, stored, asked: () => heads.asking({ t: "pull", since: 7 }) };
}

test("what asks for changes asks for the heads since the last that are known; in a channel's room there are none", async () => {
  const { heads, asked, stored } = following();
  expect(asked()).toEqual({ t: "pull", since: 7 });
  heads.came(page(4, false));
  expect(asked()).toEqual({ t: "pull", since: 7, heads: 4 });
  expect(await stored(5)).toBe(5);
  expect(asked()).toEqual({ t: "pull", since: 7, heads: 5 });
  expect(heads.asking({ t: "history", before: 3 })).toEqual({ t: "history", before: 3 });
});

test("a bump stands for no page that is still to come", async () => {
  const { heads, stored, send } = following();
  heads.came(page(500, true));
  expect(await stored(900)).toBe(500);
  heads.came(page(1_000, true));
  heads.came(page(1_100, false));
  expect(await stored(1_101)).toBe(1_101);
  expect(send.mock.calls).toEqual([
    [{ t: "pull", heads: 500, bytes: BYTES }],
    [{ t: "pull", heads: 1_000, bytes: BYTES }],
  ]);
});

test("what comes with a page of changes asks for the next where nothing else does", () => {
  const { heads, send } = following();
  heads.came(page(500, true));
  heads.came(page(500, true), 1);
  expect(send).toHaveBeenCalledOnce();
  heads.came(page(700, false));
  heads.came(page(1_200, true), 2);
  expect(send).toHaveBeenLastCalledWith({ t: "pull", heads: 1_200, bytes: BYTES });
});

test("one that can't be stored is asked for again, whatever came behind it", async () => {
  const { heads, bumped, stored, asked } = following();
  heads.came(page(4, false));
  bumped.mockRejectedValueOnce(new DOMException("Full", "QuotaExceededError"));
  await expect(stored(5)).rejects.toThrow("Full");
  expect(await stored(6)).toBe(4);
  expect(asked()).toMatchObject({ heads: 4 });
});

test("it is behind until the last page is here, and says when that changes; a bump changes nothing of it", async () => {
  const { heads, changed, stored } = following();
  const seen: boolean[] = [];
  changed.mockImplementation(() => seen.push(heads.isBehind()));
  heads.came(page(500, true));
  heads.came(page(1_000, true));
  await stored(1_001);
  heads.came(page(1_100, false));
  await stored(1_101);
  expect(seen).toEqual([true, false]);
});
