// Fills the replica in the background, in the tab that leads: finds the next step, sees whether it may be taken now,
// takes it, rests a while. Decides nothing: backfill.ts does.
import type { UserId } from "#protocol/ids.ts";
import { AUTH_ROOMS_MAX } from "#protocol/limits.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { daysFor, KEEP_ALL, readKeep, type Keep } from "../store/keep.ts";
import type { FillStatus } from "../store/readiness.ts";
import { NotLeader, type Store } from "../store/store.ts";
import {
  askedNext,
  isAllHere,
  newsPauseOf,
  nextPullAt,
  pauseOf,
  planFill,
  planNews,
  type Conditions,
  type FillRoom,
  type FillStep,
  type Pause,
} from "./backfill.ts";
import type { Ports } from "./ports.ts";
import { replicaStore } from "./replica-store.ts";
import { roomReader, type Read } from "./room-http.ts";
import type { Tokens } from "./tokens.ts";
import { isAtCap, keepWithin, makeWay, spaceOf, type Space } from "./upkeep.ts";

export interface FillerDeps {
  readonly store: Store;
  readonly ports: Pick<Ports, "now" | "timers" | "storage" | "fetch" | "origin" | "report">;
  readonly leader: string;
  readonly me: UserId;
  readonly tokens: Tokens;
  readonly roomsAt: () => string;
  /** The channels one is in, as they stand. */
  readonly rooms: () => readonly Omit<FillRoom, "days" | "pulledAt" | "restsUntil">[];
  readonly conditions: () => Omit<Conditions, "isShort" | "isAtCap" | "waitsUntil">;
  readonly isOnScreen: (room: RoomName) => boolean;
  /** By the room's clock it is so late at least; null where it never told. Epoch ms. */
  readonly leastAt: () => number | null;
  /** Asks over a room's link. */
  readonly older: (room: RoomName, before: number) => Promise<boolean>;
  /** The disk refused something since. */
  readonly isFull: () => boolean;
  readonly changed: () => void;
  readonly deposed: () => void;
  readonly unstored: (error: unknown) => Promise<void>;
}

export interface Filler {
  readonly status: () => FillStatus;
  /** Something changed: there may be more to do, or less in the way. */
  readonly nudge: () => void;
  /** Resolves when nothing of it writes any more. */
  readonly close: () => Promise<void>;
}

/** Between two steps as long as the step took, within these: half of the time is everybody else's. */
const GAP_MIN_MS = 40;
const GAP_MAX_MS = 2_000;
/** What happens within it is one reason to look again. */
const NUDGE_WITHIN_MS = 250;
/** The browser's estimate is coarse and slow. */
const MEASURE_EVERY_MS = 15_000;
const UPKEEP_EVERY_MS = 10 * 60_000;
/** A room that answered what can't be used, or refused, is left alone so long. */
const REST_MS = 60_000;
const REFUSED_REST_MS = 30 * 60_000;

export function startFiller(deps: FillerDeps): Filler {
  const { store, ports } = deps;
  const reader = roomReader(ports, deps.tokens, deps.roomsAt);
  const pulledAt = new Map<RoomName, number>();
  const restsUntil = new Map<RoomName, number>();
  let status: FillStatus = { state: "filling" };
  let keep: Keep = KEEP_ALL;
  let isKeepRead = false;
  let isKeepChanged = false;
  /** What is too old was left, for there was no network. */
  let isAgeDue = false;
  /** What is too much in them was left, for somebody read there. */
  let waitsForReader: readonly RoomName[] = [];
  let space: Space = "ample";
  let measuredAt = Number.NEGATIVE_INFINITY;
  let keptAt = Number.NEGATIVE_INFINITY;
  let waitsUntil = 0;
  /** When a channel that moved on was read again last, and since when something is owed. */
  let newsAt = Number.NEGATIVE_INFINITY;
  let owedAt: number | null = null;
  let turnedAt = Number.NEGATIVE_INFINITY;
  let isRunning = false;
  let isClosed = false;
  let timer: unknown = null;
  let working: Promise<void> = Promise.resolve();

  const become = (next: FillStatus): void => {
    const isSame =
      next.state === status.state &&
      (next.state !== "paused" ||
        (status.state === "paused" && next.why === status.why && next.until === status.until));
    status = next;
    if (!isSame) deps.changed();
  };

  const roomsNow = (): FillRoom[] =>
    deps.rooms().map((each) => ({
      ...each,
      days: daysFor(keep, each.room.name),
      pulledAt: pulledAt.get(each.room.name) ?? 0,
      restsUntil: restsUntil.get(each.room.name) ?? 0,
    }));

  const again = (ms: number): void => {
    ports.timers.clear(timer);
    timer = ports.timers.set(() => {
      timer = null;
      run();
    }, ms);
  };

  /** What was chosen while the limits were being kept isn't kept yet. */
  const rest = (ms: number): void => again(isKeepChanged ? NUDGE_WITHIN_MS : ms);

  const run = (): void => {
    if (isRunning || isClosed) return;
    isRunning = true;
    working = turn()
      .catch(async (error: unknown) => {
        if (isClosed) return;
        if (error instanceof NotLeader) return deps.deposed();
        await deps.unstored(error);
        again(REST_MS);
      })
      .finally(() => {
        isRunning = false;
      });
  };

  const turn = async (): Promise<void> => {
    const now = ports.now();
    if (now < turnedAt) forgetTimes();
    turnedAt = now;
    await lookAfter();
    const limited = await limits();
    const rooms = roomsNow();
    const at = { ...deps.conditions(), ...limited, waitsUntil };
    const pause = pauseOf(at, now);
    owedAt = at.isOwed ? (owedAt ?? now) : null;
    const hold = newsPauseOf({ ...at, isShort: deps.isFull() }, owedAt, now);
    const step = pause !== null && hold === null ? planNews(rooms, now, newsAt) : planFill(rooms, now, newsAt);
    if (step === null) {
      const rests = rooms.map((room) => room.restsUntil).filter((until) => until > now);
      if (isAllHere(rooms, now)) become({ state: "done" });
      else if (pause === null && rests.length > 0)
        become({ state: "paused", why: "asked-to-wait", until: Math.min(...rests) });
      // Its link brings the rest, once it stands.
      else become(statusOf(pause));
      const due = Math.min(...rests, nextPullAt(rooms, now, newsAt) ?? Infinity);
      return rest(Math.min(UPKEEP_EVERY_MS, due - now));
    }
    become(statusOf(pause));
    if (hold !== null) return rest(hold.until === null ? UPKEEP_EVERY_MS : hold.until - now);
    if (step.do === "check") newsAt = now;
    const result = await take(step, rooms);
    if (isClosed) return;
    settle(step.room, result);
    again(Math.min(GAP_MAX_MS, Math.max(GAP_MIN_MS, ports.now() - now)));
  };

  /** What is over in a moment is no pause to anybody who looks. */
  const statusOf = (pause: Pause | null): FillStatus =>
    pause === null || pause.why === "busy" ? { state: "filling" } : { state: "paused", ...pause };

  /** The clock was set back: what was to last a minute would last a day. */
  const forgetTimes = (): void => {
    restsUntil.clear();
    pulledAt.clear();
    waitsUntil = 0;
    owedAt = null;
    newsAt = measuredAt = keptAt = Number.NEGATIVE_INFINITY;
  };

  /** The person's other workspaces count as well: what makes way is of all of them. */
  const limits = async (): Promise<Pick<Conditions, "isShort" | "isAtCap">> => ({
    isShort: deps.isFull() || space !== "ample",
    isAtCap: keep.maxBytes !== null && isAtCap(await store.read(["rooms"], (tx) => tx.all("rooms")), keep),
  });

  /** The limits, from time to time; at once when they changed. */
  const lookAfter = async (): Promise<void> => {
    const now = ports.now();
    if (now - measuredAt >= MEASURE_EVERY_MS) {
      measuredAt = now;
      space = await spaceOf(ports.storage, space);
    }
    // Changed while it is read, it is read again.
    while (!isKeepRead) {
      isKeepRead = true;
      keep = await store.read(["meta"], readKeep).catch((error: unknown) => {
        isKeepRead = false;
        throw error;
      });
    }
    const { isConnected } = deps.conditions();
    const isLeft = waitsForReader.some((room) => !deps.isOnScreen(room));
    if (now - keptAt < UPKEEP_EVERY_MS && !(isAgeDue && isConnected) && !isLeft) return;
    keptAt = now;
    // By a clock that is set ahead all would be old; not so by the room's.
    const byRoom = (): number => Math.min(ports.now(), deps.leastAt() ?? Infinity);
    const within = { store, leader: deps.leader, isOnScreen: deps.isOnScreen, now: byRoom };
    // Without a network none tells, and nothing comes back.
    isAgeDue = !isConnected && !isKeepChanged;
    isKeepChanged = false;
    waitsForReader = await keepWithin(within, isAgeDue ? { ...keep, days: null, rooms: {} } : keep);
    if (space === "nearly-full") await makeWay(within);
  };

  type Result = "stored" | "useless" | Extract<Read<never>, { got: "nothing" | "refused" }>;

  const take = async (step: FillStep, rooms: readonly FillRoom[]): Promise<Result> => {
    if (step.do === "older" && step.over === "link") {
      return (await deps.older(step.room, step.before)) ? "stored" : "useless";
    }
    const known = rooms.find(({ room }) => room.name === step.room)?.room;
    if (known === undefined) return "useless";
    // All those that come next share a token: asked for in one turn, so in one request.
    const next = askedNext(rooms, step.room, ports.now(), AUTH_ROOMS_MAX);
    await Promise.all(next.map((room) => deps.tokens.get(room, false, "connect")));
    const replica = replicaStore(store, deps.leader, step.room, deps.me);
    switch (step.do) {
      case "begin":
        return begin(step.room);
      case "check": {
        const read = await reader.changes(step.room, step.since, known.epoch);
        if (read.got !== "page") return read;
        const verdict = await replica.pulled(read.frame, known.epoch);
        if (verdict.do === "start-over") return begin(step.room);
        if (!read.frame.more) pulledAt.set(step.room, ports.now());
        return verdict.do === "store" ? "stored" : "useless";
      }
      case "older": {
        const read = await reader.history(step.room, step.before);
        if (read.got !== "page") return read;
        const verdict = await replica.history(read.frame, { before: step.before });
        if (verdict.do === "start-over") return begin(step.room);
        return verdict.do === "store" ? "stored" : "useless";
      }
    }
  };

  const begin = async (room: RoomName): Promise<Result> => {
    const replica = replicaStore(store, deps.leader, room, deps.me);
    const { epoch } = await replica.read();
    const read = await reader.history(room, null);
    if (read.got !== "page") return read;
    const verdict = await replica.began(read.frame, epoch);
    if (verdict.do === "store") pulledAt.set(room, ports.now());
    return verdict.do === "store" ? "stored" : "useless";
  };

  const settle = (room: RoomName, result: Result): void => {
    const now = ports.now();
    if (result === "stored") return;
    if (result === "useless") return void restsUntil.set(room, now + REST_MS);
    if (result.got === "refused") return void restsUntil.set(room, now + REFUSED_REST_MS);
    if (result.ms !== null) waitsUntil = now + result.ms;
    else restsUntil.set(room, now + REST_MS);
  };

  const stopListening = store.listen((commit) => {
    const isKeep = commit.some((change) => "put" in change && change.table === "meta" && change.put.key === "keep");
    if (!isKeep) return;
    isKeepChanged = true;
    isKeepRead = false;
    keptAt = Number.NEGATIVE_INFINITY;
    nudge();
  });

  const nudge = (): void => {
    if (!isClosed && !isRunning) again(NUDGE_WITHIN_MS);
  };

  return {
    status: () => status,
    nudge,
    close: async () => {
      isClosed = true;
      stopListening();
      ports.timers.clear(timer);
      await working;
    },
  };
}
