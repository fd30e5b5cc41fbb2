import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RoomName } from "#protocol/room-name.ts";
import type { ConnectionSnapshot } from "../store/snapshots.ts";
import {
  BEHIND_SHOWN_AFTER_MS,
  COURSE_BEGUN,
  follow,
  signedIn,
  type Course,
  type Seen,
  type SeenRoom,
} from "./connection.ts";
import { LINK_OFF, step } from "./link.ts";
import type { Link, LinkEvent, LinkState, Why } from "./link-state.ts";
import { TIMING } from "./timing.ts";

const room = (n: number): RoomName => `channel:w_${n}` as RoomName;
const live: LinkState = { name: "live", heardAt: 0, dueAt: null, pings: [] };
const asked: LinkState = { ...live, dueAt: TIMING.heartbeatAnswerMs };
const waiting = (attempt: number, why: Why = "network"): LinkState => ({
  name: "waiting",
  attempt,
  until: 9,
  why,
  detail: "why",
});
const opening = (attempt: number): LinkState => ({ name: "opening", attempt });

interface Glance {
  readonly caughtUp?: readonly boolean[];
  /** The room of this place. */
  readonly lost?: number;
  readonly hung?: number;
  /** What it sent finds no room. */
  readonly unstored?: number;
  /** What the workspace's room sent finds none. */
  readonly isFull?: boolean;
  /** When all rooms were last heard. */
  readonly heardAt?: number;
  readonly isOnline?: boolean;
  readonly isResting?: boolean;
  readonly at?: number;
}

const seen = (
  state: LinkState,
  {
    caughtUp = [true],
    lost,
    hung,
    unstored,
    isFull = false,
    heardAt,
    isOnline = true,
    isResting = false,
    at = 0,
  }: Glance = {},
): Seen => ({
  at,
  directory: { ...LINK_OFF, state },
  isFull,
  rooms: caughtUp.map((isCaughtUp, n) => ({
    name: room(n),
    isCaughtUp,
    failures: n === hung ? 2 : n === lost || n === unstored ? 1 : 0,
    heardAt: heardAt ?? null,
    isFull: n === unstored,
  })),
  isOnline,
  isResting,
});

const courseOf = (...glances: readonly Seen[]): Course =>
  glances.reduce((course, glance) => follow(course, glance, TIMING), COURSE_BEGUN);
const shown = (...glances: readonly Seen[]): ConnectionSnapshot => courseOf(...glances).shown;

describe("the pill", () => {
  it.each<[string, ConnectionSnapshot, ConnectionSnapshot]>([
    ["live, when all rooms are", shown(seen(live)), { state: "live" }],
    [
      "catching up, while one is not",
      shown(seen(live, { caughtUp: [true, false] })),
      { state: "catching-up", done: 1, total: 2 },
    ],
    ["connecting at first", shown(seen(opening(0))), { state: "connecting" }],
    ["offline when the first try fails", shown(seen(waiting(1))), { state: "offline", retryAt: 9 }],
    [
      "offline still while the next try is under way",
      shown(seen(waiting(1)), seen(opening(0))),
      { state: "offline", retryAt: null },
    ],
    ["reconnecting when a link just broke", shown(seen(live), seen(waiting(1))), { state: "reconnecting", retryAt: 9 }],
    [
      "reconnecting still while the next try is under way",
      shown(seen(live), seen(waiting(1)), seen(opening(1))),
      { state: "reconnecting", retryAt: null },
    ],
    [
      "reconnecting while told to wait, however often, for somebody answered",
      shown(seen(waiting(1)), seen(waiting(3, "told"))),
      { state: "reconnecting", retryAt: 9, isTold: true },
    ],
    [
      "offline though told to wait, where the browser says so",
      shown(seen(waiting(3, "told"), { isOnline: false })),
      { state: "offline", retryAt: 9 },
    ],
    [
      "full where the device has no room for what the workspace's room sends, however often it is tried",
      shown(
        seen(live),
        seen(waiting(3, "space"), { isFull: true }),
        seen(waiting(3, "pace"), { isFull: true }),
        seen(opening(3), { isFull: true }),
      ),
      { state: "full" },
    ],
    [
      "full where it has none for what a channel's room sends",
      shown(seen(live, { caughtUp: [true, false], unstored: 1 })),
      { state: "full" },
    ],
    [
      "full though the workspace's owes an answer, for that channel's line is good",
      shown(seen(asked, { caughtUp: [true, false], unstored: 1 })),
      { state: "full" },
    ],
    [
      "catching up once what that room sends is stored, whatever another one lacks",
      shown(seen(live, { caughtUp: [true, false], unstored: 1 }), seen(live, { caughtUp: [false, true], lost: 0 })),
      { state: "catching-up", done: 1, total: 2 },
    ],
    ["live when all is stored", shown(seen(waiting(3, "space"), { isFull: true }), seen(live)), { state: "live" }],
    [
      "reconnecting where the line of a full device breaks",
      shown(seen(waiting(1, "space"), { isFull: true }), seen(waiting(1))),
      { state: "reconnecting", retryAt: 9 },
    ],
    [
      "reconnecting where it is in doubt",
      shown(seen(waiting(1, "space"), { isFull: true }), seen(live, { at: 3 * 3_600_000, isFull: true })),
      { state: "reconnecting", retryAt: null },
    ],
    [
      "offline where it stays away",
      shown(seen(waiting(1, "space"), { isFull: true }), seen(waiting(2)), seen(opening(2))),
      { state: "offline", retryAt: null },
    ],
    [
      "offline though the device is full, where the browser says so",
      shown(seen(waiting(1, "space"), { isFull: true, isOnline: false })),
      { state: "offline", retryAt: 9 },
    ],
    ["offline when the second try fails", shown(seen(live), seen(waiting(2))), { state: "offline", retryAt: 9 }],
    [
      "offline when the browser says so too",
      shown(seen(live), seen(waiting(1), { isOnline: false })),
      { state: "offline", retryAt: 9 },
    ],
    [
      "[AU6] misconfigured, with the detail and when it is tried again",
      shown(seen(waiting(0, "misconfigured"))),
      { state: "misconfigured", detail: "why", retryAt: 9 },
    ],
    [
      "[AU6] misconfigured still while it is asked again",
      shown(seen(waiting(0, "misconfigured")), seen(opening(0))),
      { state: "misconfigured", detail: "why", retryAt: null },
    ],
    ["[AU3] signed out", shown(seen({ name: "signed-out" })), { state: "signed-out" }],
    [
      "[AU3] signed out still while one probe is under way, and where it meets no network",
      shown(
        seen({ name: "signed-out" }),
        seen({ name: "authorizing", attempt: 0 }),
        seen(waiting(1)),
        seen(waiting(3)),
      ),
      { state: "signed-out" },
    ],
    [
      "saying why the workspace is closed",
      shown(seen({ name: "refused", code: "forbidden", detail: "no" })),
      { state: "refused", code: "forbidden", detail: "no" },
    ],
    [
      "offline by choice, whatever the links still do",
      shown(seen(live), seen(live, { isResting: true })),
      { state: "offline", retryAt: null, isChosen: true },
    ],
    [
      "connecting when the choice is taken back",
      shown(seen(live, { isResting: true }), seen(opening(0))),
      { state: "connecting" },
    ],
    [
      "not live on waking, before the line has answered",
      shown(seen(live), seen(live, { at: 3 * 3_600_000 })),
      { state: "reconnecting", retryAt: null },
    ],
    [
      "not live past the time an answer was due",
      shown(seen(live), seen({ ...live, dueAt: 100 }, { at: 101 })),
      { state: "reconnecting", retryAt: null },
    ],
    [
      "not catching up where a channel's line was lost and the workspace's doesn't answer",
      shown(seen(live, { caughtUp: [true, false] }), seen(asked, { caughtUp: [true, false], lost: 1 })),
      { state: "reconnecting", retryAt: null },
    ],
    [
      "not catching up either while the lost one is tried anew",
      shown(
        seen(live, { caughtUp: [true, false] }),
        seen(asked, { caughtUp: [true, false], lost: 1 }),
        seen(asked, { caughtUp: [true, false] }),
      ),
      { state: "reconnecting", retryAt: null },
    ],
    [
      "catching up once the workspace's has answered, whatever it owes then",
      shown(
        seen(live, { caughtUp: [true, false] }),
        seen(asked, { caughtUp: [true, false], lost: 1 }),
        seen({ ...asked, heardAt: 50 }, { caughtUp: [true, false] }),
      ),
      { state: "catching-up", done: 1, total: 2 },
    ],
    [
      "catching up where a channel's line was lost and the workspace's answers",
      shown(seen(live, { caughtUp: [true, false], lost: 1 })),
      { state: "catching-up", done: 1, total: 2 },
    ],
    [
      "catching up while the workspace's is asked and no line was lost",
      shown(seen(asked, { caughtUp: [true, false] })),
      { state: "catching-up", done: 1, total: 2 },
    ],
  ])("is %s", (_what, is, expected) => {
    expect(is).toEqual(expected);
  });

  it("[I4] a clock that is set back while a room is behind leaves it called live for no longer", () => {
    const at = 86_400_000;
    const heard: LinkState = { ...live, heardAt: at };
    const opened = courseOf(seen(heard, { at }), seen(heard, { caughtUp: [true, false], at }));
    expect(opened.shown.state).toBe("live");
    const setBack = follow(opened, seen(heard, { caughtUp: [true, false], at: 10 }), TIMING);
    const after = follow(setBack, seen(heard, { caughtUp: [true, false], at: 10 + BEHIND_SHOWN_AFTER_MS }), TIMING);
    expect(after.shown.state).toBe("catching-up");
  });

  it("stays live for the moment that a channel takes to be opened, and says so when it takes longer", () => {
    const opened = courseOf(seen(live), seen(live, { caughtUp: [true, false], at: 10 }));
    expect(opened.shown).toEqual({ state: "live" });
    const after = follow(opened, seen(live, { caughtUp: [true, false], at: 10 + BEHIND_SHOWN_AFTER_MS }), TIMING);
    expect(after.shown).toEqual({ state: "catching-up", done: 1, total: 2 });
  });

  it("doesn't wait for the workspace's answer where a channel's line hung", () => {
    const hung = { caughtUp: [true, false], hung: 1 };
    expect(shown(seen(live), seen(asked, hung))).toEqual({ state: "reconnecting", retryAt: null });
    expect(shown(seen(live), seen(live, hung))).toEqual({ state: "live" });
  });

  it("stays live for the moment in which the workspace's answers that a channel's line was lost", () => {
    const lost = { caughtUp: [true, false], lost: 1 };
    const asking = courseOf(seen(live), seen(asked, lost));
    expect(asking.shown).toEqual({ state: "live" });
    const silent = follow(asking, seen(asked, { ...lost, at: BEHIND_SHOWN_AFTER_MS }), TIMING);
    expect(silent.shown).toEqual({ state: "reconnecting", retryAt: null });
    const answered = follow(asking, seen(live, { ...lost, at: BEHIND_SHOWN_AFTER_MS }), TIMING);
    expect(answered.shown).toEqual({ state: "catching-up", done: 1, total: 2 });
  });

  it("is reconnecting where a channel's room answers first, and offline again where that one's line breaks", () => {
    const since = 1_000;
    const offline = seen(waiting(3), { at: since });
    // What a dead line's last frame said was before.
    expect(shown(offline, seen(opening(3), { at: 1_100, heardAt: 900 })).state).toBe("offline");
    const answered = seen(opening(3), { at: 1_200, heardAt: 1_200 });
    expect(shown(offline, answered)).toEqual({ state: "reconnecting", retryAt: null });
    const failed = seen(waiting(4), { at: 1_300, heardAt: 1_200 });
    expect(shown(offline, answered, failed)).toEqual({ state: "reconnecting", retryAt: 9 });
    expect(shown(offline, answered, failed, seen(waiting(4), { at: 1_400 }))).toEqual({ state: "offline", retryAt: 9 });
    expect(shown(offline, { ...answered, isOnline: false }).state).toBe("offline");
    const setBack = seen(waiting(4), { at: 100 });
    expect(shown(offline, setBack, seen(opening(4), { at: 200, heardAt: 200 })).state).toBe("reconnecting");
  });

  it("forgets the sign-out when one signed in again", () => {
    expect(signedIn(courseOf(seen({ name: "signed-out" }))).shown).toEqual({ state: "connecting" });
  });
});

// — any course —

/** Later than anything that happens. */
const HEARD = Number.MAX_SAFE_INTEGER;

type Happening =
  | { readonly do: "pass"; readonly ms: number; readonly timersSleep: boolean }
  | { readonly do: "link"; readonly event: (at: number) => LinkEvent }
  | { readonly do: "room"; readonly n: number; readonly is: Omit<SeenRoom, "name"> | null }
  | { readonly do: "online"; readonly is: boolean }
  | { readonly do: "rest"; readonly is: boolean };

const link = (event: (at: number) => LinkEvent): Happening => ({ do: "link", event });
const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({
    do: fc.constant("pass" as const),
    ms: fc.oneof(fc.nat(1_000), fc.nat(60_000), fc.nat(5 * 3_600_000)),
    timersSleep: fc.boolean(),
  }),
  fc.constantFrom(
    link((at) => ({ type: "wanted", at })),
    link((at) => ({ type: "unwanted", at })),
    link((at) => ({ type: "authorized", at })),
    link((at) => ({ type: "opened", at })),
    link((at) => ({ type: "welcomed", owedMs: 60_000, at })),
    link((at) => ({ type: "heard", owedMs: null, behindMs: 100, at })),
    link((at) => ({ type: "asked", owedMs: 10_000, at })),
    link((at) => ({ type: "unstored", attempt: 0, jitter: 0.5, at })),
    link((at) => ({ type: "nudged", at })),
    link((at) => ({ type: "signed-in", at })),
    link((at) => ({ type: "unauthorized", decision: { do: "sign-in" }, jitter: 0.5, at })),
    link((at) => ({ type: "unauthorized", decision: { do: "retry" }, jitter: 0.5, at })),
    link((at) => ({ type: "unauthorized", decision: { do: "report", detail: "why" }, jitter: 0.5, at })),
    link((at) => ({ type: "closed", code: 1006, jitter: 0.5, at })),
    link((at) => ({ type: "closed", code: 4401, jitter: 0.5, at })),
    link((at) => ({ type: "closed", code: 4403, jitter: 0.5, at })),
  ),
  fc.record({
    do: fc.constant("room" as const),
    n: fc.nat(4),
    is: fc.option(
      fc.constantFrom(
        { isCaughtUp: true, failures: 0, heardAt: null, isFull: false },
        { isCaughtUp: true, failures: 0, heardAt: HEARD, isFull: false },
        { isCaughtUp: false, failures: 0, heardAt: null, isFull: false },
        { isCaughtUp: false, failures: 1, heardAt: null, isFull: false },
        { isCaughtUp: false, failures: 1, heardAt: null, isFull: true },
        { isCaughtUp: false, failures: 2, heardAt: null, isFull: false },
      ),
    ),
  }),
  fc.record({ do: fc.constant("online" as const), is: fc.boolean() }),
  fc.record({ do: fc.constant("rest" as const), is: fc.boolean() }),
);

interface World {
  readonly at: number;
  readonly link: Link;
  readonly timerAt: number | null;
  readonly rooms: ReadonlyMap<number, Omit<SeenRoom, "name">>;
  readonly isOnline: boolean;
  readonly isResting: boolean;
}

function told(world: World, event: LinkEvent): World {
  const { link: next, effects } = step(world.link, event, TIMING);
  let { timerAt } = world;
  for (const effect of effects) {
    if (effect.do === "set-timer") timerAt = event.at + effect.ms;
    if (effect.do === "stop-timer") timerAt = null;
  }
  return { ...world, at: event.at, link: next, timerAt };
}

/** Time goes by, with every timer that falls due on its way. */
function passed(world: World, ms: number): World {
  const until = world.at + ms;
  let now = world;
  while (now.timerAt !== null && now.timerAt <= until) {
    const { timerAt } = now;
    now = told({ ...now, timerAt: null }, { type: "timed-out", at: timerAt, jitter: 0.5 });
  }
  return { ...now, at: until };
}

function happened(world: World, what: Happening): World {
  switch (what.do) {
    case "pass":
      return what.timersSleep ? { ...world, at: world.at + what.ms } : passed(world, what.ms);
    case "link":
      return told(world, what.event(world.at));
    case "room": {
      const rooms = new Map(world.rooms);
      if (what.is === null) rooms.delete(what.n);
      else rooms.set(what.n, what.is);
      return { ...world, rooms };
    }
    case "online":
      return { ...world, isOnline: what.is };
    case "rest":
      return { ...world, isResting: what.is };
  }
}

const BEGINNING: World = {
  at: 1_000_000,
  link: LINK_OFF,
  timerAt: null,
  rooms: new Map([[0, { isCaughtUp: true, failures: 0, heardAt: null, isFull: false }]]),
  isOnline: true,
  isResting: false,
};
const isFullIn = ({ link: { state } }: World): boolean => state.name === "waiting" && state.why === "space";
const seenIn = (world: World): Seen => ({
  at: world.at,
  directory: world.link,
  isFull: isFullIn(world),
  rooms: [...world.rooms].map(([n, is]) => ({ name: room(n), ...is })),
  isOnline: world.isOnline,
  isResting: world.isResting,
});

describe("on any course", () => {
  const everyStep = (check: (before: ConnectionSnapshot, after: ConnectionSnapshot, world: World) => void): void => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
        let world = BEGINNING;
        let course = COURSE_BEGUN;
        for (const what of happenings) {
          world = happened(world, what);
          const before = course.shown;
          course = follow(course, seenIn(world), TIMING);
          check(before, course.shown, world);
          expect(follow(course, seenIn(world), TIMING).shown).toEqual(course.shown);
        }
      }),
      { numRuns: 400 },
    );
  };

  it("it says live only of a welcomed socket that was heard within a heartbeat and its answer", () => {
    everyStep((_before, after, { link: { state }, at, isResting }) => {
      if (after.state !== "live" && after.state !== "catching-up") return;
      expect(isResting).toBe(false);
      expect(state.name).toBe("live");
      if (state.name === "live")
        expect(at - state.heardAt).toBeLessThanOrEqual(TIMING.heartbeatEveryMs + TIMING.heartbeatAnswerMs);
    });
  });

  it("what is caught up is less than what is to be, and neither number falls while catching up", () => {
    everyStep((before, after) => {
      if (after.state !== "catching-up") return;
      expect(after.done).toBeLessThan(after.total);
      if (before.state !== "catching-up") return;
      expect(after.done).toBeGreaterThanOrEqual(before.done);
      expect(after.total).toBeGreaterThanOrEqual(before.total);
    });
  });

  it("a try that is only under way changes no word", () => {
    everyStep((before, after, { link: { state }, isResting, isOnline, rooms }) => {
      const isTrying = state.name === "authorizing" || state.name === "opening" || state.name === "greeting";
      if (!isTrying || isResting) return;
      // A channel's room has answered.
      if (isOnline && [...rooms.values()].some(({ heardAt }) => heardAt !== null)) return;
      if (before.state === "offline" && before.isChosen !== true) expect(after.state).toBe("offline");
      if (before.state === "signed-out") expect(after.state).toBe("signed-out");
    });
  });

  it("it says full only while what some room sends finds no room, of a device that is online", () => {
    everyStep((_before, after, world) => {
      if (after.state !== "full") return;
      const {
        link: { state },
        isOnline,
        isResting,
        rooms,
      } = world;
      expect(isResting).toBe(false);
      expect(isFullIn(world) || [...rooms.values()].some(({ isFull }) => isFull)).toBe(true);
      if (state.name !== "live") expect(isOnline).toBe(true);
    });
  });

  it("it is offline by choice if and only if that was chosen", () => {
    everyStep((_before, after, { isResting }) => {
      expect(after.state === "offline" && after.isChosen === true).toBe(isResting);
    });
  });
});

describe("a line that hangs", () => {
  const LIVE = told(
    { ...BEGINNING, link: { ...LINK_OFF, state: { name: "greeting", attempt: 0, dueAt: 10_000 } } },
    { type: "welcomed", owedMs: TIMING.heartbeatAnswerMs, at: BEGINNING.at },
  );
  const quiet = told(LIVE, { type: "heard", owedMs: null, behindMs: 0, at: LIVE.at });
  const isLive = (world: World): boolean => follow(COURSE_BEGUN, seenIn(world), TIMING).shown.state === "live";

  it("is noticed within 35 s when nothing is asked of it", () => {
    expect(isLive(passed(quiet, TIMING.heartbeatEveryMs))).toBe(true);
    expect(isLive(passed(quiet, TIMING.heartbeatEveryMs + TIMING.heartbeatAnswerMs + 1))).toBe(false);
  });

  it("is noticed within 10 s of the next send, focus or `online`, whenever that is", () => {
    fc.assert(
      fc.property(fc.nat(34_000), fc.constantFrom("asked", "nudged"), (silentMs, what) => {
        const before = passed(quiet, silentMs);
        const { at } = before;
        const asked = told(
          before,
          what === "asked" ? { type: "asked", owedMs: TIMING.heartbeatAnswerMs, at } : { type: "nudged", at },
        );
        expect(isLive(passed(asked, TIMING.heartbeatAnswerMs + 1))).toBe(false);
      }),
    );
  });

  it("is noticed within 10 s while a page is owed, and no send, focus or `online` in between puts that off", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 4_000 }), fc.boolean())), (prompts) => {
        const last = prompts.reduce((world, [ms, isSend]) => {
          const { at, ...rest } = passed(world, ms);
          const event = isSend
            ? ({ type: "asked", owedMs: TIMING.heartbeatAnswerMs } as const)
            : ({ type: "nudged" } as const);
          return rest.link.state.name === "live" ? told({ at, ...rest }, { ...event, at }) : { at, ...rest };
        }, LIVE);
        const leftMs = Math.max(0, LIVE.at + TIMING.heartbeatAnswerMs + 1 - last.at);
        expect(isLive(passed(last, leftMs))).toBe(false);
      }),
    );
  });

  it("after a sleep it is asked at once, and given 3 s", () => {
    const asleep = { ...quiet, at: quiet.at + 3 * 3_600_000 };
    const woken = told(asleep, { type: "nudged", at: asleep.at });
    expect(passed(woken, 3_000).link.state.name).toBe("waiting");
  });
});
