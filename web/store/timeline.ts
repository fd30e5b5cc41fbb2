// A window on a channel: the messages held between two places, read by key range, kept by commits, grown at either end.
import type { Message } from "#protocol/entities/message.ts";
import type { ChannelId, MessageId } from "#protocol/ids.ts";
import { deliveryOf, permsIn, readSeq, topOf } from "./channels-view.ts";
import { isApart, type Liveness } from "./liveness.ts";
import { messageById, messagesBetween } from "./messages.ts";
import type { Replica } from "./replica.ts";
import { channelRoom, emptyRoom } from "./rooms.ts";
import type { RoomRecord, SeqRange } from "./schema.ts";
import type { Beyond, Timeline, TimelineSnapshot, WorkspaceRef } from "./snapshots.ts";
import { signal } from "./source.ts";
import type { Commit, Store } from "./store.ts";
import { readCommit } from "./timeline-commit.ts";
import { emptyCache, timelineRows } from "./timeline-rows.ts";
import { roleOf } from "./workspace-view.ts";

/** Rows read at opening, and at each growing. */
const OPENING_ROWS = 60;
const GROWING_ROWS = 100;

export interface TimelineDeps {
  readonly store: Store;
  readonly replica: Replica;
  readonly liveness: Liveness;
  readonly ref: () => WorkspaceRef;
  readonly now: () => number;
  /** Asks the room for messages that aren't held; true when they were stored. */
  readonly fetchHistory: (place: { readonly before: number } | { readonly around: number }) => Promise<boolean>;
}

/** The places shown: both included; `to` null follows the newest. */
interface Window {
  readonly from: number;
  readonly to: number | null;
}

export function openTimeline(deps: TimelineDeps, channel: ChannelId): Timeline {
  const { store, replica, liveness } = deps;
  const room = channelRoom(replica.workspace, channel);
  const changes = signal();
  let window: Window | null = null;
  let messages: readonly Message[] = [];
  /** Roots of replies in the window that stand outside it; null where not held. */
  const roots = new Map<MessageId, Message | null>();
  /** All was up to date when it was last looked at. */
  let isFollowing = false;
  let readAtOpening: number | null = null;
  let fetching: "older" | "newer" | null = null;
  let unreachable: "older" | "newer" | null = null;
  let isGrowing = false;
  let cache = emptyCache();
  let byId = new Map<MessageId, Message>();
  let snapshot: TimelineSnapshot | null = null;
  let listenerCount = 0;
  /** Counts the ways asked for: the last one wins. */
  let goings = 0;
  let isGoing = false;
  let stopSources: (() => void) | null = null;
  /** Reads in a row: a later one must not be overtaken by an earlier. */
  let reading: Promise<void> = Promise.resolve();
  /** Commits heard while a read is under way: it may have read what stood before them. */
  let missed: Message[] | null = null;

  const record = (): RoomRecord => replica.rooms.get(room) ?? emptyRoom(room);
  const rangeAround = (place: number): SeqRange | undefined =>
    record().ranges.find(({ from, to }) => place >= from && (to === null || place <= to));
  const newestRange = (): SeqRange | undefined => record().ranges.at(-1);

  const changed = (): void => {
    snapshot = null;
    changes.tell();
  };

  const show = (next: Window, read: readonly Message[]): void => {
    window = next;
    messages = read;
    byId = new Map(messages.map((message) => [message.id, message]));
  };

  /** Reads the window's messages; commits that land meanwhile are read again afterwards. */
  const read = (next: Window): Promise<void> => {
    reading = reading.then(async () => {
      missed = [];
      const found = await store.read(["messages", "rooms"], async (tx) => {
        const held = await tx.get("rooms", room);
        const to = next.to ?? held?.lastSeq ?? 0;
        return messagesBetween(tx, room, next.from, to);
      });
      show(next, found);
      const late = missed;
      missed = null;
      merge(late);
      await readRoots();
      changed();
    });
    return reading;
  };

  const readRoots = async (): Promise<void> => {
    const missing = new Set(
      messages.flatMap(({ root }) => (root === undefined || byId.has(root) || roots.has(root) ? [] : [root])),
    );
    if (missing.size === 0) return;
    await store.read(["messages"], async (tx) => {
      for (const id of missing) roots.set(id, (await messageById(tx, room, id)) ?? null);
    });
  };

  /** What comes while one looks on isn't new to one: only what stood here unread, or was missed, gets the line. */
  const lookForUnread = (): void => {
    const seen = readSeq(replica, channel);
    if (readAtOpening === null && !isFollowing && topOf(replica, channel) > seen) readAtOpening = seen;
    isFollowing = liveness.connection().state === "live";
  };

  const openNewest = (): Promise<void> => {
    const range = newestRange();
    if (range === undefined || missed !== null) return reading;
    const from = Math.max(range.from, record().lastSeq - OPENING_ROWS + 1);
    lookForUnread();
    unreachable = null;
    return read({ from, to: null });
  };

  const hear = (commit: Commit): void => {
    const { put, dropsAll, dropsBelow, isTouched } = readCommit(commit, room, channel);
    if (dropsAll) {
      window = null;
      messages = [];
      roots.clear();
    }
    if (dropsBelow > 0) messages = messages.filter(({ seq }) => seq >= dropsBelow);
    if (put.length > 0) {
      lookForUnread();
      missed?.push(...put);
      merge(put);
    }
    if (window === null) void openNewest();
    else if (isTouched || put.length > 0 || dropsBelow > 0) changed();
  };

  const merge = (put: readonly Message[]): void => {
    const fresh = new Map(put.map((message) => [message.id, message]));
    for (const message of put) if (roots.has(message.id)) roots.set(message.id, message);
    if (window === null) return;
    const { from, to } = window;
    const within = put.filter(({ seq }) => seq >= from && (to === null || seq <= to));
    if (within.length === 0) return;
    const kept = messages.filter(({ id }) => !fresh.has(id));
    const last = kept.at(-1)?.seq ?? 0;
    const all = [...kept, ...within];
    messages = within.every(({ seq }, i) => seq > (within[i - 1]?.seq ?? last)) ? all : all.toSorted(bySeq);
    byId = new Map(messages.map((message) => [message.id, message]));
    const needsRoots = within.some(({ root }) => root !== undefined && !byId.has(root) && !roots.has(root));
    if (needsRoots) reading = reading.then(readRoots).then(changed);
  };

  const beyond = (side: "older" | "newer"): Beyond => {
    if (window === null) return "nothing";
    const range = rangeAround(window.from);
    if (side === "newer") {
      const isAtNewest = window.to === null;
      if (isAtNewest) return "nothing";
    } else {
      const first = Math.max(1, record().floor);
      if (window.from <= first) return "nothing";
      if (range !== undefined && window.from > range.from) return fetching === side ? "loading" : "more";
    }
    if (fetching === side) return "loading";
    if (side === "newer" && range !== undefined && range.to !== null && (window.to ?? 0) < range.to) return "more";
    return unreachable === side || isApart(liveness.connection()) ? "unreachable" : "more";
  };

  const compute = (): TimelineSnapshot => {
    const pending = replica.pendingOf(room);
    if (!replica.isLoaded()) return { state: "loading" };
    const isEmptyHere = window === null;
    const isOurs = replica.confirmed("channel", channel) === undefined && replica.get("channel", channel) !== undefined;
    const mayCome = !isOurs && !isApart(liveness.connection());
    if (isEmptyHere && (mayCome || record().cursor !== null)) return { state: "loading" };
    const role = roleOf(replica, deps.ref());
    const can = permsIn(replica, channel, role);
    const policy = replica.get("workspace", replica.workspace)?.policy;
    const entity = replica.get("channel", channel);
    const made = timelineRows(
      messages,
      window?.to == null ? pending : pending.filter(({ op }) => op !== "message.post"),
      {
        me: replica.me,
        manages: can.includes("manage"),
        mayWrite: can.includes("write") && entity !== undefined && !entity.deleted && entity.archivedAt === undefined,
        editWindowMs: policy?.editWindowMs ?? null,
        now: deps.now(),
        messageOf: (id) => byId.get(id) ?? roots.get(id) ?? undefined,
        deliveryOf: (op) => deliveryOf(op, liveness),
      },
      cache,
    );
    cache = made.cache;
    return {
      state: "ready",
      messages: made.rows,
      older: isEmptyHere ? (isOurs ? "nothing" : "unreachable") : beyond("older"),
      newer: beyond("newer"),
      readAtOpening,
      top: topOf(replica, channel),
      isUnchecked: record().second !== null,
    };
  };

  const fetch = async (side: "older" | "newer", place: { before: number } | { around: number }): Promise<boolean> => {
    fetching = side;
    unreachable = null;
    changed();
    const isStored = await deps.fetchHistory(place);
    fetching = null;
    unreachable = isStored ? null : side;
    changed();
    return isStored;
  };

  const growOlder = async (mayFetch: boolean): Promise<void> => {
    if (window === null || fetching !== null || beyond("older") === "nothing") return;
    const range = rangeAround(window.from);
    if (range !== undefined && window.from > range.from) {
      return read({ ...window, from: Math.max(range.from, window.from - GROWING_ROWS) });
    }
    if (mayFetch && (await fetch("older", { before: window.from }))) await growOlder(false);
  };

  const growNewer = async (mayFetch: boolean): Promise<void> => {
    if (window?.to == null || fetching !== null) return;
    const { to } = window;
    const range = rangeAround(to);
    const last = range?.to ?? record().lastSeq;
    if (range !== undefined && to < last) {
      const next = Math.min(last, to + GROWING_ROWS);
      return read({ ...window, to: next === last && range.to === null ? null : next });
    }
    if (range?.to === null) return read({ ...window, to: null });
    if (mayFetch && (await fetch("newer", { around: to + 1 }))) await growNewer(false);
  };

  /** One growing at a time: each goes by the window it found, and a second would take back what the first added. */
  const grow = async (way: (mayFetch: boolean) => Promise<void>): Promise<void> => {
    if (isGrowing) return;
    isGrowing = true;
    try {
      await way(true);
    } finally {
      isGrowing = false;
      // Whoever was turned away asks again.
      changed();
    }
  };

  /** All of the channel is held: what isn't found here isn't anywhere. */
  const isWhole = (): boolean => {
    const { cursor, floor } = record();
    return cursor !== null && rangeAround(Math.max(1, floor))?.to === null;
  };

  /** Something of this channel, or of the connection, changed. */
  const next = (): Promise<void> =>
    new Promise((resolve) => {
      const stop = changes.subscribe(() => {
        stop();
        resolve();
      });
    });

  /** A link names a message by its id alone; one that isn't held comes with the older history, which is on its way. */
  const find = async (id: MessageId, isWanted: () => boolean): Promise<Message | undefined> => {
    while (isWanted()) {
      const message = await store.read(["messages"], (tx) => messageById(tx, room, id));
      if (message !== undefined || isWhole() || isApart(liveness.connection())) return message;
      await next();
    }
    return undefined;
  };

  const goTo = async (id: MessageId): Promise<boolean> => {
    const mine = ++goings;
    isGoing = true;
    await replica.loaded;
    if (byId.has(id)) return arrived(mine, true);
    const message = await find(id, () => mine === goings);
    const range = message === undefined ? undefined : rangeAround(message.seq);
    if (message === undefined || range === undefined) return arrived(mine, false);
    if (mine !== goings) return true;
    const to = message.seq + OPENING_ROWS / 2;
    const isAtNewest = range.to === null && to >= record().lastSeq;
    await read({
      from: Math.max(range.from, message.seq - OPENING_ROWS / 2),
      to: isAtNewest ? null : Math.min(range.to ?? to, to),
    });
    return arrived(mine, true);
  };

  /** One that was overtaken has nothing to say. */
  const arrived = (mine: number, isThere: boolean): boolean => {
    if (mine !== goings) return true;
    isGoing = false;
    if (window === null) void openNewest();
    return isThere;
  };

  const start = (): void => {
    const stopStore = store.listen(hear);
    const stopLiveness = liveness.subscribe(() => {
      if (window !== null) lookForUnread();
      changed();
    });
    // The replica hears a commit before this window does, since it listened first.
    const stopReplica = replica.subscribe(() => {
      if (window === null) void openNewest();
    });
    stopSources = () => {
      stopStore();
      stopLiveness();
      stopReplica();
    };
    // Unless a link led elsewhere already.
    void replica.loaded.then(() => (window === null && !isGoing ? openNewest() : undefined)).then(changed);
  };

  return {
    snapshot: () => (snapshot ??= compute()),
    subscribe: (listener) => {
      const stop = changes.subscribe(listener);
      if (listenerCount++ === 0) start();
      return () => {
        stop();
        if (--listenerCount > 0) return;
        stopSources?.();
        stopSources = null;
        goings += 1;
        isGoing = false;
        window = null;
        snapshot = null;
      };
    },
    loadOlder: () => void grow(growOlder),
    loadNewer: () => void grow(growNewer),
    goTo,
    goToNewest: () => {
      goings += 1;
      isGoing = false;
      void openNewest();
    },
  };
}

function bySeq(one: Message, other: Message): number {
  return one.seq - other.seq;
}
