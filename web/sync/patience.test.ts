// How long an answer is waited for while others talk.
import { expect, it } from "vitest";
import type { UserId } from "#protocol/ids.ts";
import { patienceWith } from "./patience.ts";
import { countTraffic } from "./traffic.ts";

const ANSWER_MS = 9_000;

/** An op has just left. */
function waiting() {
  const clock = { now: 0 };
  const traffic = countTraffic();
  const patience = patienceWith({
    now: () => clock.now,
    answerMs: () => ANSWER_MS,
    pageMs: () => null,
    dueBytes: () => 100,
    tookMs: traffic.tookMs,
    isBehind: () => false,
  });
  patience.asked();
  return { clock, traffic, patience };
}

/** When it is too late, where what others say comes in frames of so many characters every so many ms. */
function deadAt(chars: number, everyMs: number): number {
  const { clock, traffic, patience } = waiting();
  let dueAt = patience.opMs();
  while (clock.now + everyMs < dueAt) {
    clock.now += everyMs;
    traffic.came(chars);
    dueAt = clock.now + (patience.owedMs() ?? Infinity);
  }
  return dueAt;
}

it("is hardly longer because somebody says something now and then: that is soon here", () => {
  expect(deadAt(400, 3_000)).toBe(ANSWER_MS + 300);
  expect(deadAt(400, 1_000)).toBe(ANSWER_MS + 900);
});

it("is three times as long where what they say fills a line of 50 kbit/s, and the answer is behind it", () => {
  expect(deadAt(625, 100)).toBe(3 * ANSWER_MS);
});

it("is longer by what the line bore where that is less: a burst", () => {
  expect(deadAt(12_000, 8_000)).toBe(ANSWER_MS + 3_000);
});

it.each([12_000, 20_000])("is as long again where the page stood still for %d ms, but never over three times", (ms) => {
  const { clock, patience } = waiting();
  clock.now = ms;
  expect(patience.owedMs()).toBe(Math.min(ANSWER_MS, 3 * ANSWER_MS - ms));
});

it("begins anew with each answer", () => {
  const { clock, patience } = waiting();
  clock.now = 8_000;
  patience.came({ t: "authed", expiresAt: 60_000, you: { user: "me" as UserId, role: "member", can: [] } });
  expect(patience.owedMs()).toBe(ANSWER_MS);
  clock.now = 10_000;
  expect(patience.owedMs()).toBe(ANSWER_MS - 2_000);
});
