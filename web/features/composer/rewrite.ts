// Rewrites the text of a field as its person's own typing would. Fetched when it is asked for.
import type { Selected } from "./edits.ts";
import { format, type Format } from "./format.ts";

/** Answers what stands there now. */
export function rewrite(field: HTMLTextAreaElement, by: (selected: Selected) => Selected): Selected {
  const next = by({ text: field.value, from: field.selectionStart, to: field.selectionEnd });
  field.focus();
  field.select();
  // Through the browser's own editing, so that undo works; where that command is gone, without.
  if (!document.execCommand("insertText", false, next.text)) field.value = next.text;
  field.setSelectionRange(next.from, next.to);
  return next;
}

export function formatIn(field: HTMLTextAreaElement, as: Format): Selected {
  return rewrite(field, (selected) => format(selected, as));
}
