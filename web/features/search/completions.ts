// What the word at the caret may become: names of filters, and what can follow them. Pure.
import { fold } from "../../sync/search/fold.ts";
import {
  FILTERS,
  HAS,
  isCalled,
  isFilter,
  piecesOf,
  unquoted,
  type Directory,
  type FilterName,
  type Piece,
} from "../../sync/search/parse-query.ts";

export interface Completion {
  /** In place of the word at the caret. */
  readonly insert: string;
  readonly label: string;
  /** Where it is a filter that is offered, to say what it is for. */
  readonly filter?: FilterName;
}

export interface Completions {
  readonly from: number;
  readonly to: number;
  readonly options: readonly Completion[];
}

const SHOWN_MAX = 8;
/** A single letter begins too many ordinary words. */
const NAME_MIN_CHARS = 2;

/** Null where nothing is to be offered. */
export function completionsAt(typed: string, caret: number, directory: Directory, now: number): Completions | null {
  const piece = piecesOf(typed).find(({ from, to }) => from < caret && caret <= to);
  if (piece === undefined || piece.quotes === "closed") return null;
  const minus = piece.isExcluded ? "-" : "";
  const { filter } = piece;
  if (filter === null) return offer(piece, filtersNamed(piece, minus));
  if (!isFilter(filter)) return null;
  const found = valuesOf(filter, fold(piece.value.replace(/^[@#]/, "")), directory, now);
  const [only] = found;
  if (found.length === 1 && only === piece.value) return null;
  return offer(
    piece,
    found.map((label) => ({ insert: `${minus}${filter}:${quoted(label)} `, label })),
  );
}

function offer({ from, to }: Piece, options: readonly Completion[]): Completions | null {
  return options.length === 0 ? null : { from, to, options: options.slice(0, SHOWN_MAX) };
}

function filtersNamed({ value, quotes }: Piece, minus: string): Completion[] {
  if (quotes !== "none" || value.length < NAME_MIN_CHARS) return [];
  const sought = value.toLowerCase();
  return FILTERS.filter((name) => name.startsWith(sought) && name !== sought).map((name) => ({
    insert: `${minus}${name}:`,
    label: `${name}:`,
    filter: name,
  }));
}

function quoted(value: string): string {
  const bare = unquoted(value);
  return /\s/.test(bare) ? `"${bare}"` : bare;
}

function valuesOf(filter: FilterName, sought: string, { people, channels }: Directory, now: number): string[] {
  const begins = (value: string): boolean => fold(value).startsWith(sought);
  switch (filter) {
    case "from": {
      const names = people.map(({ name }) => name).filter((name) => sought === "" || isCalled(name, sought));
      return [...["me"].filter(begins), ...new Set(names.toSorted((one, other) => one.localeCompare(other)))];
    }
    case "in":
      return channels
        .map(({ name }) => name)
        .filter((name) => fold(name).includes(sought))
        .toSorted((one, other) => Number(!begins(one)) - Number(!begins(other)) || one.localeCompare(other));
    case "has":
      return HAS.filter(begins);
    case "is":
      return ["thread"].filter(begins);
    case "before":
    case "after":
    case "on": {
      const today = new Date(now);
      const month = `${today.getFullYear()}-${String(today.getMonth() + 1).padStart(2, "0")}`;
      return ["today", "yesterday", month, String(today.getFullYear())].filter(begins);
    }
  }
}
