/** The keys of all that is noted beside the databases; nothing where that is blocked. */
export function namesNoted(): readonly string[] {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}
