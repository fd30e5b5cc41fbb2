// One room's outbox over HTTP, for where there is no tab to hold a socket: the same machine and the same transactions as
// a link has, so that both may run at once and nothing is doubled or reordered ([OP8]).
import type * as v from "valibot";
import type { Failure } from "#protocol/errors.ts";
import { failure } from "#protocol/errors.ts";
import { history } from "#protocol/frames/history.ts";
import { opsResponse, type OpsResponse } from "#protocol/http.ts";
import type { UserId } from "#protocol/ids.ts";
import { HISTORY_PAGE_MAX, OPS_IN_FLIGHT_MAX, PAST_ANY_PLACE } from "#protocol/limits.ts";
import type { Result } from "#protocol/result.ts";
import { parseRoomName, roomPathOf, type RoomName, type RoomRef } from "#protocol/room-name.ts";
import type { Store } from "../store/store.ts";
import { answersOf, unskipped, type NumberedOp } from "./answers.ts";
import type { AuthDecision } from "./auth.ts";
import { request, type Call } from "./http.ts";
import { AGAIN, heldBy, OUTBOX_CLOSED, step, type Outbox, type OutboxEffect, type OutboxEvent } from "./outbox.ts";
import { opFrame } from "./op-frame.ts";
import type { Ports } from "./ports.ts";
import { replicaStore } from "./replica-store.ts";
import type { Tokens } from "./tokens.ts";

/** What became of a room's queue. `later`: try again by itself; `left`: only a person or a tab can go on. */
export type Flushed = "done" | "later" | "left";

export interface FlushDeps {
  readonly store: Store;
  readonly ports: Pick<Ports, "fetch" | "origin" | "timers" | "now" | "random" | "newId" | "locks">;
  /** Who leads: each transaction checks it. */
  readonly leader: string;
  readonly me: UserId;
  readonly tokens: Tokens;
  /** Where rooms are: `https://…`, no path. */
  readonly roomsAt: () => string;
  /** Calls everything off: a tab has come, or the time is up. */
  readonly signal: AbortSignal;
  /** Whether the person still wants anything sent. */
  readonly maySend: () => Promise<boolean>;
  /** Resolves after that long, at once where it is all called off. */
  readonly pause: (ms: number) => Promise<void>;
}

/** So much of a batch that a very slow line has it through before the call is given up. */
const BATCH_BYTES = 32 * 1024;
const BATCH_TIMEOUT_MS = 60_000;
/** A room that wants longer is better tried again by the browser, later. */
const REST_MAX_MS = 15_000;
/** The room is restored or forgets devices once, not again and again. */
const RENUMBERINGS_MAX = 3;
/**
 * A room of version 2 doesn't name its history over HTTP, so what was read is of none: the next greeting finds it to be
 * another and starts anew, which costs a page and can't be wrong.
 */
const NO_EPOCH = "";

export async function flushRoom(deps: FlushDeps, name: RoomName): Promise<Flushed> {
  const { ports, store, leader, me } = deps;
  const ref = parseRoomName(name) as RoomRef;
  const replica = replicaStore(store, leader, name, me);
  const answers = answersOf(store, leader, name, me, ports.newId);
  /** The numbered ops not yet answered. */
  const ops = new Map<number, NumberedOp>();
  let outbox: Outbox = OUTBOX_CLOSED;
  let todo: OutboxEffect[] = [];
  let lastFailure: Failure = failure("internal");
  let renumberings = 0;

  const call = async <Schema extends v.GenericSchema>(
    method: Call["method"],
    action: string,
    schema: Schema,
    body?: (aheadMs: number) => object,
  ): Promise<Result<v.InferOutput<Schema>, Failure> | null> => {
    for (const isFresh of [false, true]) {
      const decision = await deps.tokens.get(name, isFresh, isFresh ? "reconnect" : "connect");
      if (decision.do !== "use") return withoutToken(decision) === "later" ? offline() : null;
      const answer = await request(
        ports,
        {
          method,
          url: `${deps.roomsAt()}${roomPathOf(ref)}/${action}`,
          bearer: decision.token.jwt,
          // The bearer says who; a room knows no cookies.
          credentials: "omit",
          timeoutMs: BATCH_TIMEOUT_MS,
          signal: deps.signal,
          // The token was issued a moment ago, so this is never more than it is.
          ...(body && { body: body(decision.token.issuedAt - ports.now()) }),
        },
        schema,
      );
      // The token may have been taken back, or be for the first of several rooms only: one of its own decides.
      const isToken = !answer.ok && TOKEN_FAULTS.has(answer.error.code);
      if (!isToken || isFresh) return answer;
    }
    return null;
  };

  const dispatch = (event: OutboxEvent): void => {
    const { outbox: next, effects } = step(outbox, event);
    outbox = next;
    todo.push(...effects);
  };

  /** As after a room's greeting; what the room knows of us its first answer says. */
  const begin = async (): Promise<void> => {
    todo = [];
    dispatch({ type: "closed" });
    const queue = await answers.queue();
    const { next } = await answers.device();
    ops.clear();
    for (const op of queue) ops.set(op.n, op);
    const lastN = (queue[0]?.n ?? next) - 1;
    dispatch({ type: "welcomed", queue: queue.map(({ n }) => n), next, lastN });
  };

  /** Null when it was sent and answered for good or for now. */
  const send = async (ns: readonly number[]): Promise<Flushed | null> => {
    for (const batch of batches(ns.flatMap((n) => ops.get(n) ?? []))) {
      if (!(await deps.maySend())) return "left";
      // What was given up meanwhile went with that.
      const queue = new Set((await answers.queue()).map(({ id }) => id));
      if (batch.some(({ id }) => !queue.has(id))) return "later";
      const { device } = await answers.device();
      const body = (aheadMs: number): object => ({ device, ops: batch.map((op) => opFrame(op, aheadMs)) });
      const answer = await call("POST", "ops", opsResponse, body);
      if (deps.signal.aborted) return "later";
      if (answer === null || !answer.ok) return answer === null ? "left" : afterFailure(answer.error);
      // Of another history than what is held, answers would be stored beside messages that are gone, or not at all. Not
      // stored, they are had again ([OP3]).
      const unplaced = await makePlace(answer.value.epoch);
      if (unplaced !== null) return unplaced;
      const stopped = await take(answer.value.results);
      if (!stopped) continue;
      // The room stopped here; what is behind it is out of order by its doing, as it would be on a socket ([OP5]).
      for (const n of ns) if (ops.has(n)) dispatch({ type: "held", n, code: "out_of_order", jitter: ports.random() });
      return null;
    }
    return null;
  };

  /** Answers whether the room stopped at the last of them. */
  const take = async (results: OpsResponse["results"]): Promise<boolean> => {
    for (const result of results) {
      const { n } = result;
      if (result.t === "ack") {
        await answers.acked([result]);
        const op = ops.get(n);
        if (result.done === true && op !== undefined) {
          ops.set(n, unskipped(op));
          dispatch({ type: "held", n, ...AGAIN });
          continue;
        }
      } else if (result.code === "device_conflict") {
        dispatch({ type: "conflicted" });
        return true;
      } else if (result.held) {
        const { code, detail } = result;
        if (code === "internal") lastFailure = { code, detail };
        dispatch(heldBy(result, ports.random()));
        return true;
      } else await answers.refused(result);
      ops.delete(n);
      dispatch({ type: "answered", n });
    }
    return false;
  };

  const run = async (effect: OutboxEffect): Promise<Flushed | null> => {
    switch (effect.do) {
      case "send":
        return send(effect.ns);
      case "number": {
        // One time for all that was answered meanwhile.
        if (todo.some((other) => other.do === "number")) return null;
        // Nobody is here to replace what would still have waited for that.
        const fresh = await answers.number(Number.POSITIVE_INFINITY);
        for (const op of fresh) ops.set(op.n, op);
        if (fresh.length > 0) dispatch({ type: "numbered", ns: fresh.map(({ n }) => n) });
        return null;
      }
      case "rest":
        if (effect.ms > REST_MAX_MS) return "later";
        await deps.pause(effect.ms);
        dispatch({ type: "rested" });
        return null;
      case "skip": {
        const op = await answers.skip(effect.n, lastFailure);
        if (op !== null) ops.set(op.n, op);
        return null;
      }
      case "renumber":
        if (++renumberings > RENUMBERINGS_MAX) return "left";
        await answers.renumber((await answers.device()).device);
        await begin();
        return null;
    }
  };

  /**
   * A channel of which nothing is held shows what was posted there only if a place for it is known ([SY6]); nor does one
   * whose room was restored since ([SV4]).
   * @param epoch the room's, where it said so
   */
  const makePlace = async (epoch?: string): Promise<Flushed | null> => {
    const room = await replica.read();
    const isKnown = room.ranges.length > 0 && (epoch === undefined || epoch === room.epoch);
    if (ref.party !== "channel" || isKnown) return null;
    const page = await call("GET", `history?before=${PAST_ANY_PLACE}&limit=${HISTORY_PAGE_MAX}`, history);
    if (page === null || !page.ok) return page === null ? "left" : afterFailure(page.error);
    await replica.began({ epoch: NO_EPOCH, ...page.value }, room.epoch);
    return null;
  };

  const stopped = await makePlace();
  if (stopped !== null) return stopped;
  await begin();
  for (let effect = todo.shift(); effect !== undefined; effect = todo.shift()) {
    if (deps.signal.aborted) return "later";
    const ended = await run(effect);
    if (ended !== null) return ended;
  }
  return "done";
}

/** What becomes of a room's queue for which no token was had. */
export function withoutToken(decision: AuthDecision): Flushed {
  return decision.do === "retry" || decision.do === "wait" ? "later" : "left";
}

const TOKEN_FAULTS: ReadonlySet<string> = new Set(["unauthenticated", "token_expired", "forbidden"]);

function afterFailure({ code }: Failure): Flushed {
  const isTransient = code === "offline" || code === "upstream_unavailable" || code === "internal";
  return isTransient || code === "rate_limited" ? "later" : "left";
}

function offline(): Result<never, Failure> {
  return { ok: false, error: failure("offline") };
}

/** In order, each at most so large, but for a single op that is, and of at most so many as a room takes at once. */
function batches(ops: readonly NumberedOp[]): readonly (readonly NumberedOp[])[] {
  const all: NumberedOp[][] = [];
  let size = 0;
  for (const op of ops) {
    const bytes = JSON.stringify(op.args).length * 3;
    const last = all.at(-1);
    if (last === undefined || last.length === OPS_IN_FLIGHT_MAX || size + bytes > BATCH_BYTES) {
      all.push([op]);
      size = bytes;
    } else {
      last.push(op);
      size += bytes;
    }
  }
  return all;
}
