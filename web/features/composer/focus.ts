/** There is one composer on screen at a time, and others send the focus there. */
export const COMPOSER_ID = "composer";

export function focusComposer(): void {
  document.getElementById(COMPOSER_ID)?.focus();
}
