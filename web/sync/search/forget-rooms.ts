// The index kept for search has the words of all rooms, and a search worker takes out those of one that left the device.
// Where none runs they would lie there until somebody searches: so the kept index goes, and is made again.
import { dropSearchIndex } from "../../store/remove-database.ts";
import type { Store } from "../../store/store.ts";
import { removedBy } from "./reader.ts";

/** @param name of the person's database. @returns how to stop */
export function forgetRooms(
  { store, report }: { readonly store: Store; readonly report: (error: unknown) => void },
  factory: IDBFactory,
  name: string,
): () => void {
  return store.listen((commit) => {
    const isRoomGone = commit.some(
      (change) => change.table === "messages" && "remove" in change && isWhole(removedBy(change.remove)),
    );
    if (isRoomGone) dropSearchIndex(factory, name).catch(report);
  });
}

function isWhole({ has }: ReturnType<typeof removedBy>): boolean {
  return has(0) && has(Number.MAX_SAFE_INTEGER);
}
