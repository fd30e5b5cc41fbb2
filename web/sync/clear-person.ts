// Takes who signed out off this device: their database, or all of it that nobody else has to have.
import { isBroken } from "../store/faults.ts";
import { databaseOf, type Index, type KnownSession } from "../store/index-database.ts";
import { hasMore, type Leaving } from "../store/leaving.ts";
import { dropSearchIndex, removePersonDatabase, removePersonDatabaseUnless } from "../store/remove-database.ts";
import { stripPerson } from "../store/strip.ts";
import { aloneInTime, inTime, StillHeld } from "./holding.ts";
import type { Ports } from "./ports.ts";
import { hasWords } from "./unsent.ts";

interface Clearing {
  readonly queue: "none" | "keep" | "discard";
  /** With which it was given up, if it was. */
  readonly press: Leaving | null;
  /** What was given up is in there no more; true also where nothing was. */
  readonly isDropped: boolean;
}

/** Answers whether nothing of them is left. */
export async function clearPerson(
  { index, ports }: { readonly index: Index; readonly ports: Ports },
  known: KnownSession,
  { queue, press, isDropped }: Clearing,
): Promise<boolean> {
  const { indexedDB: factory, newId } = ports;
  if (index.kind === "memory" || factory === null) return true;
  const name = databaseOf(known);
  const mustStay: typeof hasWords = isDropped ? hasWords : (all) => hasMore(all, press);
  const alone = <T>(work: () => Promise<T>): Promise<T> => aloneInTime(ports, name, work);
  if (queue === "discard") {
    // A tab without the lock may hold it: this is called off with this page, by most browsers, as a deletion isn't.
    const isRemoved = await alone(() => removePersonDatabaseUnless(factory, name, mustStay)).catch(
      async (error: unknown) => {
        if (error instanceof StillHeld) throw error;
        await alone(() => removePersonDatabase(factory, name));
        return true;
      },
    );
    if (isRemoved) return true;
  }
  // Nobody was asked about what was written meanwhile, nor about a draft that no other device has.
  if (queue === "none" && (await alone(() => removePersonDatabaseUnless(factory, name, mustStay)))) return true;
  try {
    await inTime(ports.timers, stripPerson(factory, name, press));
    await alone(() => dropSearchIndex(factory, name));
  } catch (error) {
    if (!isDropped && !(error instanceof StillHeld)) {
      // It can't be told from what was written since, and may not go: so all of it does.
      await alone(() => removePersonDatabase(factory, name));
      return true;
    }
    if (!isBroken(error)) throw error;
    // What can't be taken out of it goes with all of it, and what nobody else has is stored anew.
    const { rebuild } = await import("./rebuild.ts");
    const workspaces = known.workspaces.map(({ id }) => id);
    const done = await rebuild({ factory, name, held: new Set(), workspaces, withoutUnread: false, newId });
    if (done === "unread") throw error;
  }
  return false;
}
