// The keys that lead to search from anywhere: Ctrl or ⌘ with K, and / where nothing is being typed.

export function isSearchKey({ key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent): boolean {
  if (altKey || document.querySelector("dialog[open]") !== null) return false;
  if (ctrlKey || metaKey) return key.toLowerCase() === "k" && !shiftKey;
  return key === "/" && !(target as HTMLElement).matches("input, textarea, select, [contenteditable]");
}
