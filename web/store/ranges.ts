// Lists of places: in order, apart from each other, the last one open. Pure.
import type { RoomRecord, SeqRange } from "./schema.ts";

/** Ranges in order, made one where they meet. */
export function joinedRanges(ranges: readonly SeqRange[]): readonly SeqRange[] {
  const list: SeqRange[] = [];
  for (const range of ranges.toSorted((one, other) => one.from - other.from)) {
    const last = list.at(-1);
    if (last === undefined || (last.to !== null && last.to + 1 < range.from)) list.push(range);
    else list[list.length - 1] = { from: last.from, to: endOf(last.to, range.to) };
  }
  return list;
}

/** With the gap between the older messages and the newest page, which a comparison is filling ([SY4]). */
export function withGap({ ranges, second }: Pick<RoomRecord, "ranges" | "second">): readonly SeqRange[] {
  const newest = ranges.at(-1);
  if (second?.since === undefined || newest === undefined || newest.from <= second.since + 1) return ranges;
  return joinedRanges([...ranges, { from: second.since + 1, to: newest.from - 1 }]);
}

function endOf(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : Math.max(one, other);
}
