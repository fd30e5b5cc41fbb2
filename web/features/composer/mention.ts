// Whom a half-typed name may mean, and the text with the whole of it. Pure.
import type { Query, Selected } from "./edits.ts";

export function completeMention({ text, to }: Selected, query: Query, mention: string): Selected {
  const after = text.slice(to);
  const put = `${mention}${/^\s/.test(after) ? "" : " "}`;
  const caret = query.at + put.length;
  return { text: text.slice(0, query.at) + put + after, from: caret, to: caret };
}

/** People whose name, or any word of it, begins so; the earlier in the name, the earlier in the list. */
function matchingPeople<Person extends { readonly name: string }>(
  people: readonly Person[],
  typed: string,
): readonly Person[] {
  const sought = fold(typed);
  const rank = ({ name }: Person): number => {
    const folded = fold(name);
    return folded.startsWith(sought) ? 0 : folded.includes(` ${sought}`) ? 1 : 2;
  };
  return people
    .filter((person) => rank(person) < 2)
    .toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))
    .slice(0, PEOPLE_SHOWN_MAX);
}

const PEOPLE_SHOWN_MAX = 6;

/**
 * @param before what stands before the caret
 * @param settled what stood there when a name was chosen, or none of them: of that one nobody asks again
 */
export function peopleToOffer<Person extends { readonly name: string }>(
  people: readonly Person[],
  { at, typed }: Query,
  before: string,
  settled: string | null,
): readonly Person[] {
  const isSettled = settled !== null && at < settled.length && before.startsWith(settled);
  return isSettled ? [] : matchingPeople(people, typed);
}

/** Without case and accents. */
function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
