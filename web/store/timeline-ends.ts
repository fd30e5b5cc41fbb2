// The two ends of a timeline's window: what lies beyond them, and growing towards it, from the device and then the room.
import { heardTo } from "./rooms.ts";
import type { RoomRecord, SeqRange } from "./schema.ts";
import type { Beyond } from "./timeline-snapshots.ts";
import type { TimelineWindow } from "./timeline-window.ts";

/** Rows read at each growing. */
const GROWING_ROWS = 100;

type Side = "older" | "newer";
export type HistoryPlace = { readonly before: number } | { readonly around: number };

export interface EndsDeps {
  readonly window: TimelineWindow;
  readonly record: () => RoomRecord;
  /** Nothing can arrive for now. */
  readonly isApart: () => boolean;
  /** Asks the room for messages that aren't held; true when they were stored. */
  readonly fetchHistory: (place: HistoryPlace) => Promise<boolean>;
  readonly changed: () => void;
}

export interface TimelineEnds {
  readonly beyond: (side: Side) => Beyond;
  readonly loadOlder: () => Promise<void>;
  readonly loadNewer: () => Promise<void>;
  /** What couldn't be had before may be tried anew. */
  readonly forget: () => void;
}

export function rangeAround(room: RoomRecord, place: number): SeqRange | undefined {
  return room.ranges.find(({ from, to }) => place >= from && (to === null || place <= to));
}

export function watchEnds({ window, record, isApart, fetchHistory, changed }: EndsDeps): TimelineEnds {
  let fetching: Side | null = null;
  let unreachable: Side | null = null;
  let isGrowing = false;

  const beyond = (side: Side): Beyond => {
    const places = window.places();
    if (places === null) return "nothing";
    const { from, to } = places;
    const isOlder = side === "older";
    if (isOlder ? from <= Math.max(1, record().floor) : to === null) return "nothing";
    // Cut off, what was asked for may still be waited for, and doesn't come.
    if (fetching === side && !isApart()) return "loading";
    const range = rangeAround(record(), from);
    const end = range?.to ?? Infinity;
    if (range !== undefined && (isOlder ? from > range.from : (to ?? 0) < end)) return "more";
    return unreachable === side || isApart() ? "unreachable" : "more";
  };

  /** Answers whether the window may grow by it now. */
  const fetch = async (side: Side, place: HistoryPlace): Promise<boolean> => {
    fetching = side;
    unreachable = null;
    changed();
    const isStored = await fetchHistory(place);
    fetching = null;
    unreachable = isStored ? null : side;
    changed();
    return isStored && !window.isReading();
  };

  const growOlder = async (mayFetch: boolean): Promise<void> => {
    const places = window.places();
    if (places === null || fetching !== null || beyond("older") === "nothing") return;
    const range = rangeAround(record(), places.from);
    if (range !== undefined && places.from > range.from) {
      // Over a hole at once.
      const heard = Math.min(places.from, heardTo(record()) + 1);
      return window.read({ ...places, from: Math.max(range.from, heard - GROWING_ROWS) });
    }
    if (mayFetch && (await fetch("older", { before: places.from }))) await growOlder(false);
  };

  const growNewer = async (mayFetch: boolean): Promise<void> => {
    const places = window.places();
    if (places?.to == null || fetching !== null) return;
    const { to } = places;
    const range = rangeAround(record(), to);
    const last = range?.to ?? record().lastSeq;
    if (range !== undefined && to < last) {
      const next = Math.min(last, to + GROWING_ROWS);
      return window.read({ ...places, to: next === last && range.to === null ? null : next });
    }
    if (range?.to === null) return window.read({ ...places, to: null });
    if (mayFetch && (await fetch("newer", { around: to + 1 }))) await growNewer(false);
  };

  /** One growing at a time: each goes by the window it found, and a second would take back what the first added. */
  const grow = async (way: (mayFetch: boolean) => Promise<void>): Promise<void> => {
    // Nor while it moves elsewhere: that one's end asks again.
    if (isGrowing || window.isReading()) return;
    isGrowing = true;
    try {
      await way(true);
    } finally {
      isGrowing = false;
      // Whoever was turned away asks again.
      changed();
    }
  };

  return {
    beyond,
    loadOlder: () => grow(growOlder),
    loadNewer: () => grow(growNewer),
    forget: () => {
      unreachable = null;
    },
  };
}
