// What leaves one room's outbox next. Sees numbers only; ops and answers are stored by answers.ts. Pure.
//
//   closed ──welcomed──▶ flowing ──held──▶ draining ──all answered──▶ resting ──timer──▶ flowing
//              └──(the room knows us by other numbers)──▶ renumbering ──closed──▶ closed
//
// `queue` is every numbered, unanswered op, lowest first; `sent` those of them that left on this connection and wait.
// While flowing all of the queue has been sent, and at most `OPS_IN_FLIGHT_MAX` are in it.
import { INTERNAL_TRIES, OPS_IN_FLIGHT_MAX } from "#protocol/limits.ts";
import type { ErrorCode } from "#protocol/errors.ts";
import type { Refuse } from "#protocol/frames/answer.ts";
import { backoffMs } from "./backoff.ts";

export type Outbox = { readonly queue: readonly number[]; readonly tries: Tries } & (
  | { readonly name: "closed" }
  | { readonly name: "flowing"; readonly sent: readonly number[] }
  /** Stopped by a held refusal; what is in flight is still answered. */
  | { readonly name: "draining"; readonly sent: readonly number[]; readonly delayMs: number }
  | { readonly name: "resting" }
  | { readonly name: "renumbering" }
);

/** How often the room has failed on an op in a row ([OP6]). */
export interface Tries {
  readonly n: number;
  readonly count: number;
}

/** Held for no reason of the room's: the same is sent once more at once. */
export const AGAIN = { code: "out_of_order", retryMs: 0, jitter: 0 } as const;

export type OutboxEvent =
  /** `next`: the number the next op would get. */
  | { readonly type: "welcomed"; readonly queue: readonly number[]; readonly next: number; readonly lastN: number }
  /** Ops may have become ready for numbers. */
  | { readonly type: "wrote" }
  /** More ops got their numbers; stored. */
  | { readonly type: "numbered"; readonly ns: readonly number[] }
  /** An answer for good; stored. */
  | { readonly type: "answered"; readonly n: number }
  | {
      readonly type: "held";
      readonly n: number;
      readonly code: ErrorCode;
      readonly retryMs?: number;
      readonly expected?: number;
      readonly jitter: number;
    }
  | { readonly type: "conflicted" }
  | { readonly type: "rested" }
  | { readonly type: "closed" };

export type OutboxEffect =
  | { readonly do: "send"; readonly ns: readonly number[] }
  /** Give numbers to what is ready, as far as there is room for it on the way. */
  | { readonly do: "number" }
  | { readonly do: "rest"; readonly ms: number }
  /** Use the number up without the op, which stays in the Outbox. */
  | { readonly do: "skip"; readonly n: number }
  /** A new device id, numbers off, and a new connection ([OP4]). */
  | { readonly do: "renumber" };

export interface OutboxStep {
  readonly outbox: Outbox;
  readonly effects: readonly OutboxEffect[];
}

/** @param jitter from 0 to 1, for all that try again at once */
export function heldBy({ n, code, retryAfter, expected }: Refuse, jitter: number): OutboxEvent {
  const wait = retryAfter === undefined ? {} : { retryMs: retryAfter * 1000 };
  return { type: "held", n, code, ...wait, ...(expected !== undefined && { expected }), jitter };
}

/** Numbers cost a flush of the disk, so a long queue's are given to so many at once, while others are on their way. */
const NUMBERED_TOGETHER = 16;

const NO_TRIES: Tries = { n: 0, count: 0 };

export const OUTBOX_CLOSED: Outbox = { name: "closed", queue: [], tries: NO_TRIES };

export function step(outbox: Outbox, event: OutboxEvent): OutboxStep {
  switch (event.type) {
    case "welcomed":
      return welcomed(outbox, event);
    case "wrote":
      return outbox.name === "flowing" ? { outbox, effects: more(outbox.queue) } : stay(outbox);
    case "numbered": {
      const queue = [...outbox.queue, ...event.ns];
      if (outbox.name !== "flowing") return stay({ ...outbox, queue });
      const next: Outbox = { ...outbox, queue, sent: [...outbox.sent, ...event.ns] };
      return { outbox: next, effects: event.ns.length === 0 ? [] : [{ do: "send", ns: event.ns }] };
    }
    case "answered":
      return answered(outbox, event.n);
    case "held":
      return held(outbox, event);
    case "conflicted":
      return renumber(outbox);
    case "rested":
      return outbox.name === "resting" ? flow(outbox) : stay(outbox);
    case "closed":
      return stay({ name: "closed", queue: outbox.queue, tries: outbox.tries });
  }
}

function welcomed(outbox: Outbox, event: OutboxEvent & { type: "welcomed" }): OutboxStep {
  const queue = event.queue;
  const lowest = queue[0] ?? event.next;
  const known: Outbox = { name: "closed", queue, tries: outbox.tries };
  // The device was forgotten, or the room was restored to before our last answer.
  return event.lastN + 1 < lowest ? renumber(known) : flow(known);
}

function flow(outbox: Outbox): OutboxStep {
  const { queue, tries } = outbox;
  const send: OutboxEffect[] = queue.length === 0 ? [] : [{ do: "send", ns: queue }];
  return { outbox: { name: "flowing", queue, tries, sent: queue }, effects: [...send, ...more(queue)] };
}

function more(queue: readonly number[]): OutboxEffect[] {
  return queue.length <= OPS_IN_FLIGHT_MAX - NUMBERED_TOGETHER ? [{ do: "number" }] : [];
}

function answered(before: Outbox, n: number): OutboxStep {
  const outbox: Outbox = {
    ...before,
    queue: before.queue.filter((other) => other !== n),
    tries: before.tries.n === n ? NO_TRIES : before.tries,
  };
  switch (outbox.name) {
    case "flowing":
      return { outbox: { ...outbox, sent: without(outbox.sent, n) }, effects: more(outbox.queue) };
    case "draining":
      return drained({ ...outbox, sent: without(outbox.sent, n) });
    case "closed":
    case "resting":
    case "renumbering":
      return stay(outbox);
  }
}

function held(outbox: Outbox, event: OutboxEvent & { type: "held" }): OutboxStep {
  if (outbox.name !== "flowing" && outbox.name !== "draining") return stay(outbox);
  const lowest = outbox.queue[0];
  if (event.expected !== undefined && lowest !== undefined && event.expected < lowest) return renumber(outbox);
  const sent = without(outbox.sent, event.n);
  const count = event.code !== "internal" ? 0 : outbox.tries.n === event.n ? outbox.tries.count + 1 : 1;
  const tries: Tries = count === 0 ? outbox.tries : { n: event.n, count };
  // Those behind the first held one are out of order by its doing: they start nothing ([OP5]).
  const delayMs =
    outbox.name === "draining" ? outbox.delayMs : (event.retryMs ?? backoffMs(Math.max(0, count - 1), event.jitter));
  const isSpent = count >= INTERNAL_TRIES;
  const { outbox: next, effects } = drained({
    name: "draining",
    queue: outbox.queue,
    tries: isSpent ? NO_TRIES : tries,
    sent,
    delayMs,
  });
  return { outbox: next, effects: isSpent ? [{ do: "skip", n: event.n }, ...effects] : effects };
}

function drained(outbox: Outbox & { readonly name: "draining" }): OutboxStep {
  if (outbox.sent.length > 0) return stay(outbox);
  const { queue, tries, delayMs } = outbox;
  return { outbox: { name: "resting", queue, tries }, effects: [{ do: "rest", ms: delayMs }] };
}

function renumber({ queue, tries }: Outbox): OutboxStep {
  return { outbox: { name: "renumbering", queue, tries }, effects: [{ do: "renumber" }] };
}

function without(ns: readonly number[], n: number): readonly number[] {
  return ns.filter((other) => other !== n);
}

function stay(outbox: Outbox): OutboxStep {
  return { outbox, effects: [] };
}
