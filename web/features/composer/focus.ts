/** There is one composer on screen at a time, and others send the focus there. */
export const COMPOSER_ID = "composer";

export function focusComposer(): void {
  document.getElementById(COMPOSER_ID)?.focus();
}

/** Heard outside of fields, which keep theirs. "/" leads to search; menus and dialogs have letters of their own. */
export function isTyped({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  const isText = /^[^ /]$/.test(key) && !ctrlKey && !metaKey && !altKey;
  return isText && !(target as Element).closest("[popover], dialog");
}
