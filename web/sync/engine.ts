// All of a person's workspaces at work, in the tab that leads. Lives from winning the lock to losing it.
import type { Config } from "#protocol/http.ts";
import type { UserId, WorkspaceId } from "#protocol/ids.ts";
import { parseRoomName, type RoomName } from "#protocol/room-name.ts";
import { readOutbox, workspaceOf } from "../store/outbox.ts";
import type { Replica } from "../store/replica.ts";
import { channelRoom } from "../store/rooms.ts";
import type { ConnectionSnapshot } from "../store/snapshots.ts";
import { signal } from "../store/source.ts";
import { runReworks } from "../store/rework.ts";
import { NotLeader, type Store } from "../store/store.ts";
import { DEFAULT_CONFIG } from "./default-config.ts";
import { watchForHandover } from "./handover.ts";
import { watchOfflineChoice } from "../store/offline-choice.ts";
import { callOffLeft, watchHoldBack } from "./hold-back.ts";
import { keepJournal } from "./journal.ts";
import type { Line } from "./backfill.ts";
import { outlive } from "./outlive.ts";
import type { Ports } from "./ports.ts";
import type { StorageCare } from "./storage-care.ts";
import type { TabMessage } from "./tab-messages.ts";
import { timingOf } from "./timing.ts";
import { createTokens } from "./tokens.ts";
import { countTraffic } from "./traffic.ts";
import { untilHere } from "./until-here.ts";
import { untilRead } from "./until-read.ts";
import { runWorkspace, type WorkspaceRunner } from "./workspace-runner.ts";

export interface EngineDeps {
  readonly store: Store;
  readonly ports: Ports;
  readonly care: StorageCare;
  readonly tab: string;
  readonly me: UserId;
  readonly config: () => Config | null;
  /** To the other tabs and to this one. */
  readonly send: (message: TabMessage) => void;
  readonly deposed: () => void;
}

export interface Engine {
  /** Of all workspaces that it has to do with, on screen or not. */
  readonly replicas: () => readonly Replica[];
  readonly hear: (message: TabMessage) => void;
  readonly stop: () => Promise<void>;
}

/** After this long without anybody looking, tokens lapse rather than being renewed ([AU9]). */
const IN_USE_MS = 10 * 60_000;
const REWORK_PAUSE_MS = 50;

export function startEngine(deps: EngineDeps): Engine {
  const { ports, store, send } = deps;
  const config = (): Config => deps.config() ?? DEFAULT_CONFIG;
  const tokens = createTokens(
    ports,
    config,
    deps.me,
    () => void callOffLeft(store, ports, deps.me).catch(ports.report),
  );
  const runners = new Map<WorkspaceId, WorkspaceRunner>();
  const journal = keepJournal(store, ports, deps.tab);
  const rest = (): void => {
    for (const runner of runners.values()) runner.rest();
  };
  const choice = watchOfflineChoice(store, rest);
  const hold = watchHoldBack(store, ports.locks, deps.me, rest);
  const isResting = (): boolean | null => {
    const [isChosen, isHeld] = [choice.now(), hold.now()];
    return isChosen === null || isHeld === null ? null : isChosen || isHeld;
  };
  const traffic = countTraffic();
  const looks = new Map<string, TabMessage & { readonly type: "look" }>();
  const outlived = new Set<string>();
  const stopping = new AbortController();
  const told = signal();
  const states = new Map<WorkspaceId, ConnectionSnapshot["state"]>();
  let usedAt = ports.now();
  let isOnline = true;
  /** When somebody last scrolled, typed or pressed anything; what fills in the background keeps still for it. */
  let inputAt = 0;
  let hiddenAt = ports.now();
  /** Null until the browser has told what bytes cost. */
  let line: () => Line | null = ports.surroundings === undefined ? () => "free" : () => null;
  let isForced = false;
  let stopLine = (): void => undefined;
  let isStopped = false;

  const runnerOf = (workspace: WorkspaceId): WorkspaceRunner => {
    const known = runners.get(workspace);
    if (known !== undefined) return known;
    const made = runWorkspace(
      {
        store,
        ports,
        leader: deps.tab,
        me: deps.me,
        tokens,
        timing: () => timingOf(config()),
        traffic,
        roomsAt: () => (config().rooms === "" ? ports.origin : config().rooms),
        isInUse: () => isWatched() || ports.now() - usedAt < IN_USE_MS,
        isOnline: () => isOnline,
        isResting,
        isOfflineChosen: () => choice.now() === true,
        note: journal.note,
        told: (status) => {
          states.set(status.workspace, status.connection.state);
          send({ type: "status", status });
          told.tell();
        },
        present: (presence) => send({ type: "presence", presence }),
        deposed: deps.deposed,
        // All tabs read anew what they show.
        missed: () => send({ type: "who" }),
        isFull: deps.care.isShort,
        surroundings: () => ({ usedAt: inputAt, hiddenAt: isWatched() ? null : hiddenAt, line: line(), isForced }),
        isOnScreen,
        unstored: deps.care.failed,
      },
      workspace,
    );
    runners.set(workspace, made);
    return made;
  };

  const isOnScreen = (room: RoomName): boolean =>
    [...looks.values()].some((look) => look.channel !== null && channelRoom(look.workspace, look.channel) === room);

  const isWatched = (): boolean => [...looks.values()].some(({ isVisible }) => isVisible);

  const nudge = (): void => {
    for (const runner of runners.values()) runner.nudge();
  };

  const fill = (): void => {
    for (const runner of runners.values()) runner.fill();
  };

  const looked = (look: TabMessage & { readonly type: "look" }): void => {
    const isNew = !looks.has(look.tab);
    if (isWatched()) hiddenAt = ports.now();
    looks.set(look.tab, look);
    if (look.isVisible) usedAt = ports.now();
    watchOver(look.tab).catch(ports.report);
    const runner = runnerOf(look.workspace);
    show();
    if (isNew) {
      send({ type: "status", status: runner.status() });
      runner.tellPresence();
    }
  };

  /** One that is killed takes no leave, and its channel would count as looked at for good. */
  const watchOver = async (tab: string): Promise<void> => {
    if (ports.locks === null || tab === deps.tab || outlived.has(tab)) return;
    outlived.add(tab);
    const ended = (): void => {
      outlived.delete(tab);
      hear({ type: "bye", tab });
    };
    if (!(await outlive(ports.locks, tab, stopping.signal, ended))) outlived.delete(tab);
  };

  const show = (): void => {
    for (const runner of runners.values()) {
      const own = [...looks.values()].filter(({ workspace }) => workspace === runner.replica.workspace);
      runner.look(own.flatMap(({ channel }) => (channel === null ? [] : [channel])));
    }
  };

  const hear = (message: TabMessage): void => {
    switch (message.type) {
      case "ping":
        return send({ type: "pong", tab: deps.tab });
      case "look":
        return looked(message);
      case "bye":
        looks.delete(message.tab);
        return show();
      case "nudge":
        return nudge();
      case "tick":
        for (const runner of runners.values()) runner.tick();
        return;
      case "busy":
        inputAt = ports.now();
        return;
      case "fill-now":
        isForced = true;
        return fill();
      case "note":
        return journal.note(message.note);
      case "signed-in":
        tokens.forget();
        for (const runner of runners.values()) runner.signedIn();
        return;
      case "typing":
        return roomRunner(message.room)?.typing(message.room);
      case "history": {
        const { ask, room, place } = message;
        const answer = roomRunner(room)?.history(room, place) ?? Promise.resolve(false);
        void answer.then((isStored) => send({ type: "history-answer", ask, isStored }));
        return;
      }
      case "pong":
      case "who":
      case "history-answer":
      case "status":
      case "presence":
      case "forgotten":
        return;
    }
  };

  const roomRunner = (room: string): WorkspaceRunner | undefined => {
    const ref = parseRoomName(room);
    return ref === null ? undefined : runners.get(ref.workspace);
  };

  // The tab that leads sends; when it may not get to it, the service worker is to. Another tab that leaves needs neither.
  const { deliverLater } = ports;
  const stopHandover =
    deliverLater === undefined || store.kind === "memory"
      ? () => undefined
      : watchForHandover({
          store,
          ports: { ...ports, deliverLater },
          changes: told,
          isLive: () => [...runners.keys()].every((workspace) => states.get(workspace) === "live"),
        });

  const stopPage = ports.page.listen((event) => {
    if (event === "online" || event === "offline") {
      isOnline = event === "online";
      journal.note({ kind: "connection", what: isOnline ? "said-online" : "said-offline" });
      for (const runner of runners.values()) send({ type: "status", status: runner.status() });
    }
    // Its no isn't believed, but what stood is asked whether it does.
    if (event === "offline") for (const runner of runners.values()) runner.doubt();
    if (event === "online" || event === "focus" || event === "visible") nudge();
  });

  const watchLine = async (): Promise<void> => {
    if (ports.surroundings === undefined) return;
    const around = await untilHere(ports.surroundings, ports.timers);
    ({ line } = around);
    stopLine = around.listen((what) => {
      if (what === "line") fill();
    });
    if (isStopped) stopLine();
    fill();
  };
  watchLine().catch(ports.report);

  // What waits goes out whichever workspace is on screen.
  const untilStopped = { timers: ports.timers, failed: deps.care.failed, isOver: () => isStopped };
  void untilRead(untilStopped, () => store.read(["outbox"], readOutbox)).then((ops) => {
    if (isStopped || ops === null) return;
    for (const workspace of new Set(ops.map(workspaceOf))) if (workspace !== null) runnerOf(workspace);
  });
  const stopUpdates = ports.updates?.listen(() => journal.note({ kind: "app", what: "update-ready" }));
  journal.note({ kind: "app", what: "leading", detail: config().build });
  send({ type: "who" });
  // What a change of the stored form left to do; between two slices everything else has its turn.
  const pause = (): Promise<void> => new Promise((resolve) => void ports.timers.set(resolve, REWORK_PAUSE_MS));
  runReworks({ store, leader: deps.tab, isStopped: () => isStopped, pause }).catch((error: unknown) => {
    if (!(error instanceof NotLeader)) ports.report(error);
  });

  return {
    replicas: () => [...runners.values()].map(({ replica }) => replica),
    hear,
    stop: async () => {
      isStopped = true;
      stopping.abort();
      stopPage();
      stopHandover();
      stopLine();
      choice.stop();
      hold.stop();
      stopUpdates?.();
      await Promise.all([...runners.values()].map((runner) => runner.close()));
      await journal.stop();
    },
  };
}
