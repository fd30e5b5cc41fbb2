// What of a room's replica the index holds, and what it has to read when the replica has moved on without it. Pure.
import { withGap } from "../../store/ranges.ts";
import type { RoomRecord } from "../../store/schema.ts";

/** The part of a room's record that changes with its messages. */
export interface Coverage extends Pick<
  RoomRecord,
  "epoch" | "generation" | "cursor" | "ranges" | "second" | "floor" | "lastSeq" | "heldCount"
> {
  /**
   * How far beyond the cursor the room is known to be: by an answer, or since not all that was missed is here, of which the
   * cursor may count posts that come with a later rev. Undefined where it isn't.
   */
  readonly ahead?: number | undefined;
}

/** Seqs, both ends included. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Plan {
  /** To be read, newest first. */
  readonly read: readonly Span[];
  /** Held by the index, not on the device any more. */
  readonly drop: readonly Span[];
  /** What isn't found while reading is gone: anything may have changed. */
  readonly isWhole: boolean;
}

export function coverageOf(room: RoomRecord): Coverage {
  const { epoch, generation, cursor, ranges, second, floor, lastSeq, heldCount, head, answered = 0 } = room;
  const known = Math.max(head, answered);
  const ahead = known > (cursor ?? 0) ? known : undefined;
  return { epoch, generation, cursor, ranges, second, floor, lastSeq, heldCount, ahead };
}

/** Null where nothing changed. */
export function planOf(before: Coverage | undefined, now: Coverage): Plan | null {
  if (before === undefined) return { read: spansOf(now).toReversed(), drop: [], isWhole: true };
  if (JSON.stringify(before) === JSON.stringify(now)) return null;
  const [was, is] = [spansOf(before), spansOf(now)];
  if (!isOnlyMore(before, now)) return { read: is.toReversed(), drop: minus(was, is), isWhole: true };
  return { read: minus(is, was).toReversed(), drop: minus(was, is), isWhole: false };
}

/**
 * Each rev since may have been a post, so that no message held before changed its text: whether each was, shows in what is
 * read, for a room writes several lines in one step. Replies do change their root, but only in what it counts; the reader
 * looks after that.
 */
function isOnlyMore(before: Coverage, now: Coverage): boolean {
  if (before.epoch !== now.epoch || before.generation !== now.generation) return false;
  if (JSON.stringify(before.second) !== JSON.stringify(now.second)) return false;
  if (before.cursor === null || now.cursor === null) return false;
  // A post that the cursor doesn't count yet would stand for an edit that it does, and an edit for nothing.
  if (before.ahead !== undefined || now.ahead !== undefined) return false;
  const [revs, posts] = [now.cursor - before.cursor, now.lastSeq - before.lastSeq];
  return revs >= 0 && revs <= posts;
}

/**
 * Which seqs are on the device. In the gap of a comparison some are, and when that is through it is told of as whole: what
 * was there already has to be read by then.
 */
export function spansOf({
  floor,
  lastSeq,
  ...held
}: Pick<Coverage, "ranges" | "second" | "floor" | "lastSeq">): Span[] {
  return withGap(held)
    .map((range) => ({ from: Math.max(range.from, floor, 1), to: Math.min(range.to ?? lastSeq, lastSeq) }))
    .filter(({ from, to }) => from <= to);
}

/** What is in the first and not in the second; both ascending. */
export function minus(spans: readonly Span[], others: readonly Span[]): Span[] {
  return spans.flatMap((span) => {
    const left: Span[] = [];
    let { from } = span;
    for (const other of others) {
      if (other.to < from || other.from > span.to) continue;
      if (other.from > from) left.push({ from, to: other.from - 1 });
      from = other.to + 1;
    }
    return from <= span.to ? [...left, { from, to: span.to }] : left;
  });
}

export function sizeOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { from, to }) => sum + to - from + 1, 0);
}
