// A window on a channel: the messages held between two places, read by key range, kept by commits, grown at either end.
import type { ChannelId, MessageId } from "#protocol/ids.ts";
import { readSeq, topOf } from "./channels-view.ts";
import { rowContext, type RowDeps } from "./row-context.ts";
import { isApart } from "./liveness.ts";
import { channelRoom, emptyRoom, heardTo } from "./rooms.ts";
import type { RoomRecord } from "./schema.ts";
import type { Timeline, TimelineSnapshot } from "./timeline-snapshots.ts";
import { signal } from "./source.ts";
import type { Commit, Store } from "./store.ts";
import { readCommit } from "./timeline-commit.ts";
import { rangeAround, watchEnds, type HistoryPlace } from "./timeline-ends.ts";
import { emptyCache, timelineRows } from "./timeline-rows.ts";
import { openWindow, type Naming } from "./timeline-window.ts";

/** Rows read at opening. */
const OPENING_ROWS = 60;
/** Let go of when there are so many, down to so many. */
const TRIMMED_FROM_ROWS = 600;
const TRIMMED_TO_ROWS = 200;

export interface TimelineDeps extends RowDeps {
  readonly store: Store;
  /** Asks the room for messages that aren't held; true when they were stored. */
  readonly fetchHistory: (place: HistoryPlace) => Promise<boolean>;
  readonly now: () => number;
  readonly page: { readonly isVisible: () => boolean };
  /** What is here couldn't be read. */
  readonly report: (error: unknown) => void;
}

export function openTimeline(deps: TimelineDeps, channel: ChannelId): Timeline {
  const { store, replica, liveness } = deps;
  const room = channelRoom(replica.workspace, channel);
  const changes = signal();
  /**
   * The "New" line is drawn at the next unread, which it is once at the opening and once in each outage. False once it was;
   * null when all is up to date.
   */
  let isDue: boolean | null = true;
  let newSince: number | null = null;
  let cache = emptyCache();
  let snapshot: TimelineSnapshot | null = null;
  let listenerCount = 0;
  /** Counts the ways asked for: the last one wins. */
  let goings = 0;
  /** To a message: with nothing shown till then, or with the newest, for it takes long. */
  let way: "none" | "blank" | "shown" = "none";
  let stops: readonly (() => void)[] = [];
  const record = (): RoomRecord => replica.rooms.get(room) ?? emptyRoom(room);
  /** Where the newest part of what is held begins; 0 where nothing is. */
  const newestFrom = (): number => record().ranges.at(-1)?.from ?? 0;

  const changed = (): void => {
    snapshot = null;
    changes.tell();
  };

  const refresh = (): void => {
    showHeld();
    changed();
  };

  const isAway = (): boolean => isApart(liveness.connection());
  const window = openWindow({
    store,
    room,
    // In a channel's room every op is of a message.
    pending: () => replica.pendingOf(room).map(({ args }) => args as Naming),
    changed: refresh,
    report: deps.report,
  });
  const ends = watchEnds({
    window,
    record,
    isApart: isAway,
    fetchHistory: deps.fetchHistory,
    changed,
  });

  /** What comes while one looks on isn't new to one: only what stood here unread, or was missed, gets the line. */
  const lookForUnread = (): void => {
    const seen = readSeq(replica, channel);
    // Not where a room of another channel lags alone: what comes here comes before one's eyes.
    isDue ??= isAway() || null;
    if ((!deps.page.isVisible() || isDue) && topOf(replica, channel) > seen) {
      newSince = seen;
      isDue = false;
    }
    if (liveness.connection().state === "live") isDue = null;
  };

  const showNewest = (): void => {
    if (newestFrom() === 0) return;
    const from = Math.max(newestFrom(), record().lastSeq - OPENING_ROWS + 1);
    lookForUnread();
    window.read({ from, to: null }).catch(deps.report);
  };

  /** Cuts what is shown to what is held. Where nothing is left: what is being read, or what a link leads to, comes by itself. */
  const showHeld = (): void => {
    if (window.isReading()) return;
    const places = window.places();
    if (places !== null) {
      // Commits may have been missed by which what stood there went, or what lies between it and the end. All beyond `since` is
      // on its way ([SY4]).
      const since = record().second?.since ?? Infinity;
      const end = Math.min(places.to ?? Infinity, since);
      const from = Math.max(places.from, rangeAround(record(), end)?.from ?? since + 1);
      // Nothing is held there any more: it was cleared, it made way, or the history ends before it since it was taken back.
      if (from > (places.to ?? Math.max(newestFrom(), record().lastSeq))) window.dropAll();
      else window.dropBelow(from);
    }
    if (way !== "blank" && window.places() === null) showNewest();
  };

  /** What stood here stays until then, and its end tells. Where nothing is held, what waits is all there is to show. */
  const isOpening = (): boolean => window.places() === null && window.isReading();

  const hear = (commit: Commit): void => {
    const { put, dropsBelow, isTouched } = readCommit(commit, room, channel);
    if (dropsBelow === Infinity) window.dropAll();
    else window.dropBelow(dropsBelow);
    if (put.length > 0) lookForUnread();
    window.take(put);
    showHeld();
    if (!isOpening() && (isTouched || put.length + dropsBelow > 0)) changed();
  };

  const compute = (): TimelineSnapshot => {
    const pending = replica.pendingOf(room);
    if (!replica.isLoaded()) return { state: "loading" };
    const places = window.places();
    const isEmptyHere = places === null;
    const isOurs = replica.get("channel", channel) !== undefined && replica.confirmed("channel", channel) === undefined;
    const mayCome = !isOurs && !isAway();
    // What waits is shown where nothing else is held, though that may come.
    if (isEmptyHere && (record().cursor !== null || (mayCome && pending.length === 0))) return { state: "loading" };
    const made = timelineRows(
      window.messages(),
      places?.to == null ? pending : pending.filter(({ op }) => op !== "message.post"),
      rowContext(deps, channel, window.messageOf),
      cache,
    );
    cache = made.cache;
    // From above the gap of a comparison it goes on behind that: what was posted there is still to come ([SY4]).
    const gapSince = (places?.from ?? 0) < newestFrom() ? record().second?.since : undefined;
    return {
      state: "ready",
      messages: made.rows,
      older: isEmptyHere ? (isOurs ? "nothing" : mayCome ? "loading" : "unreachable") : ends.beyond("older"),
      newer: ends.beyond("newer"),
      newSince,
      read: readSeq(replica, channel),
      top: topOf(replica, channel),
      heardTo: gapSince ?? heardTo(record()),
      isApart: isAway(),
      isUnchecked: record().second !== null,
      isOnWay: way !== "none",
    };
  };

  const goTo = async (id: MessageId): Promise<boolean> => {
    const mine = ++goings;
    const isWanted = (): boolean => mine === goings;
    way = "blank";
    changed();
    try {
      const isThere = await seek(id, isWanted);
      // One that was overtaken has nothing to say.
      return isThere || !isWanted();
    } catch (error) {
      deps.report(error);
      return false;
    } finally {
      if (isWanted()) leaveWay();
    }
  };

  const leaveWay = (): void => {
    endWay();
    refresh();
  };

  const endWay = (): void => {
    goings += 1;
    way = "none";
  };

  const seek = async (id: MessageId, isWanted: () => boolean): Promise<boolean> => {
    await replica.loaded;
    if (window.has(id)) return true;
    // What waits stands behind the newest.
    if (replica.pendingOf(room).some(({ op, args }) => op === "message.post" && args.id === id)) {
      if (window.places()?.to !== null) showNewest();
      return true;
    }
    const places = await import("./timeline-find.ts").then(
      (code) => code.placesAround({ ...deps, room, record, changes, isWanted }, id),
      // Without its code nothing is found.
      () => null,
    );
    if (places === null || !isWanted()) return false;
    lookForUnread();
    await window.read(places);
    return true;
  };

  const start = (): void => {
    stops = [
      store.listen(hear),
      liveness.subscribe(() => {
        if (window.places() !== null) lookForUnread();
        ends.forget();
        if (!isOpening()) changed();
      }),
      // The replica hears a commit before this window does, since it listened first.
      replica.subscribe(showHeld),
      replica.readings.subscribe(() => {
        showHeld();
        const places = window.places();
        // Where it can't be read any more, what is shown stays.
        if (places !== null) window.read(places).catch(deps.report);
        else if (!isOpening()) changed();
      }),
    ];
    replica.loaded.then(refresh).catch(deps.report);
  };

  return {
    snapshot: () => (snapshot ??= compute()),
    subscribe: (listener) => {
      const stop = changes.subscribe(listener);
      if (listenerCount++ === 0) start();
      return () => {
        stop();
        if (--listenerCount > 0) return;
        for (const end of stops) end();
        endWay();
        window.leave();
        snapshot = null;
      };
    },
    loadOlder: () => void ends.loadOlder(),
    loadNewer: () => void ends.loadNewer(),
    goTo,
    stay: () => {
      if (way !== "blank") return;
      way = "shown";
      refresh();
    },
    leaveWay,
    goToNewest: () => {
      endWay();
      showNewest();
    },
    settled: () => replica.loaded.then(window.settled),
    trim: () => {
      const places = window.places();
      if (places?.to !== null) return;
      const shown = window.messages();
      // By rows and not by places: behind a hole one of mine may stand alone.
      const first = shown.length > TRIMMED_FROM_ROWS ? shown.at(-TRIMMED_TO_ROWS)?.seq : 0;
      // After a jump to the newest page the hole fills below it: thousands would be put in between, for nobody.
      const from = Math.max(newestFrom(), first ?? 0);
      if (from <= places.from) return;
      window.dropBelow(from);
      changed();
    },
  };
}
