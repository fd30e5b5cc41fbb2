// The queue as a whole: whatever one does without a network, in whatever order, what is sent in the end has the same
// effect as doing it one by one, looks the same before, and holds nothing that is without effect.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { waits } from "../store/needs.ts";
import type { OutboxRecord } from "../store/schema.ts";
import { act, Device, type Dice } from "../test/queue/device.ts";
import { orders, seen } from "../test/queue/rooms.ts";

/** More by the environment, for a long night: MERGE_RUNS=8000. */
const RUNS = Number(process.env["MERGE_RUNS"] ?? 300);

function play(rolls: readonly number[], deeds: number): void {
  let at = 0;
  const dice: Dice = () => rolls[at++ % rolls.length] ?? 0;
  const device = new Device();
  for (let i = 0; i < deeds; i++) {
    act(device, dice);
    if (dice() % 12 === 0) device.number(1 + (dice() % 3));
  }
  const before = seen(device.shown());
  expect(before, "shown before it is sent").toEqual(seen(device.oneByOne));
  while (device.outbox.length > 0) {
    const waiting = waits(device.outbox);
    const heads = new Map<string, OutboxRecord>();
    for (const op of device.outbox) if (!waiting.has(op.id) && !heads.has(op.room)) heads.set(op.room, op);
    // The rooms answer in whatever order.
    const next = [...heads.values()][dice() % heads.size];
    if (next === undefined) throw new Error(`nothing can go: ${JSON.stringify(device.outbox)}`);
    const wasNumbered = next.n !== undefined;
    const outcome = device.confirmed.run(next.room, next);
    if (!wasNumbered) expect(outcome, JSON.stringify(next)).toBe("done");
    expect(outcome, JSON.stringify(next)).not.toBe("refused");
    device.outbox = device.outbox.filter((op) => op !== next);
  }
  expect(seen(device.confirmed), "delivered").toEqual(before);
  expect(orders(device.confirmed)).toEqual(orders(device.oneByOne));
}

describe("the queue", () => {
  it("[OP10] [OP9] [OP12] looks, before it is sent, as after; has the effect of each thing done by itself; sends nothing in vain", () => {
    const roll = fc.array(fc.nat(5_000), { minLength: 20, maxLength: 400 });
    fc.assert(fc.property(roll, fc.integer({ min: 1, max: 40 }), play), {
      numRuns: RUNS,
    });
  });
});
