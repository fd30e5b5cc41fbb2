// What lies beside a person's database, in the browser's own storage and in the shared index, once that database is taken
// away as they sign out: a browser that is killed brings back an older state of its storage by the next sign-in, and of
// that goes what was sent or given up.
import type { UserId } from "#protocol/ids.ts";
import { besideDisk } from "../store/beside.ts";
import { COPIED, type Index } from "../store/index-database.ts";
import type { Notes } from "./ports.ts";
import { forgetLost, forgetWaiting } from "./waiting.ts";

export interface ForgetDeps {
  readonly index: Index;
  /** Null where nobody keeps any. */
  readonly notes: Notes | null;
  readonly now: () => number;
}

export interface Forgotten {
  /** With all that they hadn't sent. */
  readonly isGivenUp: boolean;
  /** The database is, or will be; else something waits in it still. */
  readonly isGone: boolean;
}

/** @param name of the database */
export async function forgetBeside(
  deps: ForgetDeps,
  name: string,
  user: UserId,
  { isGivenUp, isGone }: Forgotten,
): Promise<void> {
  const { index, notes } = deps;
  if (notes !== null && isGone) forgetWaiting(notes, name);
  if (notes !== null && isGivenUp) forgetLost(notes, name);
  if (index.begin === null) return;
  const { read, write } = besideDisk(index.begin, name);
  const copy = (await read()) ?? { places: {}, version: 0 };
  const now = deps.now();
  const version = Math.max(now, copy.version + 1);
  const cleared = isGone ? { clearedAt: now } : {};
  await write({ ...copy, version, ...cleared, ...(isGivenUp ? { places: {}, givenUpAt: now } : {}) });
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
