// What the formatting keys and buttons do to a text with a selection. Pure: text in, text out.
import type { Selected } from "./edits.ts";

export type Format = "bold" | "italic" | "code";

export function format(selected: Selected, as: Format): Selected {
  return as === "code" ? toggleCode(selected) : toggleMark(selected, as === "bold" ? "**" : "*");
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

/** The one stretch of the text that has to be put in the place of another to make the next of it. */
export function difference(
  text: string,
  next: string,
): { readonly from: number; readonly to: number; readonly put: string } {
  const shorter = Math.min(text.length, next.length);
  let from = 0;
  while (from < shorter && text[from] === next[from]) from++;
  let behind = 0;
  while (behind < shorter - from && text.at(-1 - behind) === next.at(-1 - behind)) behind++;
  return { from, to: text.length - behind, put: next.slice(from, next.length - behind) };
}
