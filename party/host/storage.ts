// The engine's storage over a Durable Object's key-value API, which both hosts offer.
import type * as Party from "partykit/server";
import type { ListRange, RoomStorage, Rows } from "../engine/host.ts";

/** Keys that a host takes in one call. */
const KEYS_MAX = 128;

export function roomStorage(storage: Party.Storage): RoomStorage {
  return {
    async get(keys) {
      const found = new Map<string, unknown>();
      for (const part of parts(keys)) for (const [key, value] of await storage.get([...part])) found.set(key, value);
      return found;
    },
    list: (range: ListRange) => storage.list(range),
    async commit(puts: Rows, deletes: readonly string[] = []) {
      const rows = parts(Object.entries(puts));
      const gone = parts(deletes);
      if (rows.length <= 1 && gone.length <= 1) {
        // Begun without an await between, both are one atomic write.
        await write(storage, rows, gone);
      } else {
        // Of several, one that is refused takes all back.
        await storage.transaction((tx) => write(tx, rows, gone));
      }
    },
    getAlarm: () => storage.getAlarm(),
    setAlarm: (at: number) => storage.setAlarm(at),
  };
}

type Writer = Pick<Party.Storage, "put" | "delete">;

async function write(
  to: Writer,
  rows: readonly (readonly (readonly [string, unknown])[])[],
  gone: readonly (readonly string[])[],
): Promise<void> {
  await Promise.all([
    ...rows.map((part) => to.put(Object.fromEntries(part))),
    ...gone.map((part) => to.delete([...part])),
  ]);
}

function parts<T>(all: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / KEYS_MAX) }, (_, part) =>
    all.slice(part * KEYS_MAX, (part + 1) * KEYS_MAX),
  );
}
