// What a person typed, as a question: words, "phrases", filters, and -what to leave out. A fault says what can't be
// understood, for one line below the field. Pure.
import type { ChannelId, UserId } from "#protocol/ids.ts";
import { fold, mentionTerm, runOf, tokensOf, type Run } from "./fold.ts";
import { readPeriod } from "./period.ts";
import { EVERYTHING, FACTS, type Clause, type Fact, type Query } from "./query.ts";

export const FILTERS = ["from", "in", "has", "is", "before", "after", "on"] as const;
export type FilterName = (typeof FILTERS)[number];
/** What `has:` may be followed by; a thread is asked for by `is:`. */
export const HAS = ["link", "code", "reaction", "pin", "file"] as const satisfies readonly Fact[];

export interface Directory {
  readonly me: UserId;
  readonly people: readonly { readonly user: UserId; readonly name: string }[];
  readonly channels: readonly { readonly id: ChannelId; readonly name: string }[];
}

/** One word, phrase or filter as typed, and where: UTF-16 units. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  readonly isExcluded: boolean;
  /** What stands before the colon, lower-cased. */
  readonly filter: string | null;
  readonly value: string;
  readonly quotes: "none" | "open" | "closed";
}

export type QueryFault =
  /** It was searched as text. */
  | { readonly fault: "not-a-filter"; readonly name: string }
  | { readonly fault: "nobody"; readonly name: string }
  | { readonly fault: "no-channel"; readonly name: string }
  | { readonly fault: "bad-date"; readonly value: string }
  | { readonly fault: "bad-has"; readonly value: string }
  | { readonly fault: "bad-is"; readonly value: string };

export interface Parsed {
  /** Null where nothing is asked yet, or where a fault leaves nothing to answer. */
  readonly query: Query | null;
  readonly faults: readonly QueryFault[];
}

/** A filter without its value yet; or a phrase or word, which may be a filter's value. `https:` and `std:` are no filters. */
const PIECE = /(-?)(\p{L}+):(?=\s|$)|(-?)(?:(\p{L}+):(?![:/]))?(?:"([^"]*)("?)|([^\s"]\S*))/gu;

const QUOTES = /["“”„«»]/gu;

/** As it may stand in quotation marks: a nickname in a name has some of its own. */
export function unquoted(name: string): string {
  return name.replace(QUOTES, "").trim();
}

export function piecesOf(typed: string): Piece[] {
  // Keyboards of many languages write other quotation marks; each is one unit long, so places stay as they are.
  const text = typed.replace(QUOTES, '"');
  return [...text.matchAll(PIECE)].map((match) => {
    const [whole, emptyMinus, emptyName, minus, name, quoted, quote, bare] = match;
    return {
      from: match.index,
      to: match.index + whole.length,
      isExcluded: (minus ?? emptyMinus) === "-",
      filter: (name ?? emptyName)?.toLowerCase() ?? null,
      value: quoted ?? bare ?? "",
      quotes: quoted === undefined ? "none" : quote === '"' ? "closed" : "open",
    };
  });
}

export function isFilter(name: string): name is FilterName {
  return (FILTERS as readonly string[]).includes(name);
}

/** Only clauses, times and lists while it is put together. */
interface Draft {
  clauses: Clause[];
  from: UserId[] | null;
  notFrom: UserId[];
  in: ChannelId[] | null;
  notIn: ChannelId[];
  has: number;
  hasNot: number;
  since: number | null;
  until: number | null;
}

/** @param now epoch ms, for today and yesterday; days are the reader's own */
export function parseQuery(typed: string, directory: Directory, now: number): Parsed {
  const draft: Draft = { ...EVERYTHING, clauses: [], from: null, notFrom: [], in: null, notIn: [] };
  const faults: QueryFault[] = [];
  let isAsking = false;
  for (const piece of piecesOf(typed)) {
    const { filter } = piece;
    if (filter !== null && isFilter(filter)) {
      // A filter without a value is one that is still being typed.
      if (piece.value === "") continue;
      const fault = applyFilter(draft, filter, piece, directory, now);
      if (fault !== null) faults.push(fault);
      isAsking = true;
    } else {
      if (filter !== null && piece.value !== "") faults.push({ fault: "not-a-filter", name: filter });
      isAsking = applyWords(draft, piece, typed, directory) || isAsking;
    }
  }
  const isAnswerable = faults.every(({ fault }) => fault === "not-a-filter");
  return { query: isAsking && isAnswerable ? draft : null, faults };
}

function applyWords(draft: Draft, piece: Piece, typed: string, directory: Directory): boolean {
  const { from, to, isExcluded, quotes, filter, value } = piece;
  const text = filter === null ? value : typed.slice(from + (isExcluded ? 1 : 0), to);
  // What is left out is left out as typed: `-art` keeps articles.
  const ways = waysOf(text, quotes !== "closed" && !isExcluded, directory);
  if (ways.length === 0) return false;
  draft.clauses.push({ isExcluded, ways });
  return true;
}

/** Shorter beginnings of a name would make everybody's mentions an answer. */
const NAME_MIN_CHARS = 2;

/** The words themselves, or a mention of somebody who is called so: mentions are stored by id. */
function waysOf(text: string, isOpen: boolean, { people }: Directory): Run[] {
  const run = runOf(text, isOpen);
  if (run === null) return [];
  const ways = [run];
  const isLong = run.terms.join("").length >= NAME_MIN_CHARS || /\P{ASCII}/u.test(run.terms.join(""));
  for (const { user, name } of people) {
    const called = tokensOf(name).map(({ term }) => term);
    if (called.length === 0) continue;
    const mention = mentionTerm(user);
    if (isLong && isPartOf(run, called)) ways.push({ terms: [mention], isOpen: false });
    else {
      const at = placeOf(called, run.terms);
      if (at >= 0) ways.push({ ...run, terms: run.terms.toSpliced(at, called.length, mention) });
    }
  }
  return ways;
}

function isPartOf({ terms, isOpen }: Run, called: readonly string[]): boolean {
  return called.some((_, at) =>
    terms.every((term, i) => {
      const part = called[at + i];
      return isOpen && i === terms.length - 1 ? part?.startsWith(term) === true : part === term;
    }),
  );
}

/** Where all of a name stands in a phrase, or -1. */
function placeOf(called: readonly string[], terms: readonly string[]): number {
  return terms.findIndex((_, at) => called.every((term, i) => terms[at + i] === term));
}

function applyFilter(
  draft: Draft,
  filter: FilterName,
  piece: Piece,
  directory: Directory,
  now: number,
): QueryFault | null {
  const { value, isExcluded } = piece;
  switch (filter) {
    case "from": {
      const users = peopleCalled(value, directory, piece.quotes === "closed");
      if (users.length === 0) return { fault: "nobody", name: value };
      if (isExcluded) draft.notFrom.push(...users);
      else draft.from = [...(draft.from ?? []), ...users];
      return null;
    }
    case "in": {
      const channels = channelsCalled(value, directory);
      if (channels.length === 0) return { fault: "no-channel", name: value.replace(/^#/, "") };
      if (isExcluded) draft.notIn.push(...channels);
      else draft.in = [...(draft.in ?? []), ...channels];
      return null;
    }
    case "has": {
      const asked = fold(value).replace(/s$/, "");
      const fact = HAS.find((known) => known === asked);
      if (fact === undefined) {
        // On the way to a known one nothing is wrong yet.
        return HAS.some((known) => known.startsWith(asked)) ? null : { fault: "bad-has", value };
      }
      return addFact(draft, fact, isExcluded);
    }
    case "is": {
      const asked = fold(value);
      if (asked === "thread") return addFact(draft, "thread", isExcluded);
      return "thread".startsWith(asked) ? null : { fault: "bad-is", value };
    }
    case "before":
    case "after":
    case "on":
      return applyTime(draft, filter, piece, now);
  }
}

function addFact(draft: Draft, fact: Fact, isExcluded: boolean): null {
  if (isExcluded) draft.hasNot |= FACTS[fact];
  else draft.has |= FACTS[fact];
  return null;
}

function applyTime(draft: Draft, filter: "before" | "after" | "on", piece: Piece, now: number): QueryFault | null {
  const period = readPeriod(piece.value, now);
  if (period === "incomplete") return null;
  // Leaving out a time is asking for the other side of it.
  if (period === "bad" || (piece.isExcluded && filter === "on")) return { fault: "bad-date", value: piece.value };
  const isLater = (filter === "after") !== piece.isExcluded;
  if (filter === "on" || isLater) {
    const since = filter === "on" || filter === "before" ? period.from : period.to;
    draft.since = Math.max(draft.since ?? since, since);
  }
  if (filter === "on" || !isLater) {
    const until = filter === "on" || filter === "after" ? period.to : period.from;
    draft.until = Math.min(draft.until ?? until, until);
  }
  return null;
}

/** By the whole name first; else those of whom a name begins so, as one types. */
export function peopleCalled(value: string, { me, people }: Directory, isWhole = false): UserId[] {
  const sought = fold(value.replace(/^@/, "")).trim();
  if (sought === "me") return [me];
  const exact = people.filter(({ name }) => fold(unquoted(name)) === sought);
  if (exact.length > 0 || isWhole) return exact.map(({ user }) => user);
  return people.filter(({ name }) => isCalled(name, sought)).map(({ user }) => user);
}

/** A name begins so, or one of its words does. */
export function isCalled(name: string, sought: string): boolean {
  const folded = fold(unquoted(name));
  return sought !== "" && (folded.startsWith(sought) || folded.split(/\s+/).some((word) => word.startsWith(sought)));
}

export function channelsCalled(value: string, { channels }: Directory): ChannelId[] {
  const sought = fold(value.replace(/^#/, ""));
  const exact = channels.filter(({ name }) => fold(name) === sought);
  const called =
    exact.length > 0 ? exact : channels.filter(({ name }) => sought !== "" && fold(name).startsWith(sought));
  return called.map(({ id }) => id);
}
