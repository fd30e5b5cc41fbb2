// What lies beside a person's database, in the browser's own storage and in the shared index, once that database is taken
// away as they sign out: a browser that is killed brings back an older state of its storage by the next sign-in, and of
// that goes what was sent or given up.
import type { UserId } from "#protocol/ids.ts";
import { besideDisk } from "../store/beside.ts";
import { COPIED, type Index } from "../store/index-database.ts";
import type { Notes } from "./ports.ts";
import { forgetWaiting } from "./waiting.ts";

export interface ForgetDeps {
  readonly index: Index;
  /** Null where nobody keeps any. */
  readonly notes: Notes | null;
  readonly now: () => number;
}

/**
 * @param name of the database
 * @param isGivenUp with all that they hadn't sent
 */
export async function forgetBeside(deps: ForgetDeps, name: string, user: UserId, isGivenUp: boolean): Promise<void> {
  const { index, notes } = deps;
  if (notes !== null) forgetWaiting(notes, name, isGivenUp);
  if (index.begin === null) return;
  const { read, write } = besideDisk(index.begin, name);
  const copy = (await read()) ?? { places: {}, version: 0 };
  const clearedAt = deps.now();
  const version = Math.max(clearedAt, copy.version + 1);
  const cleared = { ...copy, version, clearedAt };
  await write(isGivenUp ? { ...cleared, places: {}, givenUpAt: clearedAt } : cleared);
  if (notes !== null) bear(notes, COPIED + user, copy.version, version);
}

/** The browser's storage is as late as the copy, if it was before: else it would be made what that says at the next start. */
function bear(notes: Notes, place: string, before: number, version: number): void {
  try {
    if (Number(notes().getItem(place)) >= before) notes().setItem(place, String(version));
  } catch {
    // Blocked or full: it is made what the copy says.
  }
}
