/** There is one composer on screen at a time, and others send the focus there. */
export const COMPOSER_ID = "composer";

export function focusComposer(): void {
  document.getElementById(COMPOSER_ID)?.focus();
}

/**
 * Heard outside of fields, which keep theirs. "/" leads to search; menus and dialogs have letters of their own, and at a
 * message that is being edited they are the editor's.
 */
export function isTyped(event: KeyboardEvent): boolean {
  const isOrder = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph");
  const isElsewhere = (event.target as Element).closest("[popover], dialog, article:has(textarea)");
  return /^[^ /]$/.test(event.key) && !isOrder && isElsewhere === null;
}
