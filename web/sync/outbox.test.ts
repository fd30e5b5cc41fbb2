import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OPS_IN_FLIGHT_MAX } from "#protocol/limits.ts";
import { OUTBOX_CLOSED, step, type Outbox, type OutboxEffect, type OutboxEvent } from "./outbox.ts";

const TRIES = { n: 0, count: 0 };
const flowing = (queue: number[], sent = queue): Outbox => ({ name: "flowing", queue, sent, tries: TRIES });
const draining = (queue: number[], sent: number[], delayMs = 2_000): Outbox => ({
  name: "draining",
  queue,
  sent,
  delayMs,
  tries: TRIES,
});
const resting = (queue: number[]): Outbox => ({ name: "resting", queue, tries: TRIES });
const renumbering = (queue: number[]): Outbox => ({ name: "renumbering", queue, tries: TRIES });
const NUMBER: OutboxEffect = { do: "number" };
const send = (...ns: number[]): OutboxEffect => ({ do: "send", ns });

type Row = readonly [what: string, from: Outbox, event: OutboxEvent, to: Outbox, effects: readonly OutboxEffect[]];

const ROWS: readonly Row[] = [
  [
    "[OP7] welcomed, it sends all unanswered again, lowest first, though the room knows some of them",
    OUTBOX_CLOSED,
    { type: "welcomed", queue: [5, 6, 7], next: 8, lastN: 6 },
    flowing([5, 6, 7]),
    [send(5, 6, 7), NUMBER],
  ],
  [
    "welcomed with nothing numbered, it asks for numbers",
    OUTBOX_CLOSED,
    { type: "welcomed", queue: [], next: 8, lastN: 7 },
    flowing([]),
    [NUMBER],
  ],
  [
    "[OP4] the room forgot the device: its next number is above what the room expects",
    OUTBOX_CLOSED,
    { type: "welcomed", queue: [], next: 8, lastN: 0 },
    renumbering([]),
    [{ do: "renumber" }],
  ],
  [
    "[OP4] the room was restored to before our first unanswered op",
    OUTBOX_CLOSED,
    { type: "welcomed", queue: [5, 6], next: 7, lastN: 3 },
    renumbering([5, 6]),
    [{ do: "renumber" }],
  ],
  [
    "a new device begins at 1",
    OUTBOX_CLOSED,
    { type: "welcomed", queue: [], next: 1, lastN: 0 },
    flowing([]),
    [NUMBER],
  ],
  ["numbered ops leave at once", flowing([5]), { type: "numbered", ns: [6, 7] }, flowing([5, 6, 7]), [send(6, 7)]],
  [
    "numbered while the link is down, they wait for the welcome",
    OUTBOX_CLOSED,
    { type: "numbered", ns: [1] },
    { name: "closed", queue: [1], tries: TRIES },
    [],
  ],
  ["written, it asks for numbers", flowing([5]), { type: "wrote" }, flowing([5]), [NUMBER]],
  [
    "at most 64 are unanswered at once",
    flowing(Array.from({ length: 64 }, (_, i) => i + 1)),
    { type: "wrote" },
    flowing(Array.from({ length: 64 }, (_, i) => i + 1)),
    [],
  ],
  ["answered, one more may go", flowing([5, 6]), { type: "answered", n: 5 }, flowing([6]), [NUMBER]],
  [
    "[OP5] at the first held refusal it stops and lets what is in flight be answered",
    flowing([5, 6, 7]),
    { type: "held", n: 5, code: "rate_limited", retryMs: 2_000, expected: 5, jitter: 0 },
    draining([5, 6, 7], [6, 7]),
    [],
  ],
  [
    "[OP5] those behind it are out of order and start nothing",
    draining([5, 6, 7], [6, 7]),
    { type: "held", n: 6, code: "out_of_order", retryMs: 9_000, expected: 5, jitter: 0 },
    draining([5, 6, 7], [7]),
    [],
  ],
  [
    "[OP5] when all is answered it rests for what the first refusal said",
    draining([5, 6, 7], [7]),
    { type: "held", n: 7, code: "out_of_order", expected: 5, jitter: 0 },
    resting([5, 6, 7]),
    [{ do: "rest", ms: 2_000 }],
  ],
  [
    "[OP5] rested, it sends again from what the room expects, once",
    resting([5, 6, 7]),
    { type: "rested" },
    flowing([5, 6, 7]),
    [send(5, 6, 7), NUMBER],
  ],
  ["while resting nothing gets a number", resting([5]), { type: "wrote" }, resting([5]), []],
  [
    "[OP4] an `expected` below our first unanswered op means another numbering",
    flowing([5, 6]),
    { type: "held", n: 5, code: "out_of_order", expected: 2, jitter: 0 },
    renumbering([5, 6]),
    [{ do: "renumber" }],
  ],
  ["[OP4] so does a device conflict", flowing([5]), { type: "conflicted" }, renumbering([5]), [{ do: "renumber" }]],
  [
    "[OP6] four times `internal` is tried again, later each time",
    { name: "flowing", queue: [5], sent: [5], tries: { n: 5, count: 3 } },
    { type: "held", n: 5, code: "internal", jitter: 1 },
    { name: "resting", queue: [5], tries: { n: 5, count: 4 } },
    [{ do: "rest", ms: 8_000 }],
  ],
  [
    "[OP6] the fifth `internal` for one number skips it",
    { name: "flowing", queue: [5], sent: [5], tries: { n: 5, count: 4 } },
    { type: "held", n: 5, code: "internal", retryMs: 100, jitter: 0 },
    resting([5]),
    [
      { do: "skip", n: 5 },
      { do: "rest", ms: 100 },
    ],
  ],
  [
    "an answer ends the count of failures",
    { name: "flowing", queue: [5], sent: [5], tries: { n: 5, count: 3 } },
    { type: "answered", n: 5 },
    flowing([]),
    [NUMBER],
  ],
  [
    "[OP7] closed, the queue stays",
    flowing([5, 6]),
    { type: "closed" },
    { name: "closed", queue: [5, 6], tries: TRIES },
    [],
  ],
];

describe("the outbox of a room", () => {
  it.each(ROWS)("%s", (_what, from, event, to, effects) => {
    expect(step(from, event)).toEqual({ outbox: to, effects });
  });
});

/** A room as [OP1] to [OP6] have it, for one device; may hold refusals back and lose connections. */
function playRoom(script: readonly Move[]): { applied: number[]; sentWhileStopped: number; queue: readonly number[] } {
  let outbox: Outbox = OUTBOX_CLOSED;
  let last = 0;
  let next = 1;
  let sentWhileStopped = 0;
  const applied: number[] = [];
  const wire: number[] = [];
  const answers: OutboxEvent[] = [];
  const stored = new Set<number>();
  const waiting = { count: 0 };

  const run = (event: OutboxEvent): void => {
    const { outbox: after, effects } = step(outbox, event);
    outbox = after;
    for (const effect of effects) {
      if (effect.do === "send") {
        if (outbox.name !== "flowing") sentWhileStopped += 1;
        wire.push(...effect.ns);
      }
      if (effect.do === "number") {
        const count = Math.min(OPS_IN_FLIGHT_MAX - stored.size, waiting.count);
        waiting.count -= count;
        const ns = Array.from({ length: count }, (_, i) => next + i);
        next += count;
        for (const n of ns) stored.add(n);
        if (count > 0) run({ type: "numbered", ns });
      }
    }
  };
  const welcome = (): void =>
    run({ type: "welcomed", queue: [...stored].toSorted((a, b) => a - b), next, lastN: last });
  const serve = (holds: boolean): void => {
    const n = wire.shift();
    if (n === undefined) return;
    if (n > last + 1) answers.push({ type: "held", n, code: "out_of_order", expected: last + 1, jitter: 0 });
    else if (n === last + 1 && holds)
      answers.push({ type: "held", n, code: "rate_limited", retryMs: 1, expected: n, jitter: 0 });
    else {
      if (n === last + 1) {
        last = n;
        applied.push(n);
      }
      answers.push({ type: "answered", n });
    }
  };
  const hear = (): void => {
    const answer = answers.shift();
    if (answer === undefined) return;
    if (answer.type === "answered") stored.delete(answer.n);
    run(answer);
  };
  welcome();
  for (const move of script) {
    if (move === "write") {
      waiting.count += 1;
      run({ type: "wrote" });
    }
    if (move === "serve") serve(false);
    if (move === "hold") serve(true);
    if (move === "hear") hear();
    if (move === "rest") run({ type: "rested" });
    if (move === "cut") {
      wire.length = answers.length = 0;
      run({ type: "closed" });
      welcome();
    }
  }
  for (let i = 0; i < 10_000 && (stored.size > 0 || waiting.count > 0); i++) {
    serve(false);
    hear();
    if (outbox.name === "resting") run({ type: "rested" });
  }
  return { applied, sentWhileStopped, queue: outbox.queue };
}

type Move = "write" | "serve" | "hold" | "hear" | "rest" | "cut";
const moves = fc.array(
  fc.constantFrom<Move>("write", "write", "serve", "serve", "hold", "hear", "hear", "rest", "cut"),
  {
    maxLength: 200,
  },
);

describe("whatever the room and the line do", () => {
  it("[OP1] [OP5] [OP7] every op is applied once, in order, and the queue ends empty", () => {
    fc.assert(
      fc.property(moves, (script) => {
        const written = script.filter((move) => move === "write").length;
        const { applied, sentWhileStopped, queue } = playRoom(script);
        expect(applied).toEqual(Array.from({ length: written }, (_, i) => i + 1));
        expect(sentWhileStopped).toBe(0);
        expect(queue).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
