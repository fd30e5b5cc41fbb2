// Which messages of a segment answer a question, and how well. Pure.
import { parseRoomName } from "#protocol/room-name.ts";
import { add, allBits, countOf, drop, dropAll, eachFromLast, keepOnly, noBits, type Bits } from "./bits.ts";
import type { Run } from "./fold.ts";
import { addDocs, beginnings, docOfBeginning } from "./postings.ts";
import { FACTS, type Query } from "./query.ts";
import { docFrom, termsOf, type Segment } from "./segment.ts";

/** @param alive those that count at all */
export function matching(segment: Segment, alive: Uint32Array, isIn: (room: string) => boolean, query: Query): Bits {
  const bits = Uint32Array.from(alive);
  keepTimes(segment, bits, query);
  for (const { ways, isExcluded } of query.clauses) {
    const said = noBits(segment.count);
    for (const run of ways) addRun(segment, run, bits, said);
    if (isExcluded) dropAll(bits, said);
    else keepOnly(bits, said);
  }
  keepRows(segment, bits, isIn, query);
  return bits;
}

/** Adds those where the run stands; those that are out already need no looking at. */
function addRun(segment: Segment, { terms, isOpen }: Run, among: Bits, into: Bits): void {
  const ranges = terms.map((term, at) => termsOf(segment, term, isOpen && at === terms.length - 1));
  const [first, ...others] = ranges;
  if (first === undefined || ranges.some(([from, to]) => from === to)) return;
  if (others.length === 0) return addDocs(segment, ...first, into);
  const candidates = Uint32Array.from(among);
  for (const range of ranges) {
    const said = noBits(segment.count);
    addDocs(segment, ...range, said);
    keepOnly(candidates, said);
  }
  if (countOf(candidates) === 0) return;
  let held = beginnings(segment, first, 0, candidates);
  others.forEach((range, at) => {
    held = shared(held, beginnings(segment, range, at + 1, candidates));
  });
  for (const beginning of held) add(into, docOfBeginning(beginning));
}

/** What both have; both in order. */
function shared(one: Float64Array<ArrayBuffer>, other: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  let count = 0;
  for (let i = 0, j = 0; i < one.length && j < other.length;) {
    const difference = (one[i] ?? 0) - (other[j] ?? 0);
    if (difference === 0) one[count++] = one[i] ?? 0;
    if (difference <= 0) i += 1;
    if (difference >= 0) j += 1;
  }
  return one.subarray(0, count);
}

/** Messages stand in the order of time: all before one place and from another on are out. */
function keepTimes(segment: Segment, bits: Bits, { since, until }: Query): void {
  if (since === null && until === null) return;
  const keep = allBits(segment.count);
  const from = since === null ? 0 : docFrom(segment, since, -1, 0);
  const to = until === null ? segment.count : docFrom(segment, until, -1, 0);
  for (let doc = 0; doc < from; doc += 1) drop(keep, doc);
  for (let doc = to; doc < segment.count; doc += 1) drop(keep, doc);
  keepOnly(bits, keep);
}

function keepRows(segment: Segment, bits: Bits, isIn: (room: string) => boolean, query: Query): void {
  const { has: facts, hasNot: noFacts } = query;
  const isRoom = segment.rooms.map((room) => isIn(room) && isChannel(room, query));
  const isAuthor = segment.authors.map(
    (author) => query.from?.includes(author as never) !== false && !query.notFrom.includes(author as never),
  );
  if (facts === 0 && noFacts === 0 && isRoom.every(Boolean) && isAuthor.every(Boolean)) return;
  eachFromLast(bits, (doc) => {
    const held = segment.facts[doc] ?? 0;
    const isKept =
      isRoom[segment.room[doc] ?? 0] === true &&
      isAuthor[segment.author[doc] ?? 0] === true &&
      (held & facts) === facts &&
      (held & noFacts) === 0;
    if (!isKept) drop(bits, doc);
    return true;
  });
}

function isChannel(room: string, query: Query): boolean {
  const ref = parseRoomName(room);
  if (ref?.party !== "channel") return false;
  return query.in?.includes(ref.channel) !== false && !query.notIn.includes(ref.channel);
}

// What makes one answer better than another. Words as they were typed before longer ones that begin so, words side by
// side before words apart; then short texts, what people reacted to or answered, and what is recent.
const EXACT = 2;
const TOGETHER = 3;
const SHORT = 3;
const NOTICED = 0.7;
const RECENT = 2;
const RECENT_WITHIN_MS = 30 * 24 * 3_600_000;

/** How well each of these messages answers; comparable between segments. @param now epoch ms */
export function scores(segment: Segment, bits: Bits, query: Query, now: number): Float32Array {
  const result = new Float32Array(segment.count);
  const grant = (run: Run, points: number): void => {
    const said = noBits(segment.count);
    addRun(segment, run, bits, said);
    keepOnly(said, bits);
    eachFromLast(said, (doc) => {
      result[doc] = (result[doc] ?? 0) + points;
      return true;
    });
  };
  const asked = query.clauses.filter(({ isExcluded }) => !isExcluded).flatMap(({ ways }) => ways.slice(0, 1));
  for (const { terms, isOpen } of asked) if (isOpen) grant({ terms, isOpen: false }, EXACT);
  const last = asked.at(-1);
  if (asked.length > 1 && last !== undefined) {
    grant({ terms: asked.flatMap(({ terms }) => terms), isOpen: last.isOpen }, TOGETHER);
  }
  const noticed = FACTS.reaction | FACTS.thread | FACTS.pin;
  eachFromLast(bits, (doc) => {
    const age = Math.max(0, now - (segment.at[doc] ?? 0));
    const facts = (segment.facts[doc] ?? 0) & noticed;
    result[doc] =
      (result[doc] ?? 0) +
      SHORT / (1 + Math.log2(1 + (segment.size[doc] ?? 0))) +
      (facts === 0 ? 0 : NOTICED) +
      RECENT / (1 + age / RECENT_WITHIN_MS);
    return true;
  });
  return result;
}
