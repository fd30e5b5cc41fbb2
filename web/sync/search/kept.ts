// The index on disk, in a database of its own beside the person's: thrown away and made again at any time, and the first
// thing to make way when space is short. Several workers may hold one; who stores second finds that it was overtaken.
import type { RoomName } from "#protocol/room-name.ts";
import { ended, openDatabase, settled } from "../../store/database.ts";
import type { Coverage } from "./coverage.ts";
import type { Part, SearchIndex } from "./search-index.ts";
import type { Segment } from "./segment.ts";

export interface Kept {
  readonly load: () => Promise<Loaded>;
  /** `overtaken`: another worker stored since. */
  readonly save: (index: SearchIndex, covered: ReadonlyMap<RoomName, Coverage>) => Promise<"saved" | "overtaken">;
  readonly close: () => void;
}

export interface Loaded {
  readonly parts: readonly Part[];
  readonly covered: Map<RoomName, Coverage>;
}

interface State {
  /** Raised by every save. */
  readonly turn: number;
  readonly parts: readonly Pick<Part, "key" | "alive">[];
  readonly covered: readonly (readonly [RoomName, Coverage])[];
}

/**
 * One step a format: whatever another one left is of no use to this one.
 * Raise the number of steps with the shape of segments, with what folding does, and where what is stored may be wrong.
 */
const FORMATS = Array.from({ length: 8 }, () => (db: IDBDatabase) => {
  for (const name of db.objectStoreNames) db.deleteObjectStore(name);
  db.createObjectStore("segments", { autoIncrement: true });
  db.createObjectStore("state");
});

const STATE = "state";

/** @param onClosed it is being removed, or a newer build has taken it over */
export async function openKept(factory: IDBFactory, name: string, onClosed: () => void): Promise<Kept> {
  const db = await openDatabase(factory, name, FORMATS, { onClosed });
  let turn = 0;
  return {
    load: async () => {
      const tx = db.transaction(["segments", "state"]);
      const segments = tx.objectStore("segments");
      const state = await settled(tx.objectStore("state").get(STATE) as IDBRequest<State | undefined>);
      if (state === undefined) return { parts: [], covered: new Map() };
      turn = state.turn;
      const parts = await Promise.all(
        state.parts.map(async ({ key, alive }) => {
          const segment = await settled(segments.get(key ?? -1) as IDBRequest<Segment | undefined>);
          return segment === undefined ? null : { segment, alive, key };
        }),
      );
      const whole = parts.filter((part) => part !== null);
      // A hole can't be told from what was deleted: then nothing of it counts.
      return whole.length === parts.length
        ? { parts: whole, covered: new Map(state.covered) }
        : { parts: [], covered: new Map() };
    },
    save: async (index, covered) => {
      // As of now: what is taken up while it is being stored is not in it.
      const parts = index.parts().map(({ segment, alive, key }) => ({ segment, alive: alive.slice(), key }));
      const coverage = [...covered];
      const tx = db.transaction(["segments", "state"], "readwrite", { durability: "relaxed" });
      const done = ended(tx);
      done.catch(() => undefined);
      const segments = tx.objectStore("segments");
      const before = await settled(tx.objectStore("state").get(STATE) as IDBRequest<State | undefined>);
      if ((before?.turn ?? 0) !== turn) {
        tx.abort();
        return "overtaken";
      }
      const keys = new Map<Segment, number>();
      for (const { segment, key } of parts) {
        if (key === null) keys.set(segment, (await settled(segments.add(segment))) as number);
      }
      const stays = new Set(parts.map(({ key }) => key));
      for (const { key } of before?.parts ?? []) if (key !== null && !stays.has(key)) segments.delete(key);
      const state: State = {
        turn: turn + 1,
        parts: parts.map(({ segment, alive, key }) => ({ key: key ?? keys.get(segment) ?? null, alive })),
        covered: coverage,
      };
      tx.objectStore("state").put(state, STATE);
      await done;
      turn = state.turn;
      index.stored(keys);
      return "saved";
    },
    close: () => db.close(),
  };
}
