// A room's link machine at work: socket, token, heartbeat. Knows frames as text only.
import { PING, PONG } from "#protocol/frame.ts";
import type { RoomName } from "#protocol/room-name.ts";
import type { Failure } from "#protocol/errors.ts";
import { isDoubtful, LINK_OFF, step } from "./link.ts";
import type { Link, LinkEffect, LinkEvent, LinkState, Standing } from "./link-state.ts";
import type { Ports } from "./ports.ts";
import { renewalMs, type Tokens } from "./tokens.ts";
import type { Timing } from "./timing.ts";
import type { Traffic } from "./traffic.ts";
import type { Transport } from "./transport.ts";

export interface LinkDeps {
  readonly ports: Pick<Ports, "now" | "random" | "timers">;
  readonly name: RoomName;
  readonly tokens: Tokens;
  readonly timing: () => Timing;
  readonly openTransport: () => Transport;
  /** Whether a token is worth renewing now ([AU9]). */
  readonly isInUse: () => boolean;
  /** One thing after the other, stored before the next. */
  readonly inTurn: (work: () => Promise<void> | void) => void;
  readonly hello: () => Promise<void>;
  readonly received: (text: string) => void;
  /** Within which a greeting is answered. */
  readonly greetingMs: () => number;
  /** It wasn't. */
  readonly ungreeted: () => void;
  /** Within which an answer is due; null where nothing is owed. */
  readonly owedMs: () => number | null;
  /** Anything at all of the room is here. */
  readonly heard: () => void;
  readonly traffic: Traffic;
  readonly renew: (token: string) => void;
  /** Before the link hears of it. */
  readonly closing: (code: number) => void;
  /** No longer live. @param isOverdue something owed had not come in its time */
  readonly left: (isOverdue: boolean) => void;
  readonly refused: (why: Failure) => void;
  /** Null where the room isn't worth asking once more. */
  readonly standing: () => Standing | null;
  readonly askWorkspace: () => void;
  readonly changed: () => void;
}

export interface RoomLink {
  readonly get: () => Link;
  readonly is: (name: LinkState["name"]) => boolean;
  /** When the room was last heard while the link stood, epoch ms. */
  readonly heardAt: () => number | null;
  readonly token: () => string;
  readonly send: (text: string) => boolean;
  readonly heard: (is?: "answer") => void;
  readonly asked: (owedMs: number) => void;
  readonly welcomed: (owedMs: number) => void;
  /** What the room said before it closed. */
  readonly failed: (why: Failure) => void;
  /** Closes and comes back after a while. */
  readonly restart: (code?: number) => void;
  /** The same, where this device has no room for what came. @param attempt how often in a row */
  readonly unstored: (attempt: number) => void;
  /** Another token for the one at hand, in use or not. */
  readonly renew: () => void;
  readonly tell: (type: "wanted" | "unwanted" | "nudged" | "signed-in") => void;
  /** What a timer would have done by now is done: that of a page nobody looks at may be a minute late. */
  readonly tick: () => void;
  readonly close: () => void;
}

/** A connection that broke. */
const ABNORMAL = 1006;

export function runLink(deps: LinkDeps): RoomLink {
  const { ports, traffic } = deps;
  const { timers } = ports;
  let link: Link = LINK_OFF;
  let transport: Transport | null = null;
  let token = "";
  /** How often a token was asked for, and a socket opened or given up. */
  let asks = 0;
  let sockets = 0;
  let heardAt: number | null = null;
  /** What came on the line by when a ping left or something was heard. */
  let tookMs = 0;
  let said: Failure | null = null;
  let isClosed = false;
  let timer: unknown = null;
  let renewal: unknown = null;

  const dispatch = (event: LinkEvent): void => {
    if (isClosed) return;
    const was = link.state;
    const { link: next, effects } = step(link, event, deps.timing());
    link = next;
    if (next.state.name === "live") heardAt = next.state.heardAt;
    if (was.name === "live" && next.state.name !== "live") deps.left(was.dueAt !== null && event.at >= was.dueAt);
    if (was.name === "greeting" && event.type === "timed-out") deps.ungreeted();
    for (const effect of effects) run(effect);
    if (next.state.name === "refused" && was.name !== "refused") {
      deps.refused({ code: next.state.code, detail: next.state.detail });
    }
    // One that was silent for so long that it was in doubt answers: that is news too.
    const isBack =
      was.name === "live" && next.state.name === "live" && isDoubtful(was, next.state.heardAt, deps.timing());
    if (was.name !== next.state.name || isBack) deps.changed();
  };

  const run = (effect: LinkEffect): void => {
    switch (effect.do) {
      case "get-token":
        void authorize(effect.isFresh);
        return;
      case "open-socket":
        said = null;
        sockets += 1;
        transport ??= connect();
        return transport.open();
      case "say-hello":
        return deps.inTurn(deps.hello);
      case "ping":
        tookMs = traffic.tookMs();
        transport?.send(PING);
        return;
      case "ask-workspace":
        return deps.askWorkspace();
      case "close-socket":
        sockets += 1;
        return transport?.close();
      case "set-timer":
        timers.clear(timer);
        timer = timers.set(timedOut, effect.ms);
        return;
      case "stop-timer":
        return timers.clear(timer);
    }
  };

  const timedOut = (): void => dispatch({ type: "timed-out", at: ports.now(), jitter: ports.random() });

  const connect = (): Transport => {
    const opening = deps.openTransport();
    opening.listen({
      opened: () => dispatch({ type: "opened", owedMs: deps.greetingMs(), at: ports.now() }),
      received: (text) => {
        traffic.came(text);
        if (text === PONG) heard("pong");
        else deps.received(text);
      },
      // Behind the frames that came before it: the last of them may say why.
      closed: (code) => {
        const of = sockets;
        // Unless it was given up meanwhile.
        deps.inTurn(() => (of === sockets ? closed(code) : undefined));
      },
    });
    return opening;
  };

  const closed = (code: number): void => {
    deps.closing(code);
    const error = said === null ? {} : { error: said.code, detail: said.detail };
    dispatch({ type: "closed", code, ...error, standing: deps.standing(), at: ports.now(), jitter: ports.random() });
  };

  const authorize = async (isFresh: boolean): Promise<void> => {
    const reason = token === "" ? "connect" : "reconnect";
    const ask = ++asks;
    const decision = await deps.tokens.get(deps.name, isFresh, reason);
    // It was asked anew since: this answer is of the time before.
    if (ask !== asks) return;
    const at = ports.now();
    const standing = deps.standing();
    if (decision.do !== "use")
      return dispatch({ type: "unauthorized", decision, standing, at, jitter: ports.random() });
    token = decision.token.jwt;
    renewAt(decision.token.lifeMs);
    dispatch({ type: "authorized", at });
  };

  const renewAt = (lifeMs: number): void => {
    timers.clear(renewal);
    renewal = timers.set(() => deps.isInUse() && void renew(), renewalMs(lifeMs, ports.random()));
  };

  /** Where it isn't worth it, or fails, the token lapses and the link opens again with another. */
  const renew = async (): Promise<void> => {
    if (isClosed || link.state.name !== "live") return;
    const decision = await deps.tokens.get(deps.name, true, "refresh");
    if (isClosed || decision.do !== "use" || link.state.name !== "live") return;
    token = decision.token.jwt;
    deps.renew(token);
    renewAt(decision.token.lifeMs);
  };

  const heard = (is?: "pong" | "answer"): void => {
    deps.heard();
    const behindMs = traffic.tookMs() - tookMs;
    tookMs += behindMs;
    dispatch({ type: "heard", owedMs: deps.owedMs(), ...(is && { is }), behindMs, at: ports.now() });
  };

  return {
    get: () => link,
    is: (name) => link.state.name === name,
    heardAt: () => heardAt,
    token: () => token,
    send: (text) => transport?.send(text) === true,
    heard,
    asked: (owedMs) => dispatch({ type: "asked", owedMs, at: ports.now() }),
    welcomed: (owedMs) => dispatch({ type: "welcomed", owedMs, at: ports.now() }),
    failed: (why) => {
      said = why;
    },
    restart: (code = ABNORMAL) => {
      transport?.close();
      dispatch({ type: "closed", code, at: ports.now(), jitter: ports.random() });
    },
    unstored: (attempt) => dispatch({ type: "unstored", attempt, at: ports.now(), jitter: ports.random() }),
    renew: () => void renew(),
    tell: (type) => dispatch({ type, at: ports.now() }),
    tick: () => {
      const { state } = link;
      // On a line that stands it looks at the clock by itself.
      if (state.name === "live" || (state.name === "waiting" && ports.now() >= state.until)) timedOut();
    },
    close: () => {
      dispatch({ type: "unwanted", at: ports.now() });
      isClosed = true;
      timers.clear(timer);
      timers.clear(renewal);
    },
  };
}
