// One room's link, outbox and replica at work: turns the orders of the pure machines into sockets, timers and
// transactions. Frames are taken one after the other, each stored before the next is looked at. Decides nothing.
import { failure, type Failure } from "#protocol/errors.ts";
import { PING, PONG, readDownFrame, writeFrame } from "#protocol/frame.ts";
import type { DownFrame } from "#protocol/down.ts";
import type { Refuse } from "#protocol/frames/answer.ts";
import type { Signal, SignalSent } from "#protocol/frames/signal.ts";
import type { Present, Welcome } from "#protocol/frames/welcome.ts";
import type { DeviceId, UserId } from "#protocol/ids.ts";
import { HEARTBEAT_ANSWER_MS } from "#protocol/limits.ts";
import type { RoomName } from "#protocol/room-name.ts";
import type { UpFrame } from "#protocol/up.ts";
import { PROTOCOL_VERSION } from "#protocol/version.ts";
import type { RoomRecord } from "../store/schema.ts";
import { NotLeader, type Store } from "../store/store.ts";
import { answersOf, type NumberedOp } from "./answers.ts";
import type { AuthDecision } from "./auth.ts";
import type { Verdict } from "./catch-up.ts";
import { LINK_OFF, step as linkStep, type Link, type LinkEffect, type LinkEvent } from "./link.ts";
import { OUTBOX_CLOSED, step as outboxStep, type Outbox, type OutboxEffect, type OutboxEvent } from "./outbox.ts";
import type { Ports } from "./ports.ts";
import { replicaStore } from "./replica-store.ts";
import { renewalMs, type Tokens } from "./tokens.ts";
import type { Transport } from "./transport.ts";

export interface RoomDeps {
  readonly store: Store;
  readonly ports: Pick<Ports, "now" | "random" | "newId" | "timers" | "report">;
  /** This tab's id while it leads. */
  readonly leader: string;
  readonly me: UserId;
  readonly tokens: Tokens;
  readonly openTransport: () => Transport;
  /** Whether a token is worth renewing now ([AU9]). */
  readonly isInUse: () => boolean;
  readonly changed: () => void;
  readonly present: (list: readonly Present[]) => void;
  readonly signalled: (signal: Signal) => void;
  /** Another tab leads. */
  readonly deposed: () => void;
  /** What could not be done with a frame; the link starts anew. */
  readonly storageFailed: (error: unknown) => void;
}

export type Place = { readonly before: number } | { readonly around: number };

export interface RoomRunner {
  readonly name: RoomName;
  readonly link: () => Link;
  readonly outbox: () => Outbox;
  /** All up to the room's head is here. */
  readonly isCaughtUp: () => boolean;
  readonly want: () => void;
  readonly unwant: () => void;
  readonly nudge: () => void;
  readonly signedIn: () => void;
  /** Ops may be ready for numbers. */
  readonly wrote: () => void;
  readonly history: (place: Place) => Promise<boolean>;
  readonly signal: (frame: SignalSent) => void;
  /** Ends it, when all under way is stored. */
  readonly close: () => Promise<void>;
}

/** A page may be 256 KiB on a very slow line, and nothing is heard while it comes. */
const PAGE_ANSWER_MS = 60_000;
/** A room busy enough to outdate a page again and again is asked so often. */
const HISTORY_TRIES = 3;

export function runRoom(deps: RoomDeps, name: RoomName): RoomRunner {
  const { ports, store, leader, me } = deps;
  const { timers } = ports;
  const replica = replicaStore(store, leader, name, me);
  const answers = answersOf(store, leader, name, me, ports.newId);
  let link: Link = LINK_OFF;
  let outbox: Outbox = OUTBOX_CLOSED;
  let transport: Transport | null = null;
  let token = "";
  let device = "" as DeviceId;
  let epoch = "";
  let startsOver = false;
  let isCaughtUp = false;
  let isClosed = false;
  let lastQ = 0;
  /** Pages asked for and not yet here. */
  let pagesOwed = 0;
  let isPulling = false;
  let isNumbering = false;
  let lastError: { readonly code: Failure["code"]; readonly detail: string } | null = null;
  let turn: Promise<void> = Promise.resolve();
  const ops = new Map<number, NumberedOp>();
  const asked = new Map<number, { readonly place: Place; readonly tries: number; readonly done: (isStored: boolean) => void }>();
  const running = { link: null as unknown, rest: null as unknown, renewal: null as unknown };

  // — one thing after the other —

  const inTurn = (work: () => Promise<void>): void => {
    turn = turn.then(work).catch(failed);
  };

  const failed = (error: unknown): void => {
    if (isClosed) return;
    if (error instanceof NotLeader) return deps.deposed();
    deps.storageFailed(error);
    transport?.close();
    dispatchLink({ type: "closed", code: 1006, at: ports.now(), jitter: ports.random() });
  };

  // — link —

  const dispatchLink = (event: LinkEvent): void => {
    if (isClosed) return;
    const was = link.state;
    const { link: next, effects } = linkStep(link, event);
    link = next;
    if (was.name === "live" && next.state.name !== "live") disconnected();
    for (const effect of effects) runLink(effect);
    if (next.state.name === "refused" && was.name !== "refused") refusedRoom(next.state);
    if (was.name !== next.state.name) deps.changed();
  };

  const runLink = (effect: LinkEffect): void => {
    switch (effect.do) {
      case "get-token":
        void authorize(effect.isFresh);
        return;
      case "open-socket":
        lastError = null;
        transport ??= connect();
        return transport.open();
      case "say-hello":
        return inTurn(hello);
      case "ping":
        transport?.send(PING);
        return;
      case "close-socket":
        return transport?.close();
      case "set-timer":
        timers.clear(running.link);
        running.link = timers.set(() => dispatchLink({ type: "timed-out", at: ports.now(), jitter: ports.random() }), effect.ms);
        return;
      case "stop-timer":
        return timers.clear(running.link);
    }
  };

  const connect = (): Transport => {
    const opening = deps.openTransport();
    opening.listen({
      opened: () => dispatchLink({ type: "opened", at: ports.now() }),
      received: (text) => {
        if (text === PONG) return heard();
        const frame = readDownFrame(text);
        // A frame that this build doesn't know is a newer room's; one that doesn't fit is not applied either.
        if (frame.ok) inTurn(() => take(frame.value));
        else heard();
      },
      closed: (code) => inTurn(async () => {
        const error = lastError === null ? {} : { error: lastError.code, detail: lastError.detail };
        if (code === 4409) dispatchOutbox({ type: "conflicted" });
        dispatchLink({ type: "closed", code, ...error, at: ports.now(), jitter: ports.random() });
      }),
    });
    return opening;
  };

  const authorize = async (isFresh: boolean): Promise<void> => {
    const decision: AuthDecision = await deps.tokens.get(name, isFresh, "connect");
    const at = ports.now();
    if (decision.do !== "use") return dispatchLink({ type: "unauthorized", decision, at, jitter: ports.random() });
    token = decision.token.jwt;
    scheduleRenewal(decision.token.lifeMs);
    dispatchLink({ type: "authorized", at });
  };

  const scheduleRenewal = (lifeMs: number): void => {
    timers.clear(running.renewal);
    running.renewal = timers.set(() => void renew(lifeMs), renewalMs(lifeMs, ports.random()));
  };

  /** Where it isn't worth it, or fails, the token lapses and the link opens with another. */
  const renew = async (lifeMs: number): Promise<void> => {
    if (link.state.name !== "live") return;
    if (!deps.isInUse()) return;
    const decision = await deps.tokens.get(name, true, "refresh");
    if (decision.do !== "use" || link.state.name !== "live") return;
    token = decision.token.jwt;
    send({ t: "auth", token });
    scheduleRenewal(lifeMs);
  };

  const disconnected = (): void => {
    isCaughtUp = isPulling = false;
    pagesOwed = 0;
    timers.clear(running.rest);
    dispatchOutbox({ type: "closed" });
    for (const { done } of asked.values()) done(false);
    asked.clear();
    deps.present([]);
  };

  const refusedRoom = ({ code, detail }: { readonly code: Failure["code"]; readonly detail: string }): void => {
    if (code === "upgrade_required") return;
    inTurn(() => answers.closed({ code, detail }, code === "forbidden" || code === "not_found"));
  };

  const heard = (): void => dispatchLink({ type: "heard", owedMs: owedMs(), at: ports.now() });
  const owedMs = (): number | null => {
    if (pagesOwed > 0 || asked.size > 0) return PAGE_ANSWER_MS;
    return "sent" in outbox && outbox.sent.length > 0 ? HEARTBEAT_ANSWER_MS : null;
  };
  const send = (frame: UpFrame): boolean => transport?.send(writeFrame(frame)) === true;

  const hello = async (): Promise<void> => {
    const room = await replica.read();
    ({ device } = await answers.device());
    const isKnown = room.cursor !== null && !startsOver;
    startsOver = false;
    pagesOwed = 1;
    send({
      t: "hello",
      v: PROTOCOL_VERSION,
      token,
      device,
      since: isKnown ? room.cursor : null,
      ...(isKnown && room.epoch !== null ? { epoch: room.epoch } : {}),
      newest: 100,
      heads: room.heads,
    });
  };

  // — frames —

  const take = async (frame: DownFrame): Promise<void> => {
    if (isClosed) return;
    switch (frame.t) {
      case "welcome":
        return welcomed(frame);
      case "snapshot":
        return page(await replica.snapshot(frame));
      case "changes":
        if (frame.q !== undefined && frame.q === lastQ) isPulling = false;
        return page(await replica.changed(frame, epoch));
      case "history":
        return historyCame(frame);
      case "heads":
        await replica.heads(frame);
        if (frame.more) send({ t: "pull", heads: frame.counter });
        return heard();
      case "ack": {
        const verdict = await answers.acked(frame);
        ops.delete(frame.n);
        dispatchOutbox({ type: "answered", n: frame.n });
        heard();
        if (verdict?.do === "pull") pull((await replica.read()).cursor ?? 0);
        return;
      }
      case "refuse":
        return refused(frame);
      case "signal":
        if (frame.kind === "bump") await replica.bumped(frame.channel, frame, frame.counter);
        else deps.signalled(frame);
        return heard();
      case "you":
        await replica.you({ user: frame.user, role: frame.role, can: frame.can });
        return heard();
      case "authed":
        await replica.you(frame.you);
        return heard();
      case "error":
        lastError = frame;
        return;
    }
  };

  const welcomed = async (frame: Welcome): Promise<void> => {
    epoch = frame.epoch;
    await replica.welcomed(frame);
    const queue = await answers.queue();
    const { next } = await answers.device();
    ops.clear();
    for (const op of queue) ops.set(op.n, op);
    dispatchLink({ type: "welcomed", owedMs: PAGE_ANSWER_MS, at: ports.now() });
    deps.present(frame.present);
    if (frame.heads?.more === true) send({ t: "pull", heads: frame.heads.counter });
    dispatchOutbox({ type: "welcomed", queue: queue.map(({ n }) => n), next, lastN: frame.lastN });
  };

  const page = async (verdict: Verdict): Promise<void> => {
    pagesOwed = Math.max(0, pagesOwed - 1);
    switch (verdict.do) {
      case "store":
        follow(verdict.room, verdict.more);
        break;
      case "pull":
        pull((await replica.read()).cursor ?? 0);
        break;
      case "start-over":
        // The room greets again on the open socket.
        startsOver = true;
        await hello();
        break;
      case "ignore":
      case "ask-again":
        follow(await replica.read(), false);
        break;
    }
    heard();
  };

  /** What is still due after a page: the rest of it, then what older messages have missed. */
  const follow = (room: RoomRecord, more: boolean): void => {
    const isNow = !more && (room.cursor ?? 0) >= room.head;
    if (isNow !== isCaughtUp) {
      isCaughtUp = isNow;
      deps.changed();
    }
    if (more) pull(room.cursor ?? 0);
    else if (room.second !== null) pull(room.second.cursor);
  };

  const pull = (since: number): void => {
    if (isPulling) return;
    isPulling = true;
    pagesOwed += 1;
    send({ t: "pull", since, q: ++lastQ });
  };

  const historyCame = async (frame: DownFrame & { t: "history" }): Promise<void> => {
    const ask = asked.get(frame.q ?? 0);
    asked.delete(frame.q ?? 0);
    if (ask === undefined) return heard();
    const verdict = await replica.history(frame, ask.place);
    heard();
    if (verdict.do === "ask-again" && ask.tries < HISTORY_TRIES) askHistory(ask.place, ask.tries + 1, ask.done);
    else ask.done(verdict.do === "store");
  };

  const askHistory = (place: Place, tries: number, done: (isStored: boolean) => void): void => {
    if (link.state.name !== "live") return done(false);
    asked.set(++lastQ, { place, tries, done });
    send({ t: "history", q: lastQ, ...place });
    dispatchLink({ type: "asked", owedMs: PAGE_ANSWER_MS, at: ports.now() });
  };

  const refused = async (frame: Refuse): Promise<void> => {
    const { n, code, held, retryAfter, expected } = frame;
    if (code === "device_conflict") {
      dispatchOutbox({ type: "conflicted" });
    } else if (held) {
      const wait = retryAfter === undefined ? {} : { retryMs: retryAfter * 1000 };
      if (code === "internal") lastError = frame;
      dispatchOutbox({ type: "held", n, code, ...wait, ...(expected === undefined ? {} : { expected }), jitter: ports.random() });
    } else {
      await answers.refused(frame);
      ops.delete(n);
      dispatchOutbox({ type: "answered", n });
    }
    heard();
  };

  // — outbox —

  const dispatchOutbox = (event: OutboxEvent): void => {
    if (isClosed) return;
    const was = outbox.name;
    const { outbox: next, effects } = outboxStep(outbox, event);
    outbox = next;
    for (const effect of effects) runOutbox(effect);
    if (was !== next.name) deps.changed();
  };

  const runOutbox = (effect: OutboxEffect): void => {
    switch (effect.do) {
      case "send":
        for (const n of effect.ns) sendOp(ops.get(n));
        return dispatchLink({ type: "asked", owedMs: HEARTBEAT_ANSWER_MS, at: ports.now() });
      case "number":
        return number(effect.limit);
      case "rest":
        timers.clear(running.rest);
        running.rest = timers.set(() => inTurn(async () => dispatchOutbox({ type: "rested" })), effect.ms);
        return;
      case "skip":
        return inTurn(async () => {
          const op = await answers.skip(effect.n, lastError ?? failure("internal"));
          if (op !== null) ops.set(op.n, op);
        });
      case "renumber":
        return inTurn(async () => {
          await answers.renumber(device);
          transport?.close();
          dispatchLink({ type: "closed", code: 4409, at: ports.now(), jitter: ports.random() });
        });
    }
  };

  const sendOp = (op: NumberedOp | undefined): void => {
    if (op === undefined) return;
    const { n, id, at, args } = op;
    send(op.skip === undefined ? { t: "op", n, id, op: op.op, args, at } : { t: "skip", n, id });
  };

  const number = (limit: number): void => {
    if (isNumbering) return;
    isNumbering = true;
    inTurn(async () => {
      isNumbering = false;
      const fresh = await answers.number(limit, ports.now());
      for (const op of fresh) ops.set(op.n, op);
      if (fresh.length > 0) dispatchOutbox({ type: "numbered", ns: fresh.map(({ n }) => n) });
    });
  };

  return {
    name,
    link: () => link,
    outbox: () => outbox,
    isCaughtUp: () => isCaughtUp && link.state.name === "live",
    want: () => dispatchLink({ type: "wanted", at: ports.now() }),
    unwant: () => dispatchLink({ type: "unwanted", at: ports.now() }),
    nudge: () => dispatchLink({ type: "nudged", at: ports.now() }),
    signedIn: () => dispatchLink({ type: "signed-in", at: ports.now() }),
    wrote: () => dispatchOutbox({ type: "wrote" }),
    history: (place) => new Promise((done) => askHistory(place, 1, done)),
    signal: (frame) => {
      if (link.state.name === "live") send(frame);
    },
    close: async () => {
      dispatchLink({ type: "unwanted", at: ports.now() });
      isClosed = true;
      for (const timer of Object.values(running)) timers.clear(timer);
      await turn;
    },
  };
}
