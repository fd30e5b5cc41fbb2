// Rows of [what, from, event, to, effects].
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CONNECT_EVERY_MS } from "#protocol/link-limits.ts";
import { LINK_OFF, step } from "./link.ts";
import type { Link, LinkEffect, LinkEvent, LinkState, Standing } from "./link-state.ts";
import type { Wait } from "./patience.ts";

const AT = 1_000_000;
/** Opened long ago, unless it says otherwise. */
const link = (
  state: LinkState,
  expelledAt: number | null = null,
  openedAt: number | null = null,
  denials = 0,
): Link => ({ state, expelledAt, denials, openedAt, turnedAway: null });
/** With pings that left then; a later time where something has put the answer off. */
const live = (dueAt: number | null = null, heardAt = AT, pings: readonly (number | Wait)[] = []): LinkState => ({
  name: "live",
  heardAt,
  dueAt,
  pings: pings.map((ping) => (typeof ping === "number" ? { leftAt: ping, dueAt: ping + 9_000 } : ping)),
});
const token = (isFresh: boolean): LinkEffect[] => [{ do: "stop-timer" }, { do: "get-token", isFresh }];
const timer = (ms: number): LinkEffect => ({ do: "set-timer", ms });
const waiting = (attempt: number, ms: number): LinkState & { readonly name: "waiting" } => ({
  name: "waiting",
  attempt,
  until: AT + ms,
  why: "network",
});

const NOT_IN = { do: "stop", code: "forbidden", detail: "no" } as const;
const again = (attempt: number, rev: number): Link => ({
  ...link({ name: "waiting", attempt, until: AT + 2_000, why: "told", needsFresh: true }),
  turnedAway: { rev, at: AT },
});
/** Turned away two seconds ago, and asking. */
const asking = (rev: number): Link => ({
  ...link({ name: "authorizing", attempt: 0 }),
  turnedAway: { rev, at: AT - 2_000 },
});
const standing = (rev: number, heardAt: number | null = AT): Standing => ({ rev, heardAt });
const reconsider: readonly LinkEffect[] = [{ do: "ask-workspace" }, timer(2_000)];

type Row = readonly [what: string, from: Link, event: LinkEvent, to: Link, effects: readonly LinkEffect[]];

const ROWS: readonly Row[] = [
  [
    "wanted, it asks for a token",
    LINK_OFF,
    { type: "wanted", at: AT },
    link({ name: "authorizing", attempt: 0 }),
    token(false),
  ],
  ["wanted twice is wanted once", link(live()), { type: "wanted", at: AT }, link(live()), []],
  [
    "no longer wanted, it closes",
    link(live()),
    { type: "unwanted", at: AT },
    link({ name: "off" }),
    [{ do: "stop-timer" }, { do: "close-socket" }],
  ],
  [
    "[AU1] with a token it opens",
    link({ name: "authorizing", attempt: 2 }),
    { type: "authorized", at: AT },
    link({ name: "opening", attempt: 2 }, null, AT),
    [{ do: "open-socket" }, timer(20_000)],
  ],
  [
    "a clock that was set back makes a dead line no older: it is asked at once",
    link(live(AT + 3_69_000, AT + 3_600_000)),
    { type: "timed-out", jitter: 0, at: AT },
    link(live(AT + 9_000, AT, [AT])),
    [{ do: "ping" }, timer(9_000)],
  ],
  [
    "nor does a silent one wait for the day that was gained",
    link(live(null, AT + 3_600_000)),
    { type: "timed-out", jitter: 0, at: AT },
    link(live(AT + 9_000, AT, [AT])),
    [{ do: "ping" }, timer(9_000)],
  ],
  [
    "nor does it take an expulsion of tomorrow for one within the minute",
    link(live(), AT + 3_600_000),
    { type: "closed", code: 4401, error: "token_expired", jitter: 0, at: AT },
    link({ name: "authorizing", attempt: 0 }, AT),
    token(true),
  ],
  ["a token that comes too late opens nothing", LINK_OFF, { type: "authorized", at: AT }, LINK_OFF, []],
  [
    "open, it says hello",
    link({ name: "opening", attempt: 0 }),
    { type: "opened", at: AT },
    link({ name: "greeting", attempt: 0, dueAt: AT + 10_000 }, null, AT),
    [{ do: "say-hello" }, timer(10_000)],
  ],
  [
    "on a line that was too slow for the greeting before, it waits for as long as for a page",
    link({ name: "opening", attempt: 1 }),
    { type: "opened", owedMs: 18_000, at: AT },
    link({ name: "greeting", attempt: 1, dueAt: AT + 18_000 }, null, AT),
    [{ do: "say-hello" }, timer(18_000)],
  ],
  [
    "[AU7] nudged it waits no longer than on any line: that of before may be dead",
    link({ name: "greeting", attempt: 3, dueAt: AT + 55_000 }),
    { type: "nudged", at: AT },
    link({ name: "greeting", attempt: 0, dueAt: AT + 10_000 }),
    [timer(10_000)],
  ],
  [
    "[AU7] nor longer than before, however often it is nudged",
    link({ name: "greeting", attempt: 3, dueAt: AT + 2_000 }),
    { type: "nudged", at: AT },
    link({ name: "greeting", attempt: 0, dueAt: AT + 2_000 }),
    [timer(2_000)],
  ],
  [
    "never less than the room has for it",
    link({ name: "opening", attempt: 0 }),
    { type: "opened", owedMs: 9_000, at: AT },
    link({ name: "greeting", attempt: 0, dueAt: AT + 10_000 }, null, AT),
    [{ do: "say-hello" }, timer(10_000)],
  ],
  [
    "welcomed, it is live and a page is owed",
    link({ name: "greeting", attempt: 3, dueAt: AT + 10_000 }),
    { type: "welcomed", owedMs: 9_000, at: AT },
    link(live(AT + 9_000)),
    [timer(9_000)],
  ],
  [
    "[AU2] [AU7] no network: full jitter from half a second",
    link({ name: "authorizing", attempt: 0 }),
    { type: "unauthorized", decision: { do: "retry" }, jitter: 0, at: AT },
    link(waiting(1, 500)),
    [timer(500)],
  ],
  [
    "[AU7] the wait never exceeds half a minute",
    link({ name: "authorizing", attempt: 20 }),
    { type: "unauthorized", decision: { do: "retry" }, jitter: 1, at: AT },
    link(waiting(21, 30_000)),
    [timer(30_000)],
  ],
  [
    "[AU3] the session is over",
    link({ name: "authorizing", attempt: 0 }),
    { type: "unauthorized", decision: { do: "sign-in" }, jitter: 0, at: AT },
    link({ name: "signed-out" }),
    [{ do: "stop-timer" }],
  ],
  [
    "[AU3] one probe per focus",
    link({ name: "signed-out" }),
    { type: "nudged", at: AT },
    link({ name: "authorizing", attempt: 0 }),
    token(true),
  ],
  [
    "[AU4] refused for this room, it stops",
    link({ name: "authorizing", attempt: 0 }),
    { type: "unauthorized", decision: { do: "stop", code: "forbidden", detail: "no" }, jitter: 0, at: AT },
    link({ name: "refused", code: "forbidden", detail: "no" }),
    [{ do: "stop-timer" }],
  ],
  [
    "[AU5] told to wait, it waits as long",
    link({ name: "authorizing", attempt: 1 }),
    { type: "unauthorized", decision: { do: "wait", ms: 7_000 }, jitter: 0, at: AT },
    link({ name: "waiting", attempt: 1, until: AT + 7_000, why: "told" }),
    [timer(7_000)],
  ],
  [
    "[AU5] a focus doesn't shorten what the server asked for",
    link({ name: "waiting", attempt: 1, until: AT + 7_000, why: "told" }),
    { type: "nudged", at: AT },
    link({ name: "waiting", attempt: 1, until: AT + 7_000, why: "told" }),
    [],
  ],
  [
    "[AU6] misconfigured, it asks again after a minute",
    link({ name: "authorizing", attempt: 1 }),
    { type: "unauthorized", decision: { do: "report", detail: "404" }, jitter: 0, at: AT },
    link({ name: "waiting", attempt: 1, until: AT + 60_000, why: "misconfigured", detail: "404" }),
    [timer(60_000)],
  ],
  [
    "[AU7] on focus and online it tries at once",
    link(waiting(5, 20_000)),
    { type: "nudged", at: AT },
    link({ name: "authorizing", attempt: 0 }),
    token(false),
  ],
  [
    "[AU7] a try under way when focus or online comes is the first one again",
    link({ name: "opening", attempt: 6 }),
    { type: "nudged", at: AT },
    link({ name: "opening", attempt: 0 }),
    [],
  ],
  [
    "4401 gets a fresh token, once",
    link(live()),
    { type: "closed", code: 4401, error: "token_expired", jitter: 0, at: AT },
    link({ name: "authorizing", attempt: 0 }, AT),
    token(true),
  ],
  [
    "4401 for a token taken back waits out the second of the denial",
    link(live()),
    { type: "closed", code: 4401, error: "unauthenticated", jitter: 0, at: AT },
    link({ name: "waiting", attempt: 0, until: AT + 1_250, why: "told", needsFresh: true }, AT, null, 1),
    [timer(1_250)],
  ],
  [
    "and then asks for a fresh one",
    link({ name: "waiting", attempt: 0, until: AT, why: "told", needsFresh: true }, AT - 1_250),
    { type: "timed-out", jitter: 0, at: AT },
    link({ name: "authorizing", attempt: 0 }, AT - 1_250),
    token(true),
  ],
  [
    "[AU6] a fresh token that a room calls expired: the clocks disagree",
    link({ name: "greeting", attempt: 0, dueAt: AT + 10_000 }, AT - 5_000),
    { type: "closed", code: 4401, error: "token_expired", jitter: 0, at: AT },
    link(
      {
        name: "waiting",
        attempt: 0,
        until: AT + 60_000,
        why: "misconfigured",
        detail: expect.stringContaining("clocks disagree") as string,
      },
      AT,
    ),
    [timer(60_000)],
  ],
  [
    "the token that came for it taken back as well: the endpoint is asked, behind twice as long",
    link({ name: "greeting", attempt: 0, dueAt: AT + 10_000 }, AT - 5_000, null, 1),
    { type: "closed", code: 4401, error: "unauthenticated", jitter: 0, at: AT },
    link({ name: "waiting", attempt: 0, until: AT + 2_500, why: "told", needsFresh: true }, AT, null, 2),
    [timer(2_500)],
  ],
  [
    "welcomed with it, another time is the first again: a role may change as often as it likes",
    link({ name: "greeting", attempt: 0, dueAt: AT + 10_000 }, AT - 5_000, null, 5),
    { type: "welcomed", owedMs: 9_000, at: AT },
    link(live(AT + 9_000), AT - 5_000),
    [timer(9_000)],
  ],
  [
    "[AU6] a room that takes none of six tokens: the endpoint is misconfigured, and is asked for another in a minute",
    link({ name: "greeting", attempt: 0, dueAt: AT + 10_000 }, AT - 41_000, null, 5),
    { type: "closed", code: 4401, error: "unauthenticated", jitter: 0, at: AT },
    link(
      {
        name: "waiting",
        attempt: 0,
        until: AT + 60_000,
        why: "misconfigured",
        detail: expect.stringContaining("none of its tokens") as string,
        needsFresh: true,
      },
      AT,
      null,
      5,
    ),
    [timer(60_000)],
  ],
  [
    "signed in while it asks, it remembers that",
    link({ name: "authorizing", attempt: 1 }),
    { type: "signed-in", at: AT },
    link({ name: "authorizing", attempt: 1, isOutdated: true }),
    [],
  ],
  [
    "[AU3] and takes a no from before the sign-in for none",
    link({ name: "authorizing", attempt: 1, isOutdated: true }),
    { type: "unauthorized", decision: { do: "sign-in" }, jitter: 0, at: AT },
    link({ name: "authorizing", attempt: 1 }),
    token(true),
  ],
  [
    "a minute later it asks whether the session is over",
    link({ name: "signed-out" }, AT),
    { type: "timed-out", jitter: 0, at: AT },
    link({ name: "authorizing", attempt: 0 }, AT),
    token(true),
  ],
  [
    "[RM5] turned away where it was in, it asks once more: it may be in again",
    link(live()),
    { type: "closed", code: 4403, error: "forbidden", detail: "gone", jitter: 0, at: AT },
    link({ name: "authorizing", attempt: 0 }),
    token(true),
  ],
  [
    "[RM5] turned away by the room where I may be in, it asks once more in two seconds",
    link({ name: "greeting", attempt: 1, dueAt: AT + 10_000 }),
    { type: "closed", code: 4403, error: "forbidden", detail: "gone", standing: standing(7), jitter: 0, at: AT },
    again(1, 7),
    reconsider,
  ],
  [
    "[AU4] turned away by the endpoint where I may be in, too",
    link({ name: "authorizing", attempt: 0 }),
    { type: "unauthorized", decision: NOT_IN, standing: standing(7), jitter: 0, at: AT },
    again(0, 7),
    reconsider,
  ],
  [
    "[AU4] and with a fresh token",
    again(0, 7),
    { type: "timed-out", jitter: 0, at: AT },
    { ...link({ name: "authorizing", attempt: 0 }), turnedAway: { rev: 7, at: AT } },
    token(true),
  ],
  [
    "[AU4] turned away once more without word of my membership, it stops",
    asking(7),
    { type: "unauthorized", decision: NOT_IN, standing: standing(7), jitter: 0, at: AT },
    link({ name: "refused", code: "forbidden", detail: "no" }),
    [{ do: "stop-timer" }],
  ],
  [
    "[AU4] not where the workspace's room wasn't heard in between: its line may be dead",
    asking(7),
    { type: "unauthorized", decision: NOT_IN, standing: standing(7, AT - 2_001), jitter: 0, at: AT },
    again(0, 7),
    reconsider,
  ],
  [
    "[AU4] nor where the first no is an hour old",
    { ...asking(7), turnedAway: { rev: 7, at: AT - 3_600_000 } },
    { type: "unauthorized", decision: NOT_IN, standing: standing(7), jitter: 0, at: AT },
    again(0, 7),
    reconsider,
  ],
  [
    "[AU4] nor where it was heard before the clock was set back",
    asking(7),
    { type: "unauthorized", decision: NOT_IN, standing: standing(7, AT + 3_600_000), jitter: 0, at: AT },
    again(0, 7),
    reconsider,
  ],
  [
    "[AU4] nor where it has more to tell",
    asking(7),
    { type: "unauthorized", decision: NOT_IN, standing: standing(7, null), jitter: 0, at: AT },
    again(0, 7),
    reconsider,
  ],
  [
    "[AU4] with word of it, it asks again",
    asking(7),
    { type: "unauthorized", decision: NOT_IN, standing: standing(8), jitter: 0, at: AT },
    again(0, 8),
    reconsider,
  ],
  [
    "let in, it starts counting anew",
    { ...asking(7), state: { name: "greeting", attempt: 0, dueAt: AT + 10_000 } },
    { type: "welcomed", owedMs: 9_000, at: AT },
    link(live(AT + 9_000)),
    [timer(9_000)],
  ],
  [
    "4403 in answer to a greeting is final for the room",
    link({ name: "greeting", attempt: 0, dueAt: AT + 10_000 }),
    { type: "closed", code: 4403, error: "forbidden", detail: "gone", jitter: 0, at: AT },
    link({ name: "refused", code: "forbidden", detail: "gone" }),
    [{ do: "stop-timer" }],
  ],
  [
    "4404 is final for the room",
    link(live()),
    { type: "closed", code: 4404, jitter: 0, at: AT },
    link({ name: "refused", code: "not_found", detail: "" }),
    [{ do: "stop-timer" }],
  ],
  [
    "4426 waits for an update",
    link(live()),
    { type: "closed", code: 4426, detail: "old", jitter: 0, at: AT },
    link({ name: "refused", code: "upgrade_required", detail: "old" }),
    [{ do: "stop-timer" }],
  ],
  [
    "4422 comes back once",
    link(live()),
    { type: "closed", code: 4422, jitter: 0, at: AT },
    link(waiting(1, 500), AT),
    [timer(500)],
  ],
  [
    "4422 twice is said",
    link(live(), AT - 1_000),
    { type: "closed", code: 4422, jitter: 0, at: AT },
    link(
      {
        name: "waiting",
        attempt: 0,
        until: AT + 60_000,
        why: "misconfigured",
        detail: expect.stringContaining("4422") as string,
      },
      AT,
    ),
    [timer(60_000)],
  ],
  [
    "a broken connection comes back after a while",
    link(live()),
    { type: "closed", code: 1006, jitter: 0.5, at: AT },
    link(waiting(1, 750)),
    [timer(750)],
  ],
  [
    "sent after a silence, a ping goes along and an answer is due in 9 s",
    link(live(null, AT - 5_000)),
    { type: "asked", owedMs: 9_000, at: AT },
    link(live(AT + 9_000, AT - 5_000, [AT])),
    [{ do: "ping" }, timer(9_000)],
  ],
  [
    "in the midst of talk a send needs no ping, and yet an answer",
    link(live(null, AT - 100)),
    { type: "asked", owedMs: 9_000, at: AT },
    link(live(AT + 9_000, AT - 100)),
    [timer(9_000)],
  ],
  [
    "an answer already due is not put off by the next send",
    link(live(AT + 3_000, AT - 7_000)),
    { type: "asked", owedMs: 9_000, at: AT },
    link(live(AT + 3_000, AT - 7_000)),
    [],
  ],
  [
    "on focus the line is tried",
    link(live(null, AT - 5_000)),
    { type: "nudged", at: AT },
    link(live(AT + 9_000, AT - 5_000, [AT])),
    [{ do: "ping" }, timer(9_000)],
  ],
  [
    "nor is it taken for tried because an answer is due: that may be on its way already",
    link(live(AT + 8_000, AT - 1_000)),
    { type: "nudged", at: AT },
    link(live(AT + 8_000, AT - 1_000, [AT])),
    [{ do: "ping" }],
  ],
  [
    "heard, though not the answer to the ping: that is still due",
    link(live(AT + 8_000, AT - 1_000, [AT - 1_000])),
    { type: "heard", owedMs: null, behindMs: 0, at: AT },
    link(live(AT + 8_000, AT, [AT - 1_000])),
    [],
  ],
  [
    "it may have had to wait behind what came",
    link(live(AT + 8_000, AT - 1_000, [AT - 1_000])),
    { type: "heard", owedMs: null, behindMs: 300, at: AT },
    link(live(AT + 8_300, AT, [{ leftAt: AT - 1_000, dueAt: AT + 8_300 }])),
    [],
  ],
  [
    "of two pings one is answered: the other left later",
    link(live(AT + 8_000, AT - 1_000, [AT - 1_000, AT - 500])),
    { type: "heard", owedMs: null, is: "pong", behindMs: 0, at: AT },
    link(live(AT + 8_500, AT, [AT - 500])),
    [],
  ],
  [
    "however much came, no longer than an answer takes",
    link(live(AT + 8_000, AT - 1_000, [AT - 1_000])),
    { type: "heard", owedMs: null, behindMs: 60_000, at: AT },
    link(live(AT + 9_000, AT, [{ leftAt: AT - 1_000, dueAt: AT + 9_000 }])),
    [],
  ],
  [
    "nor, in all, than three times as long",
    link(live(AT + 1_000, AT - 2_000, [{ leftAt: AT - 25_000, dueAt: AT + 1_000 }])),
    { type: "heard", owedMs: null, behindMs: 60_000, at: AT },
    link(live(AT + 2_000, AT, [{ leftAt: AT - 25_000, dueAt: AT + 2_000 }])),
    [],
  ],
  [
    "then the line bears nothing upwards",
    link(live(AT + 1_000, AT - 1_000, [{ leftAt: AT - 28_000, dueAt: AT + 1_000 }])),
    { type: "heard", owedMs: null, behindMs: 60_000, at: AT },
    link(live(AT, AT, [{ leftAt: AT - 28_000, dueAt: AT - 1_000 }])),
    [timer(0)],
  ],
  [
    "what was due before anybody saw that it hadn't come may be among what is heard next: a page stood still",
    link(live(AT - 2_000, AT - 11_000, [AT - 11_000])),
    { type: "heard", owedMs: null, behindMs: 0, at: AT },
    link(live(AT + 9_000, AT, [AT])),
    [],
  ],
  [
    "unless somebody looked just before: they would have seen it",
    link(live(null, AT - 1_000, [AT - 9_500])),
    { type: "heard", owedMs: null, behindMs: 0, at: AT },
    link(live(AT, AT, [AT - 9_500])),
    [timer(0)],
  ],
  [
    "an answer to something else says that what left before it may have had to wait",
    link(live(AT + 9_000, AT - 1_000, [AT - 8_500])),
    { type: "heard", owedMs: null, is: "answer", behindMs: 0, at: AT },
    link(live(AT + 9_000, AT, [AT])),
    [],
  ],
  [
    "but for who slept: what came meanwhile is heard one by one, and the answer behind it",
    link(live(AT - 60_000, AT - 69_000, [AT - 69_000])),
    { type: "heard", owedMs: null, behindMs: 0, at: AT },
    link(live(AT + 9_000, AT, [AT])),
    [],
  ],
  [
    "with the last of them nothing is due",
    link(live(AT + 8_000, AT - 1_000, [AT - 1_000])),
    { type: "heard", owedMs: null, is: "pong", behindMs: 0, at: AT },
    link(live()),
    [],
  ],
  [
    "every 25 s of silence it pings",
    link(live(null, AT - 25_000)),
    { type: "timed-out", jitter: 0, at: AT },
    link(live(AT + 9_000, AT - 25_000, [AT])),
    [{ do: "ping" }, timer(9_000)],
  ],
  [
    "heard lately, the heartbeat moves on",
    link(live(null, AT - 5_000)),
    { type: "timed-out", jitter: 0, at: AT },
    link(live(null, AT - 5_000)),
    [timer(20_000)],
  ],
  [
    "an answer due later is waited for",
    link(live(AT + 4_000)),
    { type: "timed-out", jitter: 0, at: AT },
    link(live(AT + 4_000)),
    [timer(4_000)],
  ],
  [
    "without an answer in time the line is dead, and said to be",
    link(live(AT, AT - 9_000)),
    { type: "timed-out", jitter: 0, at: AT },
    link(waiting(2, 500)),
    [{ do: "close-socket" }, timer(500)],
  ],
  [
    "heard, nothing is due",
    link(live(AT + 9_000, AT - 500)),
    { type: "heard", owedMs: null, behindMs: 0, at: AT },
    link(live(null)),
    [],
  ],
  [
    "heard, with answers still owed the wait begins anew",
    link(live(AT + 1_000, AT - 500)),
    { type: "heard", owedMs: 9_000, behindMs: 0, at: AT },
    link(live(AT + 9_000)),
    [],
  ],
  [
    "heard, and another answer is owed that nothing was before: that is waited for",
    link(live(null, AT - 500)),
    { type: "heard", owedMs: 9_000, behindMs: 0, at: AT },
    link(live(AT + 9_000)),
    [timer(9_000)],
  ],
  [
    "heard, with less patience for the next answer than for this one",
    link(live(AT + 30_000, AT - 500)),
    { type: "heard", owedMs: 9_000, behindMs: 0, at: AT },
    link(live(AT + 9_000)),
    [timer(9_000)],
  ],
  [
    "closed within the second it was opened in, it waits that out, whatever its back-off",
    link({ name: "greeting", attempt: 0, dueAt: AT + 10_000 }, null, AT - 300),
    { type: "closed", code: 1006, jitter: 0, at: AT },
    link(waiting(1, 700), null, AT - 300),
    [timer(700)],
  ],
  [
    "[AU7] a focus within that second isn't forgotten",
    link(waiting(1, 20_000), null, AT - 300),
    { type: "nudged", at: AT },
    link({ name: "waiting", attempt: 0, until: AT + 700, why: "pace" }, null, AT - 300),
    [timer(700)],
  ],
  [
    "nor is that the token has to be another",
    link(live(), null, AT - 300),
    { type: "closed", code: 4401, error: "token_expired", jitter: 0, at: AT },
    link({ name: "waiting", attempt: 0, until: AT + 700, why: "pace", needsFresh: true }, AT, AT - 300),
    [timer(700)],
  ],
  [
    "a second nudge then changes nothing",
    link({ name: "waiting", attempt: 0, until: AT + 700, why: "pace", needsFresh: true }, AT, AT - 300),
    { type: "nudged", at: AT },
    link({ name: "waiting", attempt: 0, until: AT + 700, why: "pace", needsFresh: true }, AT, AT - 300),
    [timer(700)],
  ],
  [
    "the second over, it goes on",
    link({ name: "waiting", attempt: 0, until: AT, why: "pace", needsFresh: true }, null, AT - 1_000),
    { type: "timed-out", jitter: 0, at: AT },
    link({ name: "authorizing", attempt: 0 }, null, AT - 1_000),
    token(true),
  ],
  [
    "wanted again within the second, it waits too",
    link({ name: "off" }, null, AT - 1),
    { type: "wanted", at: AT },
    link({ name: "waiting", attempt: 0, until: AT + 999, why: "pace" }, null, AT - 1),
    [timer(999)],
  ],
  [
    "a clock that was turned back doesn't hold it up",
    link({ name: "off" }, null, AT + 3_600_000),
    { type: "wanted", at: AT },
    link({ name: "authorizing", attempt: 0 }, null, AT + 3_600_000),
    token(false),
  ],
  [
    "a hello without an answer starts over",
    link({ name: "greeting", attempt: 1, dueAt: AT + 10_000 }),
    { type: "timed-out", jitter: 0, at: AT },
    link(waiting(2, 500)),
    [{ do: "close-socket" }, timer(500)],
  ],
  [
    "what can't be stored must come again; the line is good",
    link(live()),
    { type: "unstored", attempt: 0, jitter: 0, at: AT },
    link({ ...waiting(1, 500), why: "space" }),
    [{ do: "close-socket" }, timer(500)],
  ],
  [
    "later each time, though it stood in between",
    link(live()),
    { type: "unstored", attempt: 2, jitter: 1, at: AT },
    link({ ...waiting(3, 4_000), why: "space" }),
    [{ do: "close-socket" }, timer(4_000)],
  ],
  [
    "a welcome that can't be stored counts as one try more",
    link({ name: "greeting", attempt: 2, dueAt: AT + 10_000 }),
    { type: "unstored", attempt: 0, jitter: 0, at: AT },
    link({ ...waiting(3, 500), why: "space" }),
    [{ do: "close-socket" }, timer(500)],
  ],
  [
    "what couldn't be stored of a line that broke comes with the next",
    link(waiting(2, 500)),
    { type: "unstored", attempt: 0, jitter: 0, at: AT },
    link(waiting(2, 500)),
    [],
  ],
  [
    "somebody looks: whether there is room now is tried at once",
    link({ ...waiting(3, 500), why: "space" }),
    { type: "nudged", at: AT },
    link({ name: "authorizing", attempt: 0 }),
    token(false),
  ],
  [
    "signed in again, it opens with a token of the new session",
    link({ name: "signed-out" }),
    { type: "signed-in", at: AT },
    link({ name: "authorizing", attempt: 0 }),
    token(true),
  ],
];

describe("a link", () => {
  it.each(ROWS)("%s", (_what, from, event, to, effects) => {
    expect(step(from, event)).toEqual({ link: to, effects });
  });

  it("opens once a second at most, whatever happens to it and however hasty the deployment", () => {
    const hasty = { heartbeatEveryMs: 900, heartbeatAnswerMs: 300, backoffMinMs: 1, backoffMaxMs: 20 };
    const happening = fc.constantFrom<(at: number) => LinkEvent>(
      (at) => ({ type: "wanted", at }),
      (at) => ({ type: "unwanted", at }),
      (at) => ({ type: "authorized", at }),
      (at) => ({ type: "unauthorized", decision: { do: "retry" }, jitter: 0, at }),
      (at) => ({ type: "opened", at }),
      (at) => ({ type: "welcomed", owedMs: 300, at }),
      (at) => ({ type: "closed", code: 1006, jitter: 0, at }),
      (at) => ({ type: "closed", code: 4401, error: "token_expired", jitter: 0, at }),
      (at) => ({ type: "closed", code: 4422, jitter: 0, at }),
      (at) => ({ type: "unstored", attempt: 0, jitter: 0, at }),
      (at) => ({ type: "nudged", at }),
      (at) => ({ type: "signed-in", at }),
      (at) => ({ type: "timed-out", jitter: 0, at }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(400), happening), { maxLength: 200 }), (happenings) => {
        let at = AT;
        let now = LINK_OFF;
        const opened: number[] = [];
        for (const [ms, event] of happenings) {
          at += ms;
          const next = step(now, event(at), hasty);
          now = next.link;
          if (next.effects.some((effect) => effect.do === "open-socket")) opened.push(at);
        }
        for (const [n, when] of opened.entries())
          expect(when - (opened[n - 1] ?? -Infinity)).toBeGreaterThanOrEqual(CONNECT_EVERY_MS);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is as patient as the deployment says", () => {
    const hasty = { heartbeatEveryMs: 900, heartbeatAnswerMs: 300, backoffMinMs: 20, backoffMaxMs: 90 };
    const ring = (from: Link): LinkEffect[] => [
      ...step(from, { type: "timed-out", jitter: 1, at: AT + 900 }, hasty).effects,
    ];
    expect(ring(link(live()))).toEqual([{ do: "ping" }, timer(300)]);
    expect(ring(link(live(AT + 800)))).toEqual([{ do: "close-socket" }, timer(80)]);
    expect(step(link(live()), { type: "closed", code: 1006, jitter: 0, at: AT }, hasty).effects).toEqual([timer(20)]);
  });
});
