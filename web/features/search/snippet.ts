// The part of a message that shows why it was found, cut into what was asked for and what stands around it. Pure.
import { splitAtMentions, withNames } from "#protocol/text.ts";
import { tokensOf, type Run, type Token } from "../../sync/search/fold.ts";
import { standsAt, type Query } from "../../sync/search/query.ts";

export interface SnippetPart {
  /** Where it begins in the message; parts are told apart by it. */
  readonly at: number;
  readonly text: string;
  readonly isHit: boolean;
}

/** UTF-16 units of the message. */
const SNIPPET_CHARS = 240;
const BEFORE_HIT_CHARS = 60;

interface Span {
  readonly from: number;
  readonly to: number;
}

/** @param nameOf answers who a mention names; undefined where it names nobody, and stands as it was written */
export function snippetOf(
  text: string,
  query: Query | null,
  nameOf: (user: string) => string | undefined,
): SnippetPart[] {
  const hits = hitsIn(text, query);
  const window = windowOn(text, hits[0]?.from ?? 0);
  const parts: SnippetPart[] = [];
  const say = (at: number, said: string, isHit: boolean): void => {
    const last = parts.at(-1);
    if (said === "") return;
    if (last?.isHit === isHit) parts[parts.length - 1] = { ...last, text: last.text + said };
    else parts.push({ at, text: said, isHit });
  };
  if (window.from > 0) say(-1, "… ", false);
  for (const { from, to, user } of pieces(text)) {
    if (to <= window.from || from >= window.to) continue;
    if (user !== null) say(from, withNames(text.slice(from, to), nameOf), isWithin(hits, from));
    else {
      let at = Math.max(from, window.from);
      const end = Math.min(to, window.to);
      for (const hit of hits) {
        if (hit.to <= at || hit.from >= end) continue;
        say(at, flat(text.slice(at, hit.from)), false);
        const start = Math.max(at, hit.from);
        at = Math.min(end, hit.to);
        say(start, flat(text.slice(start, at)), true);
      }
      say(at, flat(text.slice(at, end)), false);
    }
  }
  if (window.to < text.length) say(window.to, " …", false);
  return parts;
}

const flat = (text: string): string => text.replace(/\s+/g, " ");

function isWithin(hits: readonly Span[], at: number): boolean {
  return hits.some(({ from, to }) => from <= at && at < to);
}

/** The text around its mentions, and the mentions. */
function pieces(text: string): (Span & { readonly user: string | null })[] {
  let at = 0;
  return splitAtMentions(text).map((part, i) => {
    const from = at;
    const user = i % 2 === 0 ? null : part;
    at += user === null ? part.length : "<@>".length + part.length;
    return { from, to: at, user };
  });
}

/** Begins with a word, a little before the first hit. */
function windowOn(text: string, firstHit: number): Span {
  if (text.length <= SNIPPET_CHARS || firstHit <= BEFORE_HIT_CHARS) return { from: 0, to: endOf(text, SNIPPET_CHARS) };
  const space = text.indexOf(" ", firstHit - BEFORE_HIT_CHARS);
  const from = space >= 0 && space < firstHit ? space + 1 : firstHit;
  return { from, to: endOf(text, from + SNIPPET_CHARS) };
}

/** Behind a word where one ends near by; never through the middle of a pair. */
function endOf(text: string, to: number): number {
  if (to >= text.length) return text.length;
  const space = text.lastIndexOf(" ", to);
  if (space > to - BEFORE_HIT_CHARS) return space;
  return /[\uDC00-\uDFFF]/.test(text[to] ?? "") ? to - 1 : to;
}

/** What was asked for, in order, none within another. */
function hitsIn(text: string, query: Query | null): Span[] {
  const runs = query?.clauses.flatMap(({ isExcluded, ways }) => (isExcluded ? [] : ways)) ?? [];
  if (runs.length === 0) return [];
  const tokens = tokensOf(text);
  const spans = tokens.flatMap((_, at) =>
    runs.filter((run) => standsAt(tokens, at, run)).map((run) => spanOf(tokens, at, run)),
  );
  const joined: Span[] = [];
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    const last = joined.at(-1);
    if (last === undefined || span.from > last.to) joined.push(span);
    else joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
  }
  return joined;
}

/** Of a word found by its beginning, the beginning; unless folding made it longer or shorter than what stands there. */
function spanOf(tokens: readonly Token[], at: number, { terms, isOpen }: Run): Span {
  const first = tokens[at];
  const last = tokens[at + terms.length - 1];
  const typed = terms.at(-1) ?? "";
  if (first === undefined || last === undefined) return { from: 0, to: 0 };
  const isAsWritten = last.to - last.from === last.term.length;
  return { from: first.from, to: isOpen && isAsWritten ? last.from + typed.length : last.to };
}
