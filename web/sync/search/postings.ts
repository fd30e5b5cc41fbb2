// The bytes of postings (see segment.ts), written and read. Reading is what every question does a hundred thousand times:
// plain loops, nothing made on the way.
import { add, has } from "./bits.ts";
import type { Segment } from "./segment.ts";

/** Numbers in 7-bit groups, the lowest first; the highest bit says that another group follows. */
class Bytes {
  #bytes = new Uint8Array(1_024);
  length = 0;

  write(value: number): void {
    if (this.length + 5 > this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#bytes[this.length++] = rest;
  }

  /** A copy of just what was written. */
  done(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.length);
  }
}

type Postings = Pick<Segment, "dictionary" | "termStarts" | "docStarts" | "placeStarts" | "docs" | "places">;

/**
 * A message has at most so many places: its text is at most 8,000 units, and one of them, as ㌖, may fold to six letters.
 * Beyond them a message's places would be taken for those of the next. Times `SEGMENT_MAX` it is 2^32: more than bit
 * operations bear, so message and place are one number only where they are divided.
 */
export const PLACES_MAX = 65_536;

export class PostingsWriter {
  readonly #terms: string[] = [];
  readonly #docStarts: number[] = [];
  readonly #placeStarts: number[] = [];
  readonly #docs = new Bytes();
  readonly #places = new Bytes();

  /**
   * Terms come in order.
   * @param standing where it stands, in order: message times `PLACES_MAX` plus place
   */
  term(term: string, standing: ArrayLike<number>): void {
    this.#terms.push(term);
    this.#docStarts.push(this.#docs.length);
    this.#placeStarts.push(this.#places.length);
    let lastDoc = -1;
    let lastPlace = 0;
    /** The step to a place is written when it is known whether another follows. */
    let step = -1;
    for (let i = 0; i < standing.length; i += 1) {
      const at = standing[i] ?? 0;
      const doc = Math.floor(at / PLACES_MAX);
      const place = at % PLACES_MAX;
      if (doc === lastDoc) {
        this.#places.write((step << 1) | 1);
        step = place - lastPlace;
      } else {
        if (step >= 0) this.#places.write(step << 1);
        this.#docs.write(doc - Math.max(lastDoc, 0));
        lastDoc = doc;
        step = place;
      }
      lastPlace = place;
    }
    if (step >= 0) this.#places.write(step << 1);
  }

  done(): Postings {
    let end = 0;
    const termStarts = new Uint32Array(this.#terms.length + 1);
    this.#terms.forEach((term, at) => {
      end += term.length;
      termStarts[at + 1] = end;
    });
    return {
      dictionary: this.#terms.join(""),
      termStarts,
      docStarts: Uint32Array.from([...this.#docStarts, this.#docs.length]),
      placeStarts: Uint32Array.from([...this.#placeStarts, this.#places.length]),
      docs: this.#docs.done(),
      places: this.#places.done(),
    };
  }
}

/** Adds the messages that have any of these terms. */
export function addDocs({ docs, docStarts }: Segment, fromTerm: number, toTerm: number, into: Uint32Array): void {
  for (let term = fromTerm; term < toTerm; term += 1) {
    const end = docStarts[term + 1] ?? 0;
    let doc = 0;
    for (let i = docStarts[term] ?? 0; i < end;) {
      let byte = docs[i++] ?? 0;
      let step = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = docs[i++] ?? 0;
        step |= (byte & 127) << shift;
      }
      doc += step;
      add(into, doc);
    }
  }
}

/** Every posting of a term, in order: the message and one of its places at a time. */
export function eachPlace(segment: Segment, term: number, visit: (doc: number, place: number) => void): void {
  const { docs, places, docStarts, placeStarts } = segment;
  const end = docStarts[term + 1] ?? 0;
  let doc = 0;
  let at = placeStarts[term] ?? 0;
  for (let i = docStarts[term] ?? 0; i < end;) {
    let byte = docs[i++] ?? 0;
    let step = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = docs[i++] ?? 0;
      step |= (byte & 127) << shift;
    }
    doc += step;
    let place = 0;
    let hasMore = true;
    while (hasMore) {
      byte = places[at++] ?? 0;
      let value = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = places[at++] ?? 0;
        value |= (byte & 127) << shift;
      }
      place += value >> 1;
      hasMore = (value & 1) === 1;
      visit(doc, place);
    }
  }
}

/**
 * Where a run may begin, by what stands `offset` places behind: message and place in one number, in order; only of
 * these messages.
 */
export function beginnings(
  segment: Segment,
  [fromTerm, toTerm]: readonly [number, number],
  offset: number,
  among: Uint32Array,
): Float64Array<ArrayBuffer> {
  const found: number[] = [];
  for (let term = fromTerm; term < toTerm; term += 1) {
    eachPlace(segment, term, (doc, place) => {
      if (place >= offset && has(among, doc)) found.push(doc * PLACES_MAX + place - offset);
    });
  }
  // A run over several terms comes in the order of terms first.
  const sorted = Float64Array.from(found);
  return toTerm - fromTerm > 1 ? sorted.sort() : sorted;
}

export function docOfBeginning(beginning: number): number {
  return Math.floor(beginning / PLACES_MAX);
}
