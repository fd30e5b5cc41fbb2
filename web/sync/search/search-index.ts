// The index of a device: segments that never change, which of their messages still count, and messages that came since
// the last one was made. A message edited or deleted stops counting where it stood and comes anew, so a question is
// answered from what stands now. Few large segments are kept by merging.
import { allBits, countOf, drop, eachFromLast, has, type Bits } from "./bits.ts";
import { buildSegment, mergeSegments } from "./build-segment.ts";
import { matching, scores } from "./evaluate.ts";
import type { Doc, Query } from "./query.ts";
import { docAt, SEGMENT_MAX, segmentBytes, type Segment } from "./segment.ts";

export interface Part {
  readonly segment: Segment;
  readonly alive: Bits;
  /** Names it where it is stored; null until it is. */
  readonly key: number | null;
}

export interface Place {
  readonly room: string;
  readonly seq: number;
}

export interface Found {
  readonly total: number;
  /** The first of them, in the order asked for. */
  readonly places: readonly Place[];
}

export type Order = "newest" | "best";

export interface Asked {
  readonly query: Query;
  readonly order: Order;
  readonly limit: number;
  /** Epoch ms. */
  readonly now: number;
}

/** Messages that wait to become a segment; a question makes one of them at once. */
const FRESH_MAX = 2_048;
/** With more of them a question is slowed by their number. */
const PARTS_MAX = 32;
/** A segment takes in those that are at least this share of it. */
const MERGE_FROM = 1 / 2;

export class SearchIndex {
  #parts: Part[];
  readonly #fresh = new Map<string, Doc>();
  /** Raised by every change. */
  version = 0;

  constructor(parts: readonly Part[] = []) {
    this.#parts = [...parts];
  }

  /** In place of what stood there, unless that is as new. */
  put(doc: Doc): void {
    const key = keyOf(doc);
    const waiting = this.#fresh.get(key);
    if (waiting !== undefined && waiting.rev >= doc.rev) return;
    for (const { segment, alive } of this.#parts) {
      const at = docAt(segment, doc.room, doc.at, doc.seq);
      if (at < 0 || !has(alive, at)) continue;
      if ((segment.rev[at] ?? 0) >= doc.rev) return;
      drop(alive, at);
    }
    this.version += 1;
    this.#fresh.set(key, doc);
    if (this.#fresh.size >= FRESH_MAX) this.flush();
  }

  remove({ room, seq, at }: Pick<Doc, "room" | "seq" | "at">): void {
    const wasFresh = this.#fresh.delete(keyOf({ room, seq }));
    let isHeld = false;
    for (const { segment, alive } of this.#parts) {
      const doc = docAt(segment, room, at, seq);
      if (doc < 0 || !has(alive, doc)) continue;
      drop(alive, doc);
      isHeld = true;
    }
    if (wasFresh || isHeld) this.version += 1;
  }

  /** Those of a room for which `isGone` answers true. */
  removeWhere(room: string, isGone: (seq: number) => boolean): void {
    for (const [key, doc] of this.#fresh) if (doc.room === room && isGone(doc.seq)) this.#fresh.delete(key);
    for (const { segment, alive } of this.#parts) {
      const local = segment.rooms.indexOf(room);
      if (local < 0) continue;
      eachFromLast(alive, (doc) => {
        if (segment.room[doc] === local && isGone(segment.seq[doc] ?? 0)) drop(alive, doc);
        return true;
      });
    }
    this.version += 1;
  }

  /** Makes a segment of what waits. */
  flush(): void {
    if (this.#fresh.size === 0) return;
    const docs = [...this.#fresh.values()];
    this.#fresh.clear();
    this.#parts.push({ segment: buildSegment(docs), alive: allBits(docs.length), key: null });
    // While much is said and asked by turns, each question makes one of a few messages.
    if (this.#parts.length > PARTS_MAX) this.tidy();
  }

  /** One merge, where one is due. Answers whether it was: there may be another. */
  tidy(): boolean {
    const sized = this.#parts
      .map((part) => ({ part, count: countOf(part.alive) }))
      .toSorted((one, other) => one.count - other.count);
    const group: Part[] = [];
    let sum = 0;
    for (const { part, count } of sized) {
      if (sum + count > SEGMENT_MAX || (group.length > 0 && sum < count * MERGE_FROM)) break;
      group.push(part);
      sum += count;
    }
    const [only] = group;
    const isWorth = group.length > 1 || (only !== undefined && sum * 2 < only.segment.count);
    if (!isWorth) return false;
    const segment = mergeSegments(group);
    const others = this.#parts.filter((part) => !group.includes(part));
    this.#parts = segment.count === 0 ? others : [...others, { segment, alive: allBits(segment.count), key: null }];
    return true;
  }

  /** @param isIn which rooms are searched at all */
  find({ query, order, limit, now }: Asked, isIn: (room: string) => boolean): Found {
    this.flush();
    let total = 0;
    const best: Candidate[] = [];
    for (const { segment, alive } of this.#parts) {
      const bits = matching(segment, alive, isIn, query);
      const count = countOf(bits);
      if (count === 0) continue;
      total += count;
      best.push(
        ...(order === "newest"
          ? newest(segment, bits, limit)
          : highest(segment, bits, limit, scores(segment, bits, query, now))),
      );
    }
    return {
      total,
      places: best
        .sort(byRank)
        .slice(0, limit)
        .map(({ room, seq }) => ({ room, seq })),
    };
  }

  /** How many are searched, and how far back they go. */
  extent(isIn: (room: string) => boolean): { readonly count: number; readonly oldestAt: number | null } {
    this.flush();
    let count = 0;
    let oldestAt: number | null = null;
    for (const { segment, alive } of this.#parts) {
      const isRoom = segment.rooms.map(isIn);
      for (let doc = 0; doc < segment.count; doc += 1) {
        if (!has(alive, doc) || isRoom[segment.room[doc] ?? 0] !== true) continue;
        const at = segment.at[doc] ?? 0;
        if (oldestAt === null || at < oldestAt) oldestAt = at;
        count += 1;
      }
    }
    return { count, oldestAt };
  }

  roomsHeld(): Set<string> {
    this.flush();
    return new Set(this.#parts.flatMap(({ segment }) => segment.rooms));
  }

  /** As it stands; what waits included. */
  parts(): readonly Part[] {
    this.flush();
    return this.#parts;
  }

  /** They are stored under these keys now. */
  stored(keys: ReadonlyMap<Segment, number>): void {
    this.#parts = this.#parts.map((part) => ({ ...part, key: keys.get(part.segment) ?? part.key }));
  }

  bytes(): number {
    return this.#parts.reduce((sum, { segment, alive }) => sum + segmentBytes(segment) + alive.byteLength, 0);
  }
}

function keyOf({ room, seq }: Pick<Doc, "room" | "seq">): string {
  return `${room}/${seq}`;
}

interface Candidate extends Place {
  readonly rank: number;
  readonly at: number;
}

function byRank(one: Candidate, other: Candidate): number {
  return (
    other.rank - one.rank ||
    other.at - one.at ||
    (one.room < other.room ? -1 : one.room > other.room ? 1 : other.seq - one.seq)
  );
}

function candidate(segment: Segment, doc: number, rank: number): Candidate {
  const room = segment.rooms[segment.room[doc] ?? 0] ?? "";
  return { room, seq: segment.seq[doc] ?? 0, at: segment.at[doc] ?? 0, rank };
}

/** Messages of one time stand by room and seq, so all of the last time are looked at. */
function newest(segment: Segment, bits: Bits, limit: number): Candidate[] {
  const found: Candidate[] = [];
  eachFromLast(bits, (doc) => {
    const last = found[limit - 1];
    if (last !== undefined && last.at !== segment.at[doc]) return false;
    found.push(candidate(segment, doc, 0));
    return true;
  });
  return found;
}

/** The best of many without sorting them all: what can't be among the first any more is passed over. */
function highest(segment: Segment, bits: Bits, limit: number, ranks: Float32Array): Candidate[] {
  let found: Candidate[] = [];
  let least = -Infinity;
  eachFromLast(bits, (doc) => {
    const rank = ranks[doc] ?? 0;
    if (rank < least) return true;
    found.push(candidate(segment, doc, rank));
    if (found.length < 2 * limit + 64) return true;
    found = found.sort(byRank).slice(0, limit);
    least = found.at(-1)?.rank ?? least;
    return true;
  });
  return found;
}
