import { expect, test } from "vitest";
import type { Ack } from "#protocol/frames/answer.ts";
import type { Verdict } from "./catch-up.ts";
import { gatherAcks } from "./gather-acks.ts";

const ack = (n: number): Ack => ({ t: "ack", n, rev: n, entities: [] });

/** Turns as a slow disk has them: one is begun when it is told to. */
function slowDisk(verdictOf: (ack: Ack) => Verdict | null = () => null) {
  const turns: (() => Promise<void>)[] = [];
  const stored: (readonly number[] | string)[] = [];
  const news: boolean[] = [];
  const told: string[] = [];
  const acks = gatherAcks({
    takeFrame: (store, isNews) => {
      turns.push(store);
      news.push(isNews);
    },
    store: async (together) => {
      stored.push(together.map(({ n }) => n));
      return together.map(verdictOf);
    },
    outbox: {
      answered: (n) => void told.push(`${n} answered`),
      again: (n) => void told.push(`${n} again`),
    },
    behind: async (verdict) => void told.push(verdict.do),
  });
  return {
    acks,
    stored,
    news,
    told,
    other: (what: string) => acks.other(async () => void stored.push(what), true),
    turn: async () => turns.shift()?.(),
    isDone: () => turns.length === 0,
  };
}

test("answers that wait for the same turn are stored together, and what comes between two stays between them", async () => {
  const { acks, stored, news, other, turn, isDone } = slowDisk();
  acks.came(ack(1));
  await turn();
  // The turn of the first is over: these wait for the next.
  for (const n of [2, 3]) acks.came(ack(n));
  other("changes");
  for (const n of [4, 5, 6]) acks.came(ack(n));
  while (!isDone()) await turn();
  expect(stored).toEqual([[1], [2, 3], "changes", [4, 5, 6]]);
  expect(news).toEqual([false, false, true, false]);
});

test("of a whole queue's answers each comes once, in order, and no transaction takes more than sixteen", async () => {
  const { acks, stored, turn, isDone } = slowDisk();
  const all = Array.from({ length: 64 }, (_, at) => at + 1);
  for (const n of all) acks.came(ack(n));
  while (!isDone()) await turn();
  expect(stored.flat()).toEqual(all);
  expect(Math.max(...stored.map((together) => together.length))).toBe(16);
});

test("each of them is told to the outbox once all are stored, and what is missing before one is asked for", async () => {
  const { acks, told, turn } = slowDisk(({ n }) => (n === 2 ? { do: "pull", to: 9 } : { do: "ignore" }));
  acks.came(ack(1));
  acks.came({ ...ack(2), done: true });
  acks.came(ack(3));
  await turn();
  expect(told).toEqual(["1 answered", "2 again", "3 answered", "pull"]);
});
