// One workspace's rooms at work, in the tab that leads: which are linked, what all of them together look like, who is
// there. Each room runs by itself; see room-runner.ts.
import type { ChannelId, UserId, WorkspaceId } from "#protocol/ids.ts";
import { HELLO_WITHIN_MS } from "#protocol/limits.ts";
import { parseRoomName, roomPathOf, type RoomName } from "#protocol/room-name.ts";
import { heldBackMs, isCounted, isOpen, readOutbox, workspaceOf } from "../store/outbox.ts";
import { waits } from "../store/needs.ts";
import { openReplica } from "../store/replica.ts";
import { channelRoom, emptyRoom, workspaceRoom } from "../store/rooms.ts";
import { NotLeader, type Store } from "../store/store.ts";
import { putLiveAt, readLiveAt } from "../store/live-at.ts";
import { readLooked } from "../store/meta.ts";
import type { OutboxRecord } from "../store/schema.ts";
import type { ConnectionSnapshot } from "../store/snapshots.ts";
import type { FillRoom, Line } from "./backfill.ts";
import { startFiller } from "./filler.ts";
import { candidatesOf, membershipRevIn, type ChannelCandidate } from "./link-candidates.ts";
import { roomsToLink } from "./links.ts";
import type { Ports } from "./ports.ts";
import type { Place } from "./room-pages.ts";
import { keepPresence } from "./room-presence.ts";
import { runRoom, type RoomRunner } from "./room-runner.ts";
import { BEHIND_SHOWN_AFTER_MS, COURSE_BEGUN, follow, signedIn } from "./connection.ts";
import type { Note } from "./journal.ts";
import { linkStatusOf, type RoomPresence, type WorkspaceStatus } from "./status.ts";
import type { Tokens } from "./tokens.ts";
import type { Timing } from "./timing.ts";
import { openTransport } from "./transport.ts";

export interface WorkspaceDeps {
  readonly store: Store;
  readonly ports: Ports;
  readonly leader: string;
  readonly me: UserId;
  readonly tokens: Tokens;
  readonly timing: () => Timing;
  /** Where rooms are: `https://…`, no path. */
  readonly roomsAt: () => string;
  readonly isInUse: () => boolean;
  readonly isOnline: () => boolean;
  /** The person works offline by choice; null until the disk has said. */
  readonly isResting: () => boolean | null;
  readonly note: (note: Note) => void;
  readonly told: (status: WorkspaceStatus) => void;
  readonly present: (presence: RoomPresence) => void;
  readonly deposed: () => void;
  /** Something was stored of which no tab told. */
  readonly missed: () => void;
  /** The device has no room for more history. */
  readonly isFull: () => boolean;
  /** What the person does and what the line costs, for the filling in the background. */
  readonly surroundings: () => Surroundings;
  readonly unstored: (error: unknown) => Promise<void>;
}

export interface Surroundings {
  /** When somebody last did something in any tab. Epoch ms. */
  readonly usedAt: number;
  /** Since when no tab is seen; null while one is. Epoch ms. */
  readonly hiddenAt: number | null;
  readonly line: Line;
  /** "Fill now": whatever the line costs. */
  readonly isForced: boolean;
}

export interface WorkspaceRunner {
  readonly workspace: WorkspaceId;
  /** Channels on any tab's screen. */
  readonly look: (channels: readonly ChannelId[]) => void;
  readonly nudge: () => void;
  /** Asks the links that stand whether they do; those that wait go on waiting. */
  readonly doubt: () => void;
  /** The person's choice to work offline changed. */
  readonly rest: () => void;
  /** What the filling goes by changed. */
  readonly fill: () => void;
  readonly signedIn: () => void;
  readonly history: (room: RoomName, place: Place) => Promise<boolean>;
  readonly typing: (room: RoomName) => void;
  readonly status: () => WorkspaceStatus;
  /** Presence of all rooms again, for a tab that just came. */
  readonly tellPresence: () => void;
  readonly close: () => Promise<void>;
}

/** Of a channel of which the workspace's room has said nothing yet. */
const UNKNOWN_HEAD = { rev: 0, seq: 0, at: 0 };
/** What nobody told of waits no longer than that. */
const UNTOLD_EVERY_MS = 20_000;
/** Status changes within it are told as one. */
const TELL_WITHIN_MS = 20;
/** How much of "up to date as of" a browser that is killed may lose; ms. */
const LIVE_NOTED_EVERY_MS = 60_000;

export function runWorkspace(deps: WorkspaceDeps, workspace: WorkspaceId): WorkspaceRunner {
  const { store, ports, me } = deps;
  const directory = workspaceRoom(workspace);
  const replica = openReplica(store, workspace, me);
  const runners = new Map<RoomName, RoomRunner>();
  const presence = keepPresence(store, ports, me, deps.present);
  const live = new Set<RoomName>();
  /** Rooms that let us in no more → the rev of my membership as it was known then. */
  const turnedAway = new Map<RoomName, number>();
  let looked: Readonly<Record<string, number>> = {};
  let onScreen: readonly ChannelId[] = [];
  let linked: ReadonlySet<RoomName> = new Set([directory]);
  let course = COURSE_BEGUN;
  let liveAt: number | null = null;
  let liveNotedAt = 0;
  let lookTimer: unknown = null;
  let isTelling = false;
  let isClosed = false;
  let dueTimer: unknown = null;
  let untoldTimer: unknown = null;

  const runnerOf = (room: RoomName): RoomRunner => {
    const known = runners.get(room);
    if (known !== undefined) return known;
    const ref = parseRoomName(room);
    if (ref === null) throw new Error("not the name of a room");
    const url = `${deps.roomsAt().replace(/^http/, "ws")}${roomPathOf(ref)}`;
    const made = runRoom(
      {
        store,
        ports,
        leader: deps.leader,
        me,
        tokens: deps.tokens,
        timing: deps.timing,
        openTransport: () => openTransport(url, ports.webSocket, HELLO_WITHIN_MS),
        isInUse: deps.isInUse,
        changed: () => changed(room),
        present: (list) => presence.here(room, list),
        signalled: (signal) => presence.signalled(room, signal),
        deposed: deps.deposed,
        note: deps.note,
        unstored: deps.unstored,
      },
      room,
    );
    runners.set(room, made);
    return made;
  };

  // — which rooms —

  const choose = (): void => {
    const rests = deps.isResting();
    if (isClosed || rests === null || !replica.isLoaded()) return;
    const next = new Set(rests ? [] : [directory, ...roomsToLink(candidates())]);
    for (const room of next) {
      const runner = runnerOf(room);
      // Word of a membership since the room turned us away: it may let us in now.
      if (turnedAway.has(room) && turnedAway.get(room) !== membershipRev(room)) runner.unwant();
      runner.want();
    }
    for (const [room, runner] of runners) if (!next.has(room)) runner.unwant();
    linked = next;
    flow();
    filler.nudge();
  };

  const membershipRev = (room: RoomName): number => membershipRevIn(replica, room);

  const candidates = (): readonly ChannelCandidate[] => candidatesOf(replica, onScreen, looked);

  /** Gives word of ops to the rooms they are for, and comes back when the next one that may still be replaced is due. */
  const flow = (): void => {
    const waiting = waits(replica.outbox());
    const ready = replica.outbox().filter((op) => isOpen(op) && !waiting.has(op.id));
    const now = ports.now();
    for (const room of new Set(ready.filter((op) => heldBackMs(op, now) === 0).map((op) => op.room)))
      runners.get(room)?.wrote();
    const held = ready.map((op) => heldBackMs(op, now)).filter((ms) => ms > 0);
    ports.timers.clear(dueTimer);
    if (held.length > 0) dueTimer = ports.timers.set(flow, Math.min(...held));
  };

  /** A tab that ended between storing and saying so told nobody: what it wrote or took back is looked for now and then. */
  const lookForUntold = async (): Promise<void> => {
    const stored = (await store.read(["outbox"], readOutbox)).filter((op) => workspaceOf(op) === workspace);
    const places = (ops: readonly OutboxRecord[]): string => ops.map(({ place }) => place).join();
    if (isClosed || places(stored) === places(replica.outbox())) return;
    await replica.reload();
    choose();
    deps.missed();
  };

  const untold = (): void => {
    untoldTimer = ports.timers.set(() => {
      if (isClosed) return;
      lookForUntold().catch(ports.report);
      untold();
    }, UNTOLD_EVERY_MS);
  };

  // — what it looks like —

  const changed = (room: RoomName): void => {
    noteLine(room);
    if (runners.get(room)?.link().state.name !== "refused") turnedAway.delete(room);
    else if (!turnedAway.has(room)) turnedAway.set(room, membershipRev(room));
    tellSoon(TELL_WITHIN_MS);
  };

  const tellSoon = (ms: number): void => {
    if (isTelling || isClosed) return;
    isTelling = true;
    ports.timers.set(() => {
      isTelling = false;
      if (isClosed) return;
      choose();
      deps.told(status());
    }, ms);
  };

  /** One room that answers again says that the network is back: the others needn't wait out their back-off. */
  const noteLine = (room: RoomName): void => {
    const isLive = runners.get(room)?.link().state.name === "live";
    if (!isLive) return void live.delete(room);
    if (live.has(room)) return;
    live.add(room);
    for (const other of runners.values()) {
      const { state } = other.link();
      // And that the session is on: a "no" to another was of the time before.
      const mayGoOn = (state.name === "waiting" && state.why === "network") || state.name === "signed-out";
      if (mayGoOn) other.nudge();
    }
  };

  const status = (): WorkspaceStatus => {
    const rooms = [...runners.values()];
    const wanted = rooms.filter(({ name, link }) => linked.has(name) && link().state.name !== "refused");
    const now = ports.now();
    const was = course.shown.state;
    course = follow(
      course,
      {
        at: now,
        directory: runnerOf(directory).link(),
        rooms: wanted.map((runner) => ({ name: runner.name, isCaughtUp: runner.isCaughtUp() })),
        isOnline: deps.isOnline(),
        isResting: deps.isResting() === true,
      },
      deps.timing(),
    );
    const isLive = course.shown.state === "live";
    if (course.behindSince !== null) lookAgain(BEHIND_SHOWN_AFTER_MS);
    else if (isLive) lookAgain(LIVE_NOTED_EVERY_MS);
    if (was === "live" || (isLive && course.behindSince === null)) liveAt = oldestWord(wanted, now);
    if (was !== course.shown.state) noteState(course.shown);
    if (isLive ? now - liveNotedAt >= LIVE_NOTED_EVERY_MS : was === "live") keepLiveAt(now);
    return {
      workspace,
      connection: course.shown,
      rooms: rooms.map((runner) => linkStatusOf(runner.name, runner.link(), runner.isCaughtUp())),
      flowing: rooms.filter((runner) => runner.outbox().name === "flowing").map(({ name }) => name),
      liveAt,
      fill: filler.status(),
    };
  };

  const noteState = (shown: ConnectionSnapshot): void =>
    deps.note({
      kind: "connection",
      what: wordOf(shown),
      ...("code" in shown ? { detail: shown.code } : {}),
      ...(shown.state === "misconfigured" ? { detail: shown.detail } : {}),
    });

  /** For what time alone changes. */
  const lookAgain = (ms: number): void => {
    ports.timers.clear(lookTimer);
    lookTimer = ports.timers.set(() => tellSoon(0), ms);
  };

  const keepLiveAt = (now: number): void => {
    if (liveAt === null) return;
    liveNotedAt = now;
    const known = liveAt;
    void store
      .write({ tables: ["meta"], durability: "relaxed", leader: deps.leader }, (tx) => putLiveAt(tx, workspace, known))
      .catch((error: unknown) => (error instanceof NotLeader ? deps.deposed() : deps.unstored(error)));
  };

  // — what is filled in the background —

  /** The channels one is in, as they stand. */
  const fillRooms = (): Omit<FillRoom, "days" | "pulledAt" | "restsUntil">[] =>
    candidates()
      .filter(({ isJoined }) => isJoined)
      .map(({ room, channel }) => ({
        room: replica.rooms.get(room) ?? emptyRoom(room),
        head: replica.heads.get(channel) ?? UNKNOWN_HEAD,
        link: !linked.has(room) ? "none" : runners.get(room)?.isCaughtUp() === true ? "up" : "wanted",
      }));

  /** Something newer than history is under way: what was missed, or what was written. */
  const isOwed = (): boolean => {
    const isBehind = (runner: RoomRunner): boolean => runner.link().state.name === "live" && !runner.isCaughtUp();
    const waiting = waits(replica.outbox());
    return (
      [...runners.values()].some(isBehind) ||
      replica.outbox().some((op) => isCounted(op) && op.refusal === undefined && !waiting.has(op.id))
    );
  };

  const filler = startFiller({
    store,
    ports,
    leader: deps.leader,
    me,
    tokens: deps.tokens,
    roomsAt: deps.roomsAt,
    rooms: fillRooms,
    conditions: () => ({
      ...deps.surroundings(),
      isConnected: runners.get(directory)?.link().state.name === "live" && deps.isResting() === false,
      isOwed: isOwed(),
    }),
    isOnScreen: (room) => onScreen.some((id) => channelRoom(workspace, id) === room),
    older: (room, before) => runners.get(room)?.history({ before }) ?? Promise.resolve(false),
    isFull: deps.isFull,
    changed: () => tellSoon(TELL_WITHIN_MS),
    deposed: deps.deposed,
    unstored: deps.unstored,
  });

  untold();
  const stopReplica = replica.subscribe(choose);
  void replica.loaded
    .then(() => store.read(["meta"], async (tx) => [await readLooked(tx), await readLiveAt(tx, workspace)] as const))
    .then(([rooms, stored]) => {
      looked = rooms;
      liveAt ??= stored;
      choose();
      deps.told(status());
    })
    .catch(ports.report);

  return {
    workspace,
    look: (channels) => {
      onScreen = channels;
      const now = ports.now();
      looked = { ...looked, ...Object.fromEntries(channels.map((id) => [channelRoom(workspace, id), now])) };
      choose();
    },
    nudge: () => {
      for (const runner of runners.values()) runner.nudge();
      tellSoon(0);
    },
    doubt: () => {
      for (const runner of runners.values()) if (runner.link().state.name === "live") runner.nudge();
    },
    rest: () => {
      choose();
      deps.told(status());
    },
    signedIn: () => {
      course = signedIn(course);
      for (const runner of runners.values()) runner.signedIn();
    },
    history: (room, place) => runners.get(room)?.history(place) ?? Promise.resolve(false),
    typing: (room) => runners.get(room)?.signal({ t: "signal", kind: "typing" }),
    status,
    tellPresence: presence.tellAll,
    fill: filler.nudge,
    close: async () => {
      isClosed = true;
      stopReplica();
      presence.close();
      ports.timers.clear(dueTimer);
      ports.timers.clear(untoldTimer);
      ports.timers.clear(lookTimer);
      await Promise.all([filler.close(), ...[...runners.values()].map((runner) => runner.close())]);
      replica.close();
    },
  };
}

/** The last time that every one of them was known to stand: when the one silent for longest was last heard. */
function oldestWord(rooms: readonly RoomRunner[], now: number): number {
  return Math.min(now, ...rooms.map(({ heardAt }) => heardAt() ?? now));
}

/** What the event log calls a state: an op is refused in other words than a device. */
function wordOf(shown: ConnectionSnapshot): string {
  if (shown.state === "refused") return "not-let-in";
  return shown.state === "offline" && shown.isChosen === true ? "offline-chosen" : shown.state;
}
