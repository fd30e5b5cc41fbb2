// This tab among the person's tabs: leads or follows, hears what the leader tells, asks it for what only it can do.
import type { Config } from "#protocol/http.ts";
import type { ChannelId, UserId, WorkspaceId } from "#protocol/ids.ts";
import type { RoomName } from "#protocol/room-name.ts";
import type { Liveness } from "../store/liveness.ts";
import type { Replica } from "../store/replica.ts";
import type { ConnectionSnapshot, PresenceSnapshot } from "../store/snapshots.ts";
import { signal, type Source } from "../store/source.ts";
import type { Bus, Store } from "../store/store.ts";
import type { Engine } from "./engine.ts";
import type { LeaderEvent } from "./leader.ts";
import type { LeadHere } from "./lead-here.ts";
import type { Ports } from "./ports.ts";
import type { Place } from "./room-pages.ts";
import type { RoomPresence, WorkspaceStatus } from "./status.ts";
import type { StorageCare } from "./storage-care.ts";
import { isTabMessage, type TabMessage } from "./tab-messages.ts";
import { untilHere } from "./until-here.ts";

export interface Tab extends Source {
  readonly id: string;
  /** The person's database, bus and lock. */
  readonly name: string;
  readonly isLeading: () => boolean;
  readonly statusOf: (workspace: WorkspaceId) => WorkspaceStatus | null;
  readonly liveness: (workspace: WorkspaceId) => Liveness;
  readonly presenceOf: (room: RoomName) => PresenceSnapshot;
  /** A workspace came on screen; which of its channels, `look` says. */
  readonly enter: (workspace: WorkspaceId) => void;
  readonly look: (workspace: WorkspaceId, channel: ChannelId | null) => void;
  readonly send: (message: TabMessage) => void;
  /** Of all workspaces that this tab syncs, on screen or not. */
  readonly replicas: () => readonly Replica[];
  /** Somebody did something here: a leader that hangs would be noticed now. */
  readonly used: () => void;
  /** Whoever leads is to begin anew, from what is stored. */
  readonly lost: () => void;
  readonly fetchHistory: (room: RoomName, place: Place) => Promise<boolean>;
  /** Calls back when the session proves to be over, or to be on again. */
  readonly onSession: (listener: (isOver: boolean) => void) => void;
  /** Calls back when a room serves later versions only. */
  readonly onOutdated: (listener: () => void) => void;
  /** The person was signed out in another tab. */
  readonly onForgotten: (listener: () => void) => void;
  /** Commits may have been missed, by this tab or by who should have told of them: what is in memory is to be read again. */
  readonly onMissed: (listener: () => void) => void;
  /** @param isOutdated a newer build has the database */
  readonly close: (isOutdated?: true) => Promise<void>;
}

export interface TabDeps {
  readonly ports: Ports;
  readonly store: Store;
  readonly bus: Bus;
  /** Names the lock. */
  readonly name: string;
  readonly me: UserId;
  readonly config: () => Config | null;
  readonly care: () => Promise<StorageCare>;
}

const CONNECTING: ConnectionSnapshot = { state: "connecting" };
const NOBODY: PresenceSnapshot = { present: new Map(), typing: [] };

export function openTab(deps: TabDeps): Tab {
  const { ports, bus } = deps;
  const id = ports.newId();
  const changes = signal();
  const statuses = new Map<WorkspaceId, WorkspaceStatus>();
  const presences = new Map<RoomName, PresenceSnapshot>();
  const sessionListeners = new Set<(isOver: boolean) => void>();
  const outdated = signal();
  const forgotten = signal();
  const missed = signal();
  let looking: { readonly workspace: WorkspaceId; readonly channel: ChannelId | null } | null = null;
  let engine: Engine | null = null;
  let leading: LeadHere | null = null;
  let version = 0;
  let isClosed = false;
  /** What it began to read now it would hold half read, and keep every other tab from storing anything meanwhile. */
  let isFrozen = false;

  const told = (): void => {
    version += 1;
    changes.tell();
  };

  /** Of the line: none where what the one before said is past, and there is nothing to be heard. */
  const statusOf = (workspace: WorkspaceId): WorkspaceStatus | null =>
    leading?.paused() ? null : (statuses.get(workspace) ?? null);

  const changed = (): void => {
    // It stays past where another takes over from this one that never began; up to when all was here is still so.
    const past = { connection: CONNECTING, flowing: [], rooms: [] };
    if (leading?.paused()) for (const [of, status] of statuses) statuses.set(of, { ...status, ...past });
    told();
  };

  const hear = (message: TabMessage): void => {
    engine?.hear(message);
    switch (message.type) {
      case "pong":
        return tell({ type: "ponged" });
      case "who":
        meet();
        // Another leads: how the last one ended nobody knows, and it may have stored more than it told.
        if (statuses.size > 0 && !isFrozen) missed.tell();
        return;
      case "history-answer":
        return leading?.asks.answered(message.ask, message.isStored);
      case "status":
        return takeStatus(message.status);
      case "presence":
        presences.set(message.presence.room, presenceSnapshot(message.presence));
        return told();
      case "forgotten":
        return forgotten.tell();
      // The rest is for the leader.
      default:
    }
  };

  const takeStatus = (status: WorkspaceStatus): void => {
    const was = statuses.get(status.workspace)?.connection.state;
    statuses.set(status.workspace, status);
    const { connection } = status;
    if (connection.state !== was) {
      if (connection.state === "refused" && connection.code === "upgrade_required") outdated.tell();
      const isOn = connection.state === "live" || connection.state === "catching-up";
      if (isOn || connection.state === "signed-out") for (const listener of sessionListeners) listener(!isOn);
    }
    told();
  };

  /** To everybody, this tab included: the leader may be here. */
  const send = (message: TabMessage): void => {
    // Screens of whoever was here before still take their leave.
    if (isClosed) return;
    bus.send(message);
    hear(message);
  };

  /** Not of one that took its leave: a page that goes is hidden after that, and would stay on screen for good. */
  const sayLook = (): void => {
    if (looking !== null && !isFrozen) send({ type: "look", tab: id, ...looking, isVisible: ports.page.isVisible() });
  };

  /** Another leads. */
  const meet = (): void => {
    sayLook();
    leading?.asks.dropped();
  };

  const lost = (): void => tell({ type: "lost" });

  const runs = (started: Engine | null): void => {
    engine = started;
    if (started !== null) meet();
  };

  let isLeaving = false;
  // Who leads is not on the way to what is on disk; a first visit has its code from a line that may be bad just then.
  const starting = Promise.resolve(ports.firstScreen)
    .then(() => untilHere(async () => (isLeaving ? null : import("./lead-here.ts")), ports.timers))
    .then((code) => {
      if (code === null || isLeaving) return null;
      leading = code.leadHere({ ...deps, tab: id, send, runs, deposed: lost, changed });
      return leading;
    });
  starting.catch(ports.report);
  /** What happens before the leader's code is here is told when it is. */
  const tell = (event: LeaderEvent): void =>
    void starting.then((started) => started?.dispatch(event)).catch(() => undefined);

  const stopBus = bus.listen((message) => {
    if (isTabMessage(message)) hear(message);
  });

  const stopPage = ports.page.listen((event) => {
    switch (event) {
      case "visible":
      case "focus":
      case "online":
        sayLook();
        tell({ type: "looked" });
        return;
      case "hidden":
        return sayLook();
      case "freeze":
      case "pagehide":
        isFrozen = true;
        send({ type: "bye", tab: id });
        return tell({ type: "frozen" });
      case "resume":
        isFrozen = false;
        missed.tell();
        tell({ type: "returned" });
        return sayLook();
      case "offline":
        return;
    }
  });

  return {
    id,
    name: deps.name,
    subscribe: changes.subscribe,
    isLeading: () => leading?.isLeading() === true,
    statusOf,
    liveness: (workspace) => ({
      subscribe: changes.subscribe,
      version: () => version,
      isFlowing: (room) => statusOf(workspace)?.flowing.includes(room) === true,
      connection: () => leading?.paused() ?? statuses.get(workspace)?.connection ?? CONNECTING,
      liveAt: () => statuses.get(workspace)?.liveAt ?? null,
    }),
    presenceOf: (room) => presences.get(room) ?? NOBODY,
    enter: (workspace) => {
      if (looking?.workspace === workspace) return;
      looking = { workspace, channel: null };
      // Not at once: a screen that is just being rendered opens it.
      queueMicrotask(sayLook);
    },
    look: (workspace, channel) => {
      // A channel takes its leave when another workspace has been entered.
      if (channel === null && looking?.workspace !== workspace) return;
      looking = { workspace, channel };
      sayLook();
      tell({ type: "looked" });
    },
    send,
    replicas: () => engine?.replicas() ?? [],
    used: () => tell({ type: "looked" }),
    lost,
    fetchHistory: async (room, place) => (await starting.catch(() => null))?.asks.fetch(room, place) ?? false,
    onSession: (listener) => void sessionListeners.add(listener),
    onOutdated: (listener) => void outdated.subscribe(listener),
    onForgotten: (listener) => void forgotten.subscribe(listener),
    onMissed: (listener) => void missed.subscribe(listener),
    close: async (isOutdated) => {
      stopPage();
      isLeaving = true;
      await leading?.close(isOutdated).catch(ports.report);
      stopBus();
      isClosed = true;
      bus.close();
    },
  };
}

function presenceSnapshot({ present, typing }: RoomPresence): PresenceSnapshot {
  return { present: new Map(present.map(({ user, state }) => [user, state])), typing };
}
