// A message in one line, as it is quoted: its words without the marks around them.

/** What Markdown puts before a line, and marks that come in pairs or more. A lone `*` or `_` may be meant, or 2**10. */
const MARKS = /^\s*(?:>|#{1,6}|[-*+]) |\B[*~]{2}|[*~]{2}\B|`/gm;
const QUOTED_MAX_CHARS = 200;

export function quoted(text: string): string {
  return text.slice(0, QUOTED_MAX_CHARS).replace(MARKS, "").replace(/\s+/g, " ").trim();
}
