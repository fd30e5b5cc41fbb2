// One workspace's rooms at work, in the tab that leads: which are linked, what all of them together look like, who is
// there. Each room runs by itself; see room-runner.ts.
import type { ChannelId, UserId, WorkspaceId } from "#protocol/ids.ts";
import { HELLO_WITHIN_MS } from "#protocol/limits.ts";
import { parseRoomName, roomPathOf, type RoomName } from "#protocol/room-name.ts";
import { openReplica, type Replica } from "../store/replica.ts";
import { channelRoom, workspaceRoom } from "../store/rooms.ts";
import type { Store } from "../store/store.ts";
import { readLiveAt } from "../store/live-at.ts";
import { readLooked } from "../store/meta.ts";
import { behind, type Conditions } from "./backfill.ts";
import { fillRoomsOf, isOwed } from "./fill-rooms.ts";
import { startFiller } from "./filler.ts";
import { candidatesOf, type ChannelCandidate } from "./link-candidates.ts";
import { roomsToLink } from "./links.ts";
import { startFlow } from "./outbox-flow.ts";
import type { Ports } from "./ports.ts";
import type { Place } from "./room-pages.ts";
import { keepPresence } from "./room-presence.ts";
import { runRoom, type RoomRunner } from "./room-runner.ts";
import type { Note } from "./journal.ts";
import { watchSharedLine } from "./shared-line.ts";
import { hasUndelivered, isOutdated, membershipIn, standingIn } from "./standing.ts";
import { linkStatusOf, type RoomPresence, type WorkspaceStatus } from "./status.ts";
import type { Tokens } from "./tokens.ts";
import type { Timing } from "./timing.ts";
import type { Traffic } from "./traffic.ts";
import { openTransport } from "./transport.ts";
import { untilRead } from "./until-read.ts";
import { watchUntold } from "./untold.ts";
import { keepCourse } from "./workspace-course.ts";

export interface WorkspaceDeps {
  readonly store: Store;
  readonly ports: Ports;
  readonly leader: string;
  readonly me: UserId;
  readonly tokens: Tokens;
  readonly timing: () => Timing;
  readonly traffic: Traffic;
  /** Where rooms are: `https://…`, no path. */
  readonly roomsAt: () => string;
  readonly isInUse: () => boolean;
  readonly isOnline: () => boolean;
  /** Nothing is to use the network; null until that is known. */
  readonly isResting: () => boolean | null;
  /** Because the person works offline by choice. */
  readonly isOfflineChosen: () => boolean;
  readonly note: (note: Note) => void;
  readonly told: (status: WorkspaceStatus) => void;
  readonly present: (presence: RoomPresence) => void;
  readonly deposed: () => void;
  /** Something was stored of which no tab told. */
  readonly missed: () => void;
  /** The device has no room for more history. */
  readonly isFull: () => boolean;
  /** What the person does and what the line costs, for the filling in the background. */
  readonly surroundings: () => Pick<Conditions, "usedAt" | "hiddenAt" | "line" | "isForced">;
  /** In any tab, whichever workspace that shows: what makes way is of all of them. */
  readonly isOnScreen: (room: RoomName) => boolean;
  readonly unstored: (error: unknown) => Promise<void>;
}

export interface WorkspaceRunner {
  readonly replica: Replica;
  /** Channels on any tab's screen. */
  readonly look: (channels: readonly ChannelId[]) => void;
  readonly nudge: () => void;
  /** What a timer would have done by now is done. */
  readonly tick: () => void;
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

/** Status changes within it are told as one. */
const TELL_WITHIN_MS = 20;

export function runWorkspace(deps: WorkspaceDeps, workspace: WorkspaceId): WorkspaceRunner {
  const { store, ports, me } = deps;
  const directory = workspaceRoom(workspace);
  const replica = openReplica(store, workspace, me);
  const runners = new Map<RoomName, RoomRunner>();
  const presence = keepPresence(store, ports, me, deps.present);
  const line = watchSharedLine(runners);
  /** Rooms to be linked → the rev of my membership when they were last chosen. */
  let memberships: ReadonlyMap<RoomName, number> = new Map();
  let looked: Readonly<Record<string, number>> = {};
  let onScreen: readonly ChannelId[] = [];
  let linked: ReadonlySet<RoomName> = new Set([directory]);
  let isTelling = false;
  let isClosed = false;

  const runnerOf = (room: RoomName): RoomRunner => {
    const known = runners.get(room);
    if (known !== undefined) return known;
    const ref = parseRoomName(room);
    if (ref === null) throw new Error(`"${room}" is not the name of a room.`);
    const url = `${deps.roomsAt().replace(/^http/, "ws")}${roomPathOf(ref)}`;
    const made = runRoom(
      {
        store,
        ports,
        leader: deps.leader,
        me,
        tokens: deps.tokens,
        timing: deps.timing,
        traffic: deps.traffic,
        openTransport: () => openTransport(url, ports.webSocket, HELLO_WITHIN_MS),
        isInUse: deps.isInUse,
        standing: () => standingIn(replica, room, runnerOf(directory), ports.now()),
        askWorkspace: () => line.ask(directory),
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
    // What the tab that led before told of it is past, and its room may be long in coming.
    presence.here(room, []);
    return made;
  };

  // — which rooms —

  const choose = (): void => {
    const rests = deps.isResting();
    if (isClosed || rests === null || !replica.isLoaded()) return;
    const channels = candidates();
    const next = new Set(rests ? [] : [directory, ...roomsToLink(channels)]);
    for (const room of next) {
      const runner = runnerOf(room);
      if (memberships.get(room) !== membershipRev(room) && isOutdated(replica, runner)) runner.unwant();
      runner.want();
    }
    memberships = new Map([...next].map((room) => [room, membershipRev(room)]));
    for (const [room, runner] of runners) if (!next.has(room)) runner.unwant();
    linked = next;
    course.lag(behind(fillRoomsOf(replica, channels, linked, runners)).map(({ room }) => room.name));
    outbox.flow();
    filler.nudge();
  };

  const membershipRev = (room: RoomName): number => membershipIn(replica, room)?.rev ?? 0;

  const candidates = (): readonly ChannelCandidate[] => candidatesOf(replica, onScreen, looked);

  // — what it looks like —

  const changed = (room: RoomName): void => {
    line.changed(room);
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

  const status = (): WorkspaceStatus => {
    const rooms = [...runners.values()];
    // One that is closed to us is none of them, unless something waits for it all the same.
    const isOpen = ({ name, link }: RoomRunner): boolean =>
      link().state.name !== "refused" || hasUndelivered(replica, name);
    const wanted = rooms.filter((runner) => linked.has(runner.name) && isOpen(runner));
    const connection = course.follow(runnerOf(directory), wanted);
    return {
      workspace,
      connection,
      rooms: rooms.map((runner) => linkStatusOf(runner.name, runner.link(), runner.isCaughtUp())),
      flowing: rooms.filter((runner) => runner.outbox().name === "flowing").map(({ name }) => name),
      liveAt: course.liveAt(),
      fill: filler.status(),
    };
  };

  // — what each minds by itself —

  const outbox = startFlow(ports, replica, (room) => runners.get(room)?.wrote());
  const course = keepCourse({
    store,
    ports,
    leader: deps.leader,
    workspace,
    timing: deps.timing,
    isOnline: deps.isOnline,
    isOfflineChosen: deps.isOfflineChosen,
    note: deps.note,
    again: () => tellSoon(0),
    deposed: deps.deposed,
    unstored: deps.unstored,
  });

  const filler = startFiller({
    store,
    ports,
    leader: deps.leader,
    me,
    tokens: deps.tokens,
    roomsAt: deps.roomsAt,
    rooms: () => fillRoomsOf(replica, candidates(), linked, runners),
    conditions: () => ({
      ...deps.surroundings(),
      isConnected: runners.get(directory)?.link().state.name === "live" && deps.isResting() === false,
      isOwed: isOwed(replica, runners.values()),
    }),
    isOnScreen: deps.isOnScreen,
    leastAt: () => runners.get(directory)?.leastAt() ?? null,
    older: (room, before) => runners.get(room)?.history({ before }) ?? Promise.resolve(false),
    isFull: deps.isFull,
    changed: () => tellSoon(TELL_WITHIN_MS),
    deposed: deps.deposed,
    unstored: deps.unstored,
  });

  const untold = watchUntold(store, ports, replica, () => {
    choose();
    deps.missed();
  });
  const stopReplica = replica.subscribe(() => {
    choose();
    // Whether anything waits for a room that is closed to us no link tells.
    if ([...linked].some((room) => runners.get(room)?.link().state.name === "refused")) tellSoon(TELL_WITHIN_MS);
  });
  const readFirst = async () => {
    await replica.loaded.catch(replica.reload);
    return store.read(["meta"], async (tx) => ({
      rooms: await readLooked(tx),
      liveAt: await readLiveAt(tx, workspace),
    }));
  };
  void untilRead({ timers: ports.timers, failed: deps.unstored, isOver: () => isClosed }, readFirst).then((read) => {
    if (read === null) return;
    looked = { ...read.rooms, ...looked };
    course.begin(read.liveAt);
    choose();
    deps.told(status());
  });

  return {
    replica,
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
    tick: () => {
      for (const runner of runners.values()) runner.tick();
    },
    doubt: line.doubt,
    rest: () => {
      choose();
      deps.told(status());
    },
    signedIn: () => {
      course.signedIn();
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
      outbox.close();
      untold.close();
      course.close();
      await Promise.all([filler.close(), ...[...runners.values()].map((runner) => runner.close())]);
      replica.close();
    },
  };
}
