// A room's outbox machine at work: numbers given in transactions, ops sent, rests kept.
import { failure, type Failure } from "#protocol/errors.ts";
import type { Refuse } from "#protocol/frames/answer.ts";
import type { DeviceId } from "#protocol/ids.ts";
import type { UpFrame } from "#protocol/up.ts";
import { unskipped, type Answers, type NumberedOp } from "./answers.ts";
import { frameBytes, opFrame } from "./op-frame.ts";
import { AGAIN, heldBy, OUTBOX_CLOSED, step, type Outbox, type OutboxEffect, type OutboxEvent } from "./outbox.ts";
import type { Ports } from "./ports.ts";

export interface OutboxDeps {
  readonly ports: Pick<Ports, "now" | "random" | "timers">;
  readonly answers: Answers;
  readonly inTurn: (work: () => Promise<void> | void) => void;
  readonly send: (frame: UpFrame) => void;
  /** How far the room's clock is ahead of this device's. */
  readonly aheadMs: () => number;
  /** Ops left: the room owes answers. */
  readonly sent: () => void;
  /** The numbers are new, and so must the connection be. */
  readonly renumbered: () => void;
  readonly changed: () => void;
}

export interface RoomOutbox {
  readonly get: () => Outbox;
  /** The frame that is to be answered next on this connection, in bytes; null where none is. */
  readonly dueBytes: () => number | null;
  readonly device: () => Promise<DeviceId>;
  /** Only in turn. */
  readonly welcomed: (lastN: number) => Promise<void>;
  readonly answered: (n: number) => void;
  /** It is sent once more, as itself, when those on their way are answered. */
  readonly again: (n: number) => void;
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
        return number();
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
    if (op !== undefined) deps.send(opFrame(op, deps.aheadMs()));
  };

  /** One at a time, for all that is answered until its turn comes: each is a flush of the disk. */
  const number = (): void => {
    if (isNumbering) return;
    isNumbering = true;
    deps.inTurn(async () => {
      isNumbering = false;
      if (isClosed) return;
      const fresh = await answers.number(ports.now());
      for (const op of fresh) ops.set(op.n, op);
      if (fresh.length > 0) dispatch({ type: "numbered", ns: fresh.map(({ n }) => n) });
    });
  };

  return {
    get: () => outbox,
    dueBytes: () => {
      const op = "sent" in outbox ? ops.get(outbox.sent[0] ?? 0) : undefined;
      return op === undefined ? null : frameBytes(op, deps.aheadMs());
    },
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
    again: (n) => {
      const op = ops.get(n);
      if (op === undefined) return;
      ops.set(n, unskipped(op));
      dispatch({ type: "held", n, ...AGAIN });
    },
    held: (frame) => {
      const { code, detail } = frame;
      if (code === "internal") lastFailure = { code, detail };
      dispatch(heldBy(frame, ports.random()));
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
