// From messages to the rows of the list. Pure: what stands above a message (day, "New") belongs to its row, so that
// rows only ever come and go at the ends and the list keeps its place.
import type { MessageId } from "#protocol/ids.ts";
import { GROUP_WITHIN_MS } from "#protocol/limits.ts";
import type { TimelineMessage, TimelineSnapshot } from "../../store/timeline-snapshots.ts";
import { startOfDay } from "../../ui/time.ts";

export interface TimelineRow {
  readonly message: TimelineMessage;
  /** The first of its day, as shown; epoch ms. */
  readonly day: number | null;
  /** The "New" line stands above it. */
  readonly isFirstNew: boolean;
  /** Begins a group: shown with author and picture. */
  readonly isHead: boolean;
}

export function timelineRows(messages: readonly TimelineMessage[], newSince: number | null): readonly TimelineRow[] {
  const firstNew = newSince === null ? undefined : messages.find((message) => isNewAfter(message, newSince));
  return messages.map((message, at) => {
    const before = messages[at - 1];
    const day = before === undefined || startOfDay(before.at) !== startOfDay(message.at) ? message.at : null;
    const isFirstNew = message === firstNew;
    return { message, day, isFirstNew, isHead: day !== null || isFirstNew || !continues(before, message) };
  });
}

/** What I wrote myself is never new to me, nor is what is there no more. */
function isNewAfter(message: TimelineMessage, seq: number): boolean {
  return (message.seq ?? 0) > seq && !message.isMine && !message.isDeleted && message.system === undefined;
}

function continues(before: TimelineMessage | undefined, message: TimelineMessage): boolean {
  return (
    before !== undefined &&
    before.author === message.author &&
    before.system === undefined &&
    message.system === undefined &&
    message.quote === undefined &&
    Math.abs(message.at - before.at) < GROUP_WITHIN_MS
  );
}

/**
 * What is on the screen joins what was read: the rows reach down to that, and none above the screen is new.
 * @param first the index of the first row on the screen; -1 where that isn't known
 * @param isWhole nothing comes before the rows
 */
export function joins(rows: readonly TimelineRow[], first: number, read: number, isWhole: boolean): boolean {
  const reaches = isWhole || (rows[0]?.message.seq ?? 0) <= read + 1;
  return reaches && first >= 0 && !rows.slice(0, first).some(({ message }) => isNewAfter(message, read));
}

/** How one list of rows became the next, for the virtual list. */
export interface Movement {
  /** What the list shows now. */
  readonly rows: readonly TimelineRow[];
  /** What it is to show: differs only where rows came at both ends, for the list takes one end at a time. */
  readonly goal: readonly TimelineRow[];
  /** Rows came or went at the start: the place is kept from the end. */
  readonly isShift: boolean;
  /** Rises when the window moved elsewhere and no place can be kept. */
  readonly generation: number;
}

export function movementOf(rows: readonly TimelineRow[]): Movement {
  return { rows, goal: rows, isShift: false, generation: 0 };
}

/** @param editing the message whose row somebody types in: it isn't made anew, whatever becomes of the rest */
export function moved(from: Movement, rows: readonly TimelineRow[], editing: MessageId | null = null): Movement {
  const [oldFirst, newFirst] = [from.rows[0]?.message.id, rows[0]?.message.id];
  if (oldFirst === newFirst || oldFirst === undefined || newFirst === undefined) {
    return { ...from, rows, goal: rows, isShift: false };
  }
  const isShift = placeOf(rows, oldFirst) >= 0 || placeOf(from.rows, newFirst) >= 0;
  if (!isShift) {
    const isHeld = editing !== null && placeOf(from.rows, editing) >= 0 && placeOf(rows, editing) >= 0;
    return { rows, goal: rows, isShift, generation: from.generation + (isHeld ? 0 : 1) };
  }
  const oldLast = placeOf(rows, from.rows.at(-1)?.message.id);
  return { ...from, rows: oldLast < 0 ? rows : rows.slice(0, oldLast + 1), goal: rows, isShift };
}

/** The second half of a movement that had two. */
export function arrived(movement: Movement): Movement {
  return { ...movement, rows: movement.goal, isShift: false };
}

export function placeOf(rows: readonly TimelineRow[], message: MessageId | null | undefined): number {
  return rows.findIndex((row) => row.message.id === message);
}

/** The places of so many rows at the end, in order. */
export function lastPlaces(rows: readonly TimelineRow[], count: number): readonly number[] {
  const length = Math.min(rows.length, count);
  return Array.from({ length }, (_, at) => rows.length - length + at);
}

/** Messages of others that came after a place. */
export function newAfter(messages: readonly TimelineMessage[], seq: number): readonly TimelineMessage[] {
  return messages.filter((message) => isNewAfter(message, seq));
}

/** Behind this place one hasn't been when one leaves the newest: all that is known by then, also where a link led far up. */
export function placeLeft(snapshot: Extract<TimelineSnapshot, { readonly state: "ready" }>): number {
  const { messages, newer, top, heardTo } = snapshot;
  return newer === "nothing" ? Math.min(heardTo, lastSeq(messages)) : Math.max(lastSeq(messages), top);
}

export function lastSeq(messages: readonly TimelineMessage[]): number {
  return messages.findLast(({ seq }) => seq !== null)?.seq ?? 0;
}
