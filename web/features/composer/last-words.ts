// A copy of what a composer holds that is not on disk yet: typed since the last pause, or sent and not yet stored.
// Written at once and without waiting, so that a tab may end at any moment; kept only until the database has it.
const PREFIX = "causeway.words.";

/** @param owner whose words, and where: another person on this browser must not meet them */
export function keepWords(owner: string, words: string): void {
  try {
    if (words === "") localStorage.removeItem(PREFIX + owner);
    else localStorage.setItem(PREFIX + owner, words);
  } catch {
    // Blocked or full: the database has it at the next pause, as without this copy.
  }
}

/** What a tab that ended too soon left behind, or null. */
export function leftWords(owner: string): string | null {
  try {
    return localStorage.getItem(PREFIX + owner);
  } catch {
    return null;
  }
}
