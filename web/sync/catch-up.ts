// What a frame means for what a room's replica holds: cursor, ranges, generation. Pure; stored by replica-store.ts in the
// transaction that also stores the entities, so that a cursor never runs ahead of them.
//
// A channel's replica promises: every message with its seq in a range that last changed at or before the cursor is held,
// in the state it had then or a later one. Older ranges promise it for the second cursor while there is one ([SY4]). So
// does the gap that lies between them and the newest page: all of it was posted after that cursor. What a comparison
// brings is therefore kept there too, and when it is through the gap is closed.
import type { Changes } from "#protocol/frames/changes.ts";
import type { History } from "#protocol/frames/history.ts";
import type { Snapshot } from "#protocol/frames/snapshot.ts";
import { withoutBelow } from "../store/freeing.ts";
import { joinedRanges, withGap } from "../store/ranges.ts";
import { heardTo, isBegun } from "../store/rooms.ts";
import type { RoomRecord, SeqRange } from "../store/schema.ts";

export type Verdict =
  | { readonly do: "ignore" }
  /** Something lies between: ask for all after the cursor first. What was told of goes up to this rev at least. */
  | { readonly do: "pull"; readonly to: number }
  /** A page that is out of date: asked again it won't be. */
  | { readonly do: "ask-again" }
  /** Say hello again with nothing in hand. */
  | { readonly do: "start-over" }
  | {
      readonly do: "store";
      readonly room: RoomRecord;
      /** Another pull is due. */
      readonly more: boolean;
      /** All that was held is of another history and goes first. */
      readonly drops: boolean;
      /** The reset is through: entities of earlier generations go. */
      readonly sweeps: boolean;
    };

type Step = Pick<Changes, "from" | "to" | "more"> & { readonly reset?: boolean };

/** @param epoch what `welcome` said on this connection */
export function judgeChanges(room: RoomRecord, frame: Step, epoch: string): Verdict {
  const { from, to, more } = frame;
  // It went while its line was open: on what isn't there nothing is put.
  if (!isBegun(room)) return { do: "start-over" };
  if (frame.reset === true) {
    if (from !== 0 || room.ranges.length > 0) return { do: "start-over" };
    const generation = room.generation + 1;
    const next: RoomRecord = {
      ...room,
      epoch,
      cursor: to,
      head: Math.max(to, room.head),
      generation,
      isSweeping: more,
    };
    return { do: "store", room: next, more, drops: false, sweeps: !more };
  }
  // What is held is of another history, whose end this device couldn't store ([SV4]).
  if (room.cursor !== null && room.epoch !== epoch) return { do: "start-over" };
  const cursor = room.cursor ?? 0;
  const advances = from <= cursor && to > cursor;
  const second = secondAfter(room, from, to);
  const isChecked = second !== room.second;
  // What lay between the older messages and the newest page came with the comparison, to the last of it.
  const ranges = isChecked && second === null ? withGap(room) : room.ranges;
  if (!advances && !isChecked) {
    if (to > cursor) return { do: "pull", to };
    // A page that brought nothing new may still be the last of a reset, or say that all is known.
    if (room.cursor !== null && !(room.isSweeping && !more)) return { do: "ignore" };
  }
  // Pages in which somebody who joined just now is among the last: until then this is no whole directory.
  const isComing = room.isSweeping || (room.cursor === null && more);
  const isThrough = isComing && !more && to >= cursor;
  return {
    do: "store",
    room: {
      ...room,
      epoch,
      cursor: advances ? to : cursor,
      head: Math.max(room.head, to),
      second,
      ranges,
      // What changed since the newest page may be missing in it still: how far all is here is looked for anew.
      ...(ranges !== room.ranges && { heardTo: Math.min(heardTo(room), room.second?.since ?? Infinity) }),
      isSweeping: isComing && !isThrough,
    },
    more: more && advances,
    drops: false,
    sweeps: isThrough,
  };
}

function secondAfter(room: RoomRecord, from: number, to: number): RoomRecord["second"] {
  const { second } = room;
  if (second === null || from > second.cursor || to <= second.cursor) return second;
  return to >= second.upTo ? null : { ...second, cursor: to };
}

export function judgeSnapshot(room: RoomRecord, frame: Omit<Snapshot, "t">): Verdict & { readonly do: "store" } {
  const { head, epoch, entities } = frame;
  const lastSeq = entities.reduce((last, entity) => (entity.kind === "message" ? Math.max(last, entity.seq) : last), 0);
  const newest: SeqRange = { from: frame.oldest ?? 1, to: null };
  const isSameHistory = room.cursor !== null && room.epoch === epoch && head >= room.cursor && room.ranges.length > 0;
  if (!isSameHistory) {
    const fresh: RoomRecord = {
      ...room,
      epoch,
      head,
      cursor: head,
      ranges: [newest],
      second: null,
      heardTo: newest.from - 1,
      answered: 0,
      lastSeq,
      top: 0,
      heldCount: 0,
      heldBytes: 0,
      oldestAt: null,
      naming: [],
    };
    return { do: "store", room: fresh, more: false, drops: room.ranges.length > 0, sweeps: false };
  }
  // What stands behind a hole comes once more.
  const since = heardTo(room);
  const held = room.ranges.map((range) => (range.to === null ? { ...range, to: since } : range));
  const older = held.filter(({ from, to }) => to !== null && to >= from);
  const second = { cursor: room.cursor ?? 0, since, ...room.second, upTo: head };
  // Also where all that is held is one's own, answered beyond what had been heard of.
  const isUnchecked = (older.length > 0 || room.lastSeq > since) && second.cursor < head;
  const next: RoomRecord = {
    ...room,
    head,
    cursor: head,
    ranges: joinedRanges([...older, newest]),
    second: isUnchecked ? second : null,
    heardTo: since,
    lastSeq: Math.max(lastSeq, room.lastSeq),
  };
  return { do: "store", room: next, more: false, drops: false, sweeps: false };
}

/** The newest page over HTTP is a snapshot, unless a link was quicker. */
export function judgeNewest(room: RoomRecord, page: Pick<History, "messages" | "more" | "rev" | "epoch">): Verdict {
  const { messages, more, rev, epoch } = page;
  if (epoch === undefined || (isBegun(room) && epoch === room.epoch && rev <= (room.cursor ?? -1)))
    return { do: "ignore" };
  const oldest = more ? (messages[0]?.seq ?? null) : null;
  return judgeSnapshot(room, { head: rev, epoch, entities: messages, oldest, reset: false });
}

/**
 * A page of older messages. Below the cursor it is out of date: asked again, it is of a later rev, and nothing is stored
 * of it before ([SY6]).
 * @param asked what it answers: a page before a place reaches up to that place
 */
export function judgeHistory(
  room: RoomRecord,
  page: Pick<History, "messages" | "more" | "rev" | "epoch">,
  asked: { readonly before: number } | { readonly around: number },
): Verdict {
  if (room.cursor === null || room.ranges.length === 0) return { do: "ignore" };
  if (page.epoch !== undefined && page.epoch !== room.epoch) return { do: "start-over" };
  if (page.rev < room.cursor) return { do: "ask-again" };
  const first = page.messages[0]?.seq;
  const last = "before" in asked ? asked.before - 1 : page.messages.at(-1)?.seq;
  if (last === undefined) return { do: "ignore" };
  // Nothing older than this page: it reaches to the beginning, whatever seq that is.
  const from = page.more ? first : 1;
  if (from === undefined || from > last) return { do: "ignore" };
  const ranges = joinedRanges([...room.ranges, { from, to: last }]);
  // A later state of what is held already: nothing else of the record says that it came.
  const answered = Math.max(room.answered ?? 0, ...page.messages.map(({ rev }) => rev));
  return { do: "store", room: { ...room, ranges, answered }, more: false, drops: false, sweeps: false };
}

/** Whether a message at this place is kept: it stands in a range, or is on its way to one. */
export function isKept({ ranges, second }: RoomRecord, seq: number): boolean {
  if (second?.since !== undefined && seq > second.since) return true;
  return ranges.some(({ from, to }) => seq >= from && (to === null || seq <= to));
}

/** The replica after retention moved the floor ([RV3]). */
export function aboveFloor(room: RoomRecord, floor: number): RoomRecord {
  if (floor <= room.floor) return room;
  const naming = room.naming.filter((seq) => seq >= floor);
  return { ...withoutBelow(room, floor), floor, naming };
}
