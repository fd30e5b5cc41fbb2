// A part of the index that never changes: up to 65,536 messages in the order of time, what is known of each in typed
// arrays, and for each term where it stands. Arrays and one string only, so that it is stored and read back as it is.
//
// A term's postings are numbers in 7-bit groups: in `docs` the steps from each message that has it to the next; in
// `places`, for each of those messages, the steps from place to place, doubled, odd where another place follows.

export const SEGMENT_MAX = 65_536;

export interface Segment {
  readonly count: number;
  /** In order; `room` and `author` point into these. */
  readonly rooms: readonly string[];
  readonly authors: readonly string[];
  /** By message, ordered by (at, room, seq). */
  readonly at: Float64Array<ArrayBuffer>;
  readonly room: Uint16Array<ArrayBuffer>;
  readonly author: Uint16Array<ArrayBuffer>;
  readonly seq: Uint32Array<ArrayBuffer>;
  readonly rev: Uint32Array<ArrayBuffer>;
  readonly facts: Uint8Array<ArrayBuffer>;
  /** Terms in the message, 255 for more. */
  readonly size: Uint8Array<ArrayBuffer>;
  /** All terms in the order of UTF-16 units, one behind the other; each array has one more entry, for the end. */
  readonly dictionary: string;
  readonly termStarts: Uint32Array<ArrayBuffer>;
  readonly docStarts: Uint32Array<ArrayBuffer>;
  readonly placeStarts: Uint32Array<ArrayBuffer>;
  readonly docs: Uint8Array<ArrayBuffer>;
  readonly places: Uint8Array<ArrayBuffer>;
}

export function termAt({ dictionary, termStarts }: Segment, index: number): string {
  return dictionary.slice(termStarts[index], termStarts[index + 1]);
}

/** Where the term is or would be: below 0, 0 or above 0 as the one in the dictionary stands before, at or behind it. */
function compareAt({ dictionary, termStarts }: Segment, index: number, term: string): number {
  const start = termStarts[index] ?? 0;
  const length = (termStarts[index + 1] ?? 0) - start;
  const shared = Math.min(length, term.length);
  for (let i = 0; i < shared; i += 1) {
    const difference = dictionary.charCodeAt(start + i) - term.charCodeAt(i);
    if (difference !== 0) return difference;
  }
  return length - term.length;
}

function firstTerm(segment: Segment, isAtOrBehind: (index: number) => boolean): number {
  let low = 0;
  let high = segment.termStarts.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isAtOrBehind(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The terms meant, as a range of indexes: one or none, or, where it is open, all that begin so. */
export function termsOf(segment: Segment, term: string, isOpen: boolean): readonly [from: number, to: number] {
  const from = firstTerm(segment, (index) => compareAt(segment, index, term) >= 0);
  if (!isOpen) {
    const isThere = from < segment.termStarts.length - 1 && compareAt(segment, from, term) === 0;
    return [from, isThere ? from + 1 : from];
  }
  const begins = (index: number): boolean => segment.dictionary.startsWith(term, segment.termStarts[index]);
  const isLong = (index: number): boolean =>
    (segment.termStarts[index + 1] ?? 0) - (segment.termStarts[index] ?? 0) >= term.length;
  const to = firstTerm(segment, (index) => compareAt(segment, index, term) > 0 && !(begins(index) && isLong(index)));
  return [from, Math.max(from, to)];
}

/** The first message at or behind this place in the order of (at, room, seq). */
export function docFrom(segment: Segment, at: number, room: number, seq: number): number {
  let low = 0;
  let high = segment.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    const difference =
      (segment.at[middle] ?? 0) - at || (segment.room[middle] ?? 0) - room || (segment.seq[middle] ?? 0) - seq;
    if (difference >= 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The message at this place, or -1. */
export function docAt(segment: Segment, room: string, at: number, seq: number): number {
  const local = segment.rooms.indexOf(room);
  if (local < 0) return -1;
  const doc = docFrom(segment, at, local, seq);
  const isIt = doc < segment.count && segment.at[doc] === at && segment.room[doc] === local && segment.seq[doc] === seq;
  return isIt ? doc : -1;
}

export function segmentBytes(segment: Segment): number {
  return Object.values(segment).reduce<number>(
    (sum, part) => sum + (ArrayBuffer.isView(part) ? part.byteLength : typeof part === "string" ? part.length : 0),
    0,
  );
}
