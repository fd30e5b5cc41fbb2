// What most steps of a link come to: stay, go over to a state, ask for a token, wait. Pure; link.ts says when.
import { CONNECT_EVERY_MS } from "#protocol/link-limits.ts";
import { backoffMs } from "./backoff.ts";
import type { Link, LinkEffect, LinkState, Why } from "./link-state.ts";
import type { Timing } from "./timing.ts";

export interface LinkStep {
  readonly link: Link;
  readonly effects: readonly LinkEffect[];
}

/** Not where the clock was turned back in between: then nothing is known. */
export function isWithin(ms: number, limitMs: number): boolean {
  return ms >= 0 && ms < limitMs;
}

export function authorize(link: Link, attempt: number, isFresh: boolean, at: number): LinkStep {
  const restMs = restsMs(link, at);
  if (restMs > 0) {
    const fresh = isFresh ? { needsFresh: true as const } : {};
    return to(link, { name: "waiting", attempt, until: at + restMs, why: "pace", ...fresh }, [], restMs);
  }
  return {
    link: { ...link, state: { name: "authorizing", attempt } },
    effects: [{ do: "stop-timer" }, { do: "get-token", isFresh }],
  };
}

/** How long until a socket may be opened again. */
function restsMs({ openedAt }: Link, at: number): number {
  return openedAt !== null && isWithin(at - openedAt, CONNECT_EVERY_MS) ? openedAt + CONNECT_EVERY_MS - at : 0;
}

export function wait(
  link: Link,
  attempt: number,
  at: number,
  jitter: number,
  isOpen: boolean,
  timing: Timing,
  why: Why = "network",
): LinkStep {
  const ms = Math.max(backoffMs(attempt, jitter, timing), restsMs(link, at));
  const state: LinkState = { name: "waiting", attempt: attempt + 1, until: at + ms, why };
  return to(link, state, isOpen ? ["close-socket"] : [], ms);
}

/** How often it broke, or couldn't be made, since it last stood; one that hung counts twice. */
export function attemptOf(state: LinkState): number {
  return "attempt" in state ? state.attempt : 0;
}

export type Simple = Exclude<LinkEffect["do"], "get-token" | "set-timer">;

export function to(link: Link, state: LinkState, effects: readonly Simple[], timerMs?: number): LinkStep {
  const timer = timerMs === undefined ? [] : [{ do: "set-timer" as const, ms: timerMs }];
  return { link: { ...link, state }, effects: [...effects.map((effect) => ({ do: effect })), ...timer] };
}

export function stay(link: Link): LinkStep {
  return { link, effects: [] };
}
