// What this browser keeps by name and reads without waiting. One that is blocked or full keeps nothing, and that is all
// there is to it: what must not be lost is in the database too.

/** For all tabs, and for as long as the browser keeps it. */
export const here = (): Storage => localStorage;

/** @param where asked each time, for a blocked one throws already there */
export function kept(where: () => Storage, place: string): string | null {
  try {
    return where().getItem(place);
  } catch {
    return null;
  }
}

/** @param value null takes it away */
export function keep(where: () => Storage, place: string, value: string | null): void {
  try {
    if (value === null) where().removeItem(place);
    else where().setItem(place, value);
  } catch {
    // As above.
  }
}
