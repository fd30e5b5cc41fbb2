// Rewrites the text of a field as its person's own typing would. Fetched when it is asked for.
import type { Selected } from "./edits.ts";
import { difference } from "./format.ts";

const LINES_MAX = 50;

/** Answers what stands there now. */
export function rewrite(field: HTMLTextAreaElement, by: (selected: Selected) => Selected): Selected {
  const next = by({ text: field.value, from: field.selectionStart, to: field.selectionEnd });
  const { from, to, put } = difference(field.value, next.text);
  field.focus();
  field.setSelectionRange(from, to);
  // Through the browser's own editing, so that undo works; where that command is gone, without. It also takes several
  // milliseconds a line, so a page of them goes in without.
  const isPage = put.split("\n").length > LINES_MAX;
  if (!isPage) document.execCommand(put === "" ? "delete" : "insertText", false, put);
  if (field.value !== next.text) field.value = next.text;
  field.setSelectionRange(next.from, next.to);
  return next;
}
