// A room's outbox machine at work: numbers given in transactions, ops sent, rests kept.
import { failure, type Failure } from "#protocol/errors.ts";
import type { Refuse } from "#protocol/frames/answer.ts";
import type { DeviceId } from "#protocol/ids.ts";
import type { UpFrame } from "#protocol/up.ts";
import type { Answers, NumberedOp } from "./answers.ts";
import { OUTBOX_CLOSED, step, type Outbox, type OutboxEffect, type OutboxEvent } from "./outbox.ts";
import type { Ports } from "./ports.ts";

export interface OutboxDeps {
  readonly ports: Pick<Ports, "now" | "random" | "timers">;
  readonly answers: Answers;
  readonly inTurn: (work: () => Promise<void> | void) => void;
  readonly send: (frame: UpFrame) => void;
  /** Ops left: the room owes answers. */
  readonly sent: () => void;
  /** The numbers are new, and so must the connection be. */
  readonly renumbered: () => void;
  readonly changed: () => void;
}

export interface RoomOutbox {
  readonly get: () => Outbox;
  /** Answers that are due on this connection. */
  readonly owedCount: () => number;
  readonly device: () => Promise<DeviceId>;
  /** Only in turn. */
  readonly welcomed: (lastN: number) => Promise<void>;
  readonly answered: (n: number) => void;
  readonly held: (frame: Refuse) => void;
  readonly tell: (type: "wrote" | "conflicted" | "closed") => void;
  readonly close: () => void;
}

export function runOutbox(deps: OutboxDeps): RoomOutbox {
  const { ports, answers } = deps;
  let outbox: Outbox = OUTBOX_CLOSED;
  let device = "" as DeviceId;
  let isNumbering = false;
  let isClosed = false;
  let rest: unknown = null;
  let lastFailure: Failure = failure("internal");
  /** The numbered ops not yet answered. */
  const ops = new Map<number, NumberedOp>();

  const dispatch = (event: OutboxEvent): void => {
    if (isClosed) return;
    const was = outbox.name;
    const { outbox: next, effects } = step(outbox, event);
    outbox = next;
    for (const effect of effects) run(effect);
    if (was !== next.name) deps.changed();
  };

  const run = (effect: OutboxEffect): void => {
    switch (effect.do) {
      case "send":
        for (const n of effect.ns) sendOp(ops.get(n));
        return deps.sent();
      case "number":
        return number(effect.limit);
      case "rest":
        ports.timers.clear(rest);
        rest = ports.timers.set(() => deps.inTurn(() => dispatch({ type: "rested" })), effect.ms);
        return;
      case "skip":
        return deps.inTurn(async () => {
          const op = await answers.skip(effect.n, lastFailure);
          if (op !== null) ops.set(op.n, op);
        });
      case "renumber":
        return deps.inTurn(async () => {
          await answers.renumber(device);
          deps.renumbered();
        });
    }
  };

  const sendOp = (op: NumberedOp | undefined): void => {
    if (op === undefined) return;
    const { n, id, at, args } = op;
    deps.send(op.skip === undefined ? { t: "op", n, id, op: op.op, args, at } : { t: "skip", n, id });
  };

  /** One at a time: what becomes ready meanwhile is found by the answers that follow. */
  const number = (limit: number): void => {
    if (isNumbering) return;
    isNumbering = true;
    deps.inTurn(async () => {
      isNumbering = false;
      if (isClosed) return;
      const fresh = await answers.number(limit, ports.now());
      for (const op of fresh) ops.set(op.n, op);
      if (fresh.length > 0) dispatch({ type: "numbered", ns: fresh.map(({ n }) => n) });
    });
  };

  return {
    get: () => outbox,
    owedCount: () => ("sent" in outbox ? outbox.sent.length : 0),
    device: async () => {
      ({ device } = await answers.device());
      return device;
    },
    welcomed: async (lastN) => {
      const queue = await answers.queue();
      const { next } = await answers.device();
      ops.clear();
      for (const op of queue) ops.set(op.n, op);
      dispatch({ type: "welcomed", queue: queue.map(({ n }) => n), next, lastN });
    },
    answered: (n) => {
      ops.delete(n);
      dispatch({ type: "answered", n });
    },
    held: ({ n, code, detail, retryAfter, expected }) => {
      if (code === "internal") lastFailure = { code, detail };
      const wait = retryAfter === undefined ? {} : { retryMs: retryAfter * 1000 };
      const due = expected === undefined ? {} : { expected };
      dispatch({ type: "held", n, code, ...wait, ...due, jitter: ports.random() });
    },
    tell: (type) => {
      if (type === "closed") ports.timers.clear(rest);
      dispatch({ type });
    },
    close: () => {
      isClosed = true;
      ports.timers.clear(rest);
    },
  };
}
