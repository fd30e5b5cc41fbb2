// What keys and buttons do to a text with a selection. Pure: text in, text out.

export interface Selected {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Puts a mark around the selection, or takes it away where it is there already. Spaces at its ends stay outside. */
export function toggleMark({ text, from, to }: Selected, mark: string): Selected {
  const chosen = text.slice(from, to);
  const start = from + (chosen.length - chosen.trimStart().length);
  const end = Math.max(start, to - (chosen.length - chosen.trimEnd().length));
  const inner = text.slice(start, end);
  const size = mark.length;
  if (
    text.slice(start - size, start) === mark &&
    text.slice(end, end + size) === mark &&
    !isLonger(text, start, end, mark)
  ) {
    return { text: text.slice(0, start - size) + inner + text.slice(end + size), from: start - size, to: end - size };
  }
  return { text: text.slice(0, start) + mark + inner + mark + text.slice(end), from: start + size, to: end + size };
}

/** `**bold**` is not `*italic*`. */
function isLonger(text: string, start: number, end: number, mark: string): boolean {
  return (
    mark === "*" &&
    text[start - 2] === "*" &&
    text[end + 1] === "*" &&
    !(text[start - 3] === "*" && text[end + 2] === "*")
  );
}

/** Code of one line is marked inside it; of several, in a block of its own. */
export function toggleCode(selected: Selected): Selected {
  const { text, from, to } = selected;
  const inner = text.slice(from, to);
  if (!inner.includes("\n")) return toggleMark(selected, "`");
  const before = from === 0 || text[from - 1] === "\n" ? "```\n" : "\n```\n";
  const after = inner.endsWith("\n") ? "```" : "\n```";
  return {
    text: text.slice(0, from) + before + inner + after + text.slice(to),
    from: from + before.length,
    to: to + before.length,
  };
}

export interface Query {
  /** Where its "@" stands. */
  readonly at: number;
  readonly typed: string;
}

/** The mention being typed at the caret, if there is one: "@" at the start of a word, and what follows it. */
export function mentionBeingTyped(text: string, caret: number): Query | null {
  const before = text.slice(Math.max(0, caret - QUERY_MAX_CHARS), caret);
  const found = /(?:^|[\s([{"'])@([\p{L}\p{M}\p{N}_.-]*(?: [\p{L}\p{M}\p{N}_.-]*)?)$/u.exec(before);
  const typed = found?.[1];
  return typed === undefined ? null : { at: caret - typed.length - 1, typed };
}

/** Longer than any name that is worth completing. */
const QUERY_MAX_CHARS = 64;

export function completeMention({ text, to }: Selected, query: Query, name: string): Selected {
  const after = text.slice(to);
  const mention = `@${name}${/^\s/.test(after) ? "" : " "}`;
  const caret = query.at + mention.length;
  return { text: text.slice(0, query.at) + mention + after, from: caret, to: caret };
}

/** People whose name, or any word of it, begins so; the earlier in the name, the earlier in the list. */
export function matchingPeople<Person extends { readonly name: string }>(
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

/** Without case and accents. */
function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
