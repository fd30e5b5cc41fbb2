// Link to one room. No clock, socket or randomness here: see room-runner.ts.
//
//   off ──▶ authorizing ──▶ opening ──▶ greeting ──▶ live
//              ▲   │           │            │         │
//              │   └───────────┴─────┬──────┴─────────┘ closed, or silent too long
//              └────────────────── waiting        (or for good: refused; or until signed in: signed-out)
//
// Never opens with a token that a room just called bad; never gives up except where the table says so; a wait for the
// network ends at once on a nudge (online, focus, click), a wait that the server asked for doesn't. Whatever makes it try,
// it opens once a second at most. The clock may be set back at any time: whoever then can't tell how long it was asks.
import { HELLO_WITHIN_MS } from "#protocol/limits.ts";
import { closed, unauthorized } from "./link-denials.ts";
import type { Link, LinkEvent, LinkState } from "./link-state.ts";
import { attemptOf, authorize, isWithin, stay, to, wait, type LinkStep, type Simple } from "./link-steps.ts";
import { type Wait, waitOn } from "./patience.ts";
import { TIMING, type Timing } from "./timing.ts";

export const LINK_OFF: Link = {
  state: { name: "off" },
  expelledAt: null,
  denials: 0,
  openedAt: null,
  turnedAway: null,
};

/** With an answer heard this lately, what is sent next needs no ping beside it. */
const HEARD_LATELY_MS = 1_000;
/** A line that nobody asked for so long is asked once, and not waited for as one that was just heard. */
const DOUBTED_ANSWER_MS = 3_000;

type Heartbeat = Pick<Timing, "heartbeatEveryMs" | "heartbeatAnswerMs">;

/** Silent for longer than a heartbeat allows: the device slept, or its timers did. */
export function isDoubtful(live: { readonly heardAt: number }, at: number, timing: Heartbeat): boolean {
  return at - live.heardAt > timing.heartbeatEveryMs + timing.heartbeatAnswerMs;
}

export function isWaitingForNetwork({ state }: Link): boolean {
  return state.name === "waiting" && state.why === "network";
}

export function step(link: Link, event: LinkEvent, timing: Timing = TIMING): LinkStep {
  const { state } = link;
  switch (event.type) {
    case "wanted":
      return state.name === "off" ? authorize(link, 0, false, event.at) : stay(link);
    case "unwanted":
      return to(link, { name: "off" }, ["stop-timer", "close-socket"]);
    case "authorized":
      if (state.name !== "authorizing") return stay(link);
      // partysocket gives an opening up by itself; this is for a socket that says nothing at all.
      return to(
        { ...link, openedAt: event.at },
        { name: "opening", attempt: state.attempt },
        ["open-socket"],
        HELLO_WITHIN_MS * 2,
      );
    case "unauthorized":
      return state.name === "authorizing" ? unauthorized(link, state.attempt, event, timing) : stay(link);
    case "opened": {
      if (state.name !== "opening") return stay(link);
      const owedMs = Math.max(HELLO_WITHIN_MS, event.owedMs ?? 0);
      const greeting: LinkState = { name: "greeting", attempt: state.attempt, dueAt: event.at + owedMs };
      return to({ ...link, openedAt: event.at }, greeting, ["say-hello"], owedMs);
    }
    case "welcomed": {
      if (state.name !== "greeting" && state.name !== "live") return stay(link);
      const next: LinkState = { name: "live", heardAt: event.at, dueAt: event.at + event.owedMs, pings: [] };
      return to({ ...link, denials: 0, turnedAway: null }, next, [], event.owedMs);
    }
    case "heard":
      return state.name === "live" ? heard(link, state, event, timing) : stay(link);
    case "asked":
      return state.name === "live" ? probe(link, state, event.at, event.owedMs, timing) : stay(link);
    case "closed":
      return state.name === "off" ? stay(link) : closed(link, attemptOf(state), event, timing);
    case "unstored":
      return unstored(link, event, timing);
    case "nudged":
      return nudged(link, event.at, timing);
    case "signed-in":
      if (state.name === "authorizing") return stay({ ...link, state: { ...state, isOutdated: true } });
      return state.name === "signed-out" || state.name === "waiting" ? authorize(link, 0, true, event.at) : stay(link);
    case "timed-out":
      return timedOut(link, event, timing);
  }
}

type Live = LinkState & { readonly name: "live" };
type Heard = LinkEvent & { readonly type: "heard" };

function heard(link: Link, state: Live, { at, owedMs: owed, is, behindMs }: Heard, timing: Timing): LinkStep {
  const { heardAt: seenAt } = state;
  const { heartbeatAnswerMs: answerMs } = timing;
  // What left the room before a ping came there doesn't say that the line still stood then; what answers something says
  // that it bore that, behind which the ping may have had to wait.
  const pings = state.pings
    .slice(is === "pong" ? 1 : 0)
    .map((ping) => (is === "answer" ? pingAt(at, timing) : waitOn(ping, { at, seenAt, behindMs, answerMs })));
  const owedMs = owed ?? (pings[0] === undefined ? null : Math.max(0, pings[0].dueAt - at));
  const dueAt = owedMs === null ? null : at + owedMs;
  const next: LinkState = { name: "live", heardAt: at, dueAt, pings };
  // The timer that runs is of what was due before, and asks then whether anything is.
  const isSooner = owedMs !== null && dueAt !== null && dueAt < (state.dueAt ?? Infinity);
  return isSooner ? to(link, next, [], owedMs) : stay({ ...link, state: next });
}

function pingAt(at: number, { heartbeatAnswerMs }: Heartbeat): Wait {
  return { leftAt: at, dueAt: at + heartbeatAnswerMs };
}

function timedOut(
  link: Link,
  { at, jitter }: { readonly at: number; readonly jitter: number },
  timing: Timing,
): LinkStep {
  const { state } = link;
  switch (state.name) {
    case "waiting":
      return authorize(link, state.attempt, state.needsFresh === true, at);
    case "opening":
    case "greeting":
      return wait(link, state.attempt, at, jitter, true, timing);
    case "live": {
      // Not the first failure but the second: nothing answered for a long while, and the pill may say offline.
      if (state.dueAt !== null && at >= state.dueAt) return wait(link, 1, at, jitter, true, timing);
      const isTurnedBack = at < state.heardAt;
      if (state.dueAt !== null && !isTurnedBack) return to(link, state, [], state.dueAt - at);
      const silentMs = at - state.heardAt;
      if (silentMs < timing.heartbeatEveryMs && !isTurnedBack)
        return to(link, state, [], timing.heartbeatEveryMs - silentMs);
      return pinged(link, { ...state, heardAt: Math.min(at, state.heardAt) }, at, timing);
    }
    case "signed-out":
      return authorize(link, 0, true, at);
    case "off":
    case "authorizing":
    case "refused":
      return stay(link);
  }
}

/** The line is good, and whoever looks is told so; where it broke as well, what came is asked for by the next try. */
function unstored(
  link: Link,
  { at, attempt, jitter }: { readonly at: number; readonly attempt: number; readonly jitter: number },
  timing: Timing,
): LinkStep {
  const { state } = link;
  if (state.name !== "greeting" && state.name !== "live") return stay(link);
  return wait(link, Math.max(attemptOf(state), attempt), at, jitter, true, timing, "space");
}

function pinged(link: Link, state: Live, at: number, timing: Timing): LinkStep {
  const { heartbeatAnswerMs } = timing;
  const owedMs = isDoubtful(state, at, timing) ? Math.min(DOUBTED_ANSWER_MS, heartbeatAnswerMs) : heartbeatAnswerMs;
  return to(link, { ...state, dueAt: at + owedMs, pings: [...state.pings, pingAt(at, timing)] }, ["ping"], owedMs);
}

function probe(link: Link, state: Live, at: number, owedMs: number, timing: Timing): LinkStep {
  if (state.dueAt !== null) return stay(link);
  const effects: Simple[] = isWithin(at - state.heardAt, HEARD_LATELY_MS + 1) ? [] : ["ping"];
  return to(
    link,
    { ...state, dueAt: at + owedMs, pings: [...state.pings, ...effects.map(() => pingAt(at, timing))] },
    effects,
    owedMs,
  );
}

function nudged(link: Link, at: number, timing: Timing): LinkStep {
  const { state } = link;
  switch (state.name) {
    case "live":
      if (state.dueAt === null) return pinged(link, state, at, timing);
      // What is owed may be on its way already, on a line that is dead behind it.
      return to(link, { ...state, pings: [...state.pings, pingAt(at, timing)] }, ["ping"]);
    case "waiting":
      return state.why === "told" ? stay(link) : authorize(link, 0, state.needsFresh === true, at);
    case "signed-out":
      return authorize(link, 0, true, at);
    case "authorizing":
    case "opening":
      // Begun on the line as it was: should it fail, the next try is soon, whatever failed before the nudge.
      return stay({ ...link, state: { ...state, attempt: 0 } });
    case "greeting": {
      // So here; and it has no longer than on any line, however slow that was.
      const dueAt = Math.min(state.dueAt, at + HELLO_WITHIN_MS);
      return to(link, { ...state, attempt: 0, dueAt }, [], dueAt - at);
    }
    case "refused":
      // Who took the right away may have given it back since, and nothing else would tell.
      return state.code === "upgrade_required" ? stay(link) : authorize(link, 0, true, at);
    case "off":
      return stay(link);
  }
}
