// How long an answer is waited for while others talk.
import { expect, it } from "vitest";
import type { UserId } from "#protocol/ids.ts";
import { patienceWith } from "./patience.ts";
import { countTraffic } from "./traffic.ts";

const ANSWER_MS = 9_000;

/** An op has just left. */
function waiting() {
  const clock = { now: 0 };
  const state = { isBehind: false };
  const traffic = countTraffic();
  const patience = patienceWith({
    now: () => clock.now,
    answerMs: () => ANSWER_MS,
    pageMs: () => null,
    dueBytes: () => 100,
    tookMs: traffic.tookMs,
    isBehind: () => state.isBehind,
  });
  patience.asked();
  return { clock, state, traffic, patience };
}

/** When it is too late, where what others say comes in frames of so many bytes every so many ms. */
function deadAt(bytes: number, everyMs: number): number {
  const { clock, traffic, patience } = waiting();
  let dueAt = patience.opMs();
  while (clock.now + everyMs < dueAt) {
    clock.now += everyMs;
    traffic.came("x".repeat(bytes));
    dueAt = clock.now + (patience.owedMs() ?? Infinity);
  }
  return dueAt;
}

it("is hardly longer because somebody says something now and then: that is soon here", () => {
  expect(deadAt(400, 3_000)).toBe(ANSWER_MS + 3 * 80);
  expect(deadAt(400, 1_000)).toBe(ANSWER_MS + 9 * 80);
});

it("is three times as long where what they say fills a line of 50 kbit/s, and the answer is behind it", () => {
  expect(deadAt(625, 100)).toBe(3 * ANSWER_MS);
});

it("is longer by what the line bore where that is less: a burst", () => {
  expect(deadAt(12_000, 8_000)).toBe(ANSWER_MS + 2_400);
});

it.each([12_000, 28_000, 60_000])(
  "is as long again where the page stood still for %d ms, and no longer than that",
  (ms) => {
    const { clock, patience } = waiting();
    clock.now = ms;
    expect(patience.owedMs()).toBe(ANSWER_MS);
    for (const later of [1_000, 8_000]) {
      clock.now = ms + later;
      expect(patience.owedMs()).toBe(ANSWER_MS - later);
    }
  },
);

it("is over where its time comes while what is here is being stored, and that brings no answer", () => {
  const { clock, state, patience } = waiting();
  for (clock.now = 500; clock.now < ANSWER_MS; clock.now += 1_000) patience.owedMs();
  state.isBehind = true;
  expect(patience.owedMs()).toBeNull();
  clock.now += 150;
  state.isBehind = false;
  expect(patience.owedMs()).toBe(0);
});

it("counts what came on the line in any room, by its bytes", () => {
  const { clock, traffic, patience } = waiting();
  clock.now = 1_000;
  traffic.came("船".repeat(1_000));
  expect(patience.owedMs()).toBe(ANSWER_MS - 1_000 + 600);
});

it("begins anew with each answer", () => {
  const { clock, patience } = waiting();
  clock.now = 8_000;
  patience.came({ t: "authed", expiresAt: 60_000, you: { user: "me" as UserId, role: "member", can: [] } });
  expect(patience.owedMs()).toBe(ANSWER_MS);
  clock.now = 10_000;
  expect(patience.owedMs()).toBe(ANSWER_MS - 2_000);
});
