// What a link does where its socket was closed, or the endpoint gave no token: whether it asks again, with which token and
// when, or has to be told that it may. Pure; link.ts says when.
import type { Failure } from "#protocol/errors.ts";
import { MISCONFIGURED_RETRY_MS } from "#protocol/link-limits.ts";
import type { Link, LinkEvent, LinkState, Standing } from "./link-state.ts";
import { authorize, isWithin, to, wait, type LinkStep } from "./link-steps.ts";
import type { Timing } from "./timing.ts";

const EXPELLED_AGAIN_MS = 60_000;
/** A second, and some for the way between clocks. */
const DENIED_FOR_MS = 1_250;
/** Whoever is taken out and put back is in again by then, and those whom it concerns know. */
const RECONSIDERED_AFTER_MS = 2_000;
/** Within it the second no counts: with all that may hold it up, a token's ten seconds among them. */
const TURNED_AWAY_AGAIN_MS = 60_000;
/** Forty seconds in all: no two clocks are so far apart, nor does anybody's role change so often. */
const DENIALS_MAX = 5;

export function unauthorized(
  link: Link,
  attempt: number,
  event: LinkEvent & { type: "unauthorized" },
  timing: Timing,
): LinkStep {
  const { decision, at } = event;
  switch (decision.do) {
    case "retry":
      return wait(link, attempt, at, event.jitter, false, timing);
    case "sign-in":
      if (link.state.name === "authorizing" && link.state.isOutdated === true)
        return authorize(link, attempt, true, at);
      return to(link, { name: "signed-out" }, ["stop-timer"]);
    case "stop":
      return turnedAway(link, attempt, event, decision);
    case "wait":
      return to(link, { name: "waiting", attempt, until: at + decision.ms, why: "told" }, [], decision.ms);
    case "report":
      return misconfigured(link, attempt, at, decision.detail);
  }
}

type Closed = LinkEvent & { type: "closed" };

export function closed(link: Link, attempt: number, event: Closed, timing: Timing): LinkStep {
  const { at, code, error, detail = "" } = event;
  const isAgain = link.expelledAt !== null && isWithin(at - link.expelledAt, EXPELLED_AGAIN_MS);
  const expelled: Link = { ...link, expelledAt: at };
  switch (code) {
    case 4401:
      if (error !== "token_expired") return afterDenial(expelled, attempt, at);
      // A token fresh from the endpoint and yet called expired: the two clocks disagree ([AU6]).
      return isAgain ? misconfigured(expelled, attempt, at, CLOCKS_DISAGREE) : authorize(expelled, attempt, true, at);
    case 4403:
      // Word of who is in comes late to a room: that one was taken in again may stand behind what turned them away. Asked once
      // more it learns that, and so does a token by who gives it.
      if (link.state.name === "live") return authorize(link, 0, true, at);
      return turnedAway(link, attempt, event, { code: error ?? "forbidden", detail });
    case 4404:
      return to(link, { name: "refused", code: error ?? "not_found", detail }, ["stop-timer"]);
    case 4426:
      return to(link, { name: "refused", code: "upgrade_required", detail }, ["stop-timer"]);
    case 4413:
    case 4422:
      if (!isAgain) return wait(expelled, attempt, at, event.jitter, false, timing);
      return misconfigured(
        expelled,
        attempt,
        at,
        `This version of the app and the room don't understand one another (${error ?? code}).`,
      );
    default:
      return wait(link, attempt, at, event.jitter, false, timing);
  }
}

/**
 * What was written is refused only when nothing speaks for a return any more: told at once, it would stay behind while what
 * is written after it goes. So it is asked again until the workspace's room was heard in between and had no word of my
 * membership; that one is asked as well, for its line may be dead.
 */
function turnedAway(
  link: Link,
  attempt: number,
  { at, standing = null }: { readonly at: number; readonly standing?: Standing | null },
  { code, detail }: Failure,
): LinkStep {
  const before = link.turnedAway;
  // One of yesterday says nothing of today.
  const isAgain = before !== null && isWithin(at - before.at, TURNED_AWAY_AGAIN_MS) && standing?.rev === before.rev;
  // Nor does a time that is still to come, where the clock was set back.
  const isHeard = isAgain && standing.heardAt !== null && standing.heardAt >= before.at && standing.heardAt <= at;
  if (standing === null || isHeard)
    return to({ ...link, turnedAway: null }, { name: "refused", code, detail }, ["stop-timer"]);
  const until = at + RECONSIDERED_AFTER_MS;
  const waiting: LinkState = { name: "waiting", attempt, until, why: "told", needsFresh: true };
  const turned: Link = { ...link, turnedAway: { rev: standing.rev, at } };
  return to(turned, waiting, ["ask-workspace"], RECONSIDERED_AFTER_MS);
}

const CLOCKS_DISAGREE =
  "The authorisation endpoint is misconfigured: a room calls its fresh token expired, so their clocks disagree.";
const NO_TOKEN_TAKEN = "The authorisation endpoint is misconfigured: a room takes none of its tokens.";

function misconfigured(
  link: Link,
  attempt: number,
  at: number,
  detail: string,
  fresh: { readonly needsFresh?: true } = {},
): LinkStep {
  const until = at + MISCONFIGURED_RETRY_MS;
  const waiting: LinkState = { name: "waiting", attempt, until, why: "misconfigured", detail, ...fresh };
  return to(link, waiting, [], MISCONFIGURED_RETRY_MS);
}

/**
 * Tokens of the second of a denial are denied too ([AU12]), so the next is asked for behind it: only the endpoint knows
 * whether the session is over. One that gives token after token of which the room takes none is wrong itself ([AU6]).
 */
function afterDenial(link: Link, attempt: number, at: number): LinkStep {
  if (link.denials === DENIALS_MAX) return misconfigured(link, attempt, at, NO_TOKEN_TAKEN, { needsFresh: true });
  const ms = DENIED_FOR_MS * 2 ** link.denials;
  const waiting: LinkState = { name: "waiting", attempt, until: at + ms, why: "told", needsFresh: true };
  return to({ ...link, denials: link.denials + 1 }, waiting, [], ms);
}
