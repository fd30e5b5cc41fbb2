// The room's order of events ([RV1], [RV2]): a head that rises by one, and an index from revs to the entities they
// changed. The newest part of the index travels in the stem, the row that every commit writes; older parts are pages
// of their own, written when full, so an op costs no index row of its own.
import type { Rows } from "./host.ts";

/** A rev and the keys (`kind:id`) of the entities it changed. Stale where an entity changed again later. */
export type IndexEntry = readonly [rev: number, keys: readonly string[]];

/** The row `s`. */
export interface Stem<Own> {
  /** The id in the room's address: an alarm under PartyKit can't ask for it. */
  readonly room: string;
  readonly epoch: string;
  readonly head: number;
  /** Index entries since the last page, oldest first. */
  readonly tail: readonly IndexEntry[];
  /** What this kind of room keeps besides. */
  readonly own: Own;
}

export const STEM_KEY = "s";
export const INDEX_PREFIX = "p:";
/** Revs on a page. */
const PAGE_REVS = 64;
/** Keys on a page: ops that stamp many fill it sooner, so that no value nears 128 KB. */
const PAGE_KEYS = 256;

/** Keys sort as their numbers do. */
export function padded(n: number): string {
  return String(n).padStart(12, "0");
}

/** A page is named by the last rev on it, so listing from `since + 1` finds all that matter. */
export function indexKey(lastRev: number): string {
  return `${INDEX_PREFIX}${padded(lastRev)}`;
}

/** The stem with one more rev, and the index page that thereby became full. */
export function append<Own>(stem: Stem<Own>, keys: readonly string[]): { stem: Stem<Own>; rows: Rows } {
  const head = stem.head + 1;
  const tail = [...stem.tail, [head, keys] as const];
  const isFull = tail.length >= PAGE_REVS || tail.reduce((sum, [, list]) => sum + list.length, 0) >= PAGE_KEYS;
  return isFull
    ? { stem: { ...stem, head, tail: [] }, rows: { [indexKey(head)]: tail } }
    : { stem: { ...stem, head, tail }, rows: {} };
}
