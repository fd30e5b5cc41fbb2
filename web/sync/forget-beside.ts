// What lies beside a person's database, in the browser's own storage and in the shared index, once that database is taken
// away as they sign out: a browser that is killed brings back an older state of its storage by the next sign-in, and of
// that goes what was sent or given up.
import { besideDisk } from "../store/beside.ts";
import { COPIED, type Index, type KnownSession } from "../store/index-database.ts";
import { databaseOf } from "./account.ts";
import type { Notes } from "./ports.ts";
import { forgetWaiting } from "./waiting.ts";

/**
 * @param notes null where nobody keeps any
 * @param isGivenUp with all that they hadn't sent
 */
export async function forgetBeside(
  index: Index,
  notes: Notes | null,
  known: KnownSession,
  isGivenUp: boolean,
  now: number,
): Promise<void> {
  const name = databaseOf(known);
  if (notes !== null) forgetWaiting(notes, name, isGivenUp);
  if (index.begin === null) return;
  const { read, write } = besideDisk(index.begin, name);
  const copy = (await read()) ?? { places: {}, version: 0 };
  const version = Math.max(now, copy.version + 1);
  const cleared = { ...copy, version, clearedAt: now };
  await write(isGivenUp ? { ...cleared, places: {}, givenUpAt: now } : cleared);
  if (notes !== null) bear(notes, COPIED + known.person.user, copy.version, version);
}

/** The browser's storage is as late as the copy, if it was before: else it would be made what that says at the next start. */
function bear(notes: Notes, place: string, before: number, version: number): void {
  try {
    if (Number(notes().getItem(place)) >= before) notes().setItem(place, String(version));
  } catch {
    // Blocked or full: it is made what the copy says.
  }
}
