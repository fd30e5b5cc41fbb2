// A message in one line, as it is quoted: its words without the marks around them.

/** What Markdown puts before a line, and the marks that come in pairs or more. A lone `*` or `_` may be meant. */
const MARKS = /^[ \t]*(?:>|#{1,6}|[-*+])[ \t]+|\*\*|~~|`+/gm;
const QUOTED_MAX_CHARS = 200;

export function quoted(text: string): string {
  return text.slice(0, QUOTED_MAX_CHARS).replace(MARKS, "").replace(/\s+/g, " ").trim();
}
