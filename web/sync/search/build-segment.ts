// Makes a segment of messages, and one of several segments. Pure.
import { has } from "./bits.ts";
import { eachToken } from "./fold.ts";
import { eachPlace, PLACES_MAX, PostingsWriter } from "./postings.ts";
import type { Doc } from "./query.ts";
import { termAt, type Segment } from "./segment.ts";

const SIZE_MAX = 255;

/** @param given at most `SEGMENT_MAX`, no two of the same place */
export function buildSegment(given: readonly Doc[]): Segment {
  const docs = given.toSorted(byPlace);
  /** term → where it stands, in order */
  const found = new Map<string, number[]>();
  const rows = docs.map((doc, at): Row => {
    let place = 0;
    eachToken(doc.text, (term) => {
      if (place === PLACES_MAX) return;
      const known = found.get(term);
      if (known === undefined) found.set(term, [at * PLACES_MAX + place]);
      else known.push(at * PLACES_MAX + place);
      place += 1;
    });
    const { room, seq, rev, author, facts } = doc;
    return { room, seq, rev, at: doc.at, author, facts, size: Math.min(place, SIZE_MAX) };
  });
  const writer = new PostingsWriter();
  for (const term of [...found.keys()].sort()) {
    writer.term(term, found.get(term) ?? []);
  }
  return { ...columnsOf(rows), ...writer.done() };
}

interface Part {
  readonly segment: Segment;
  readonly alive: Uint32Array;
}

/** The messages of all of them that are alive, in one. */
export function mergeSegments(parts: readonly Part[]): Segment {
  const rows: (Row & { readonly part: number; readonly doc: number })[] = [];
  parts.forEach(({ segment, alive }, part) => {
    for (let doc = 0; doc < segment.count; doc += 1) {
      if (has(alive, doc)) rows.push({ ...rowOf(segment, doc), part, doc });
    }
  });
  rows.sort(byPlace);
  /** Where each message goes, counted from 1; 0 is nowhere. Within a part the order stays as it is. */
  const targets = parts.map(({ segment }) => new Uint32Array(segment.count));
  rows.forEach(({ part, doc }, at) => {
    const target = targets[part];
    if (target !== undefined) target[doc] = at + 1;
  });
  const cursors = parts.map(({ segment }, part): Cursor => {
    const target = targets[part] ?? new Uint32Array();
    return { segment, target, at: 0, term: segment.termStarts.length > 1 ? termAt(segment, 0) : null };
  });
  const writer = new PostingsWriter();
  for (let term = leastOf(cursors); term !== null; term = leastOf(cursors)) {
    const standing: number[] = [];
    let holderCount = 0;
    for (const cursor of cursors) {
      if (cursor.term !== term) continue;
      holderCount += 1;
      readStanding(cursor, standing);
      cursor.at += 1;
      cursor.term = cursor.at + 1 < cursor.segment.termStarts.length ? termAt(cursor.segment, cursor.at) : null;
    }
    if (standing.length > 0) writer.term(term, holderCount > 1 ? Float64Array.from(standing).sort() : standing);
  }
  return { ...columnsOf(rows), ...writer.done() };
}

interface Cursor {
  readonly segment: Segment;
  readonly target: Uint32Array;
  at: number;
  term: string | null;
}

function leastOf(cursors: readonly Cursor[]): string | null {
  let least: string | null = null;
  for (const { term } of cursors) if (term !== null && (least === null || term < least)) least = term;
  return least;
}

function readStanding({ segment, target, at }: Cursor, into: number[]): void {
  eachPlace(segment, at, (doc, place) => {
    const to = target[doc] ?? 0;
    if (to > 0) into.push((to - 1) * PLACES_MAX + place);
  });
}

type Row = Pick<Doc, "room" | "seq" | "rev" | "at" | "facts"> & { readonly author: string; readonly size: number };

function byPlace(one: Pick<Doc, "room" | "seq" | "at">, other: Pick<Doc, "room" | "seq" | "at">): number {
  if (one.at !== other.at) return one.at - other.at;
  return one.room === other.room ? one.seq - other.seq : one.room < other.room ? -1 : 1;
}

function rowOf(segment: Segment, doc: number): Row {
  return {
    room: (segment.rooms[segment.room[doc] ?? 0] ?? "") as Row["room"],
    author: segment.authors[segment.author[doc] ?? 0] ?? "",
    seq: segment.seq[doc] ?? 0,
    rev: segment.rev[doc] ?? 0,
    at: segment.at[doc] ?? 0,
    facts: segment.facts[doc] ?? 0,
    size: segment.size[doc] ?? 0,
  };
}

type Columns = Omit<Segment, "dictionary" | "termStarts" | "docStarts" | "placeStarts" | "docs" | "places">;

function columnsOf(rows: readonly Row[]): Columns {
  const rooms = [...new Set(rows.map(({ room }) => room))].sort();
  const authors = [...new Set(rows.map(({ author }) => author))].sort();
  const roomAt = new Map<string, number>(rooms.map((room, at) => [room, at]));
  const authorAt = new Map(authors.map((author, at) => [author, at]));
  return {
    count: rows.length,
    rooms,
    authors,
    at: Float64Array.from(rows, ({ at }) => at),
    room: Uint16Array.from(rows, ({ room }) => roomAt.get(room) ?? 0),
    author: Uint16Array.from(rows, ({ author }) => authorAt.get(author) ?? 0),
    seq: Uint32Array.from(rows, ({ seq }) => seq),
    rev: Uint32Array.from(rows, ({ rev }) => rev),
    facts: Uint8Array.from(rows, ({ facts }) => facts),
    size: Uint8Array.from(rows, ({ size }) => size),
  };
}
