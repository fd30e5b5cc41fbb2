// The engine's storage over a Durable Object's key-value API, which both hosts offer.
import type * as Party from "partykit/server";
import type { ListRange, RoomStorage, Rows } from "../engine/host.ts";

/** Keys that a host takes in one call. */
const KEYS_MAX = 128;

export function roomStorage(storage: Party.Storage): RoomStorage {
  return {
    async get(keys) {
      const found = new Map<string, unknown>();
      for (let start = 0; start < keys.length; start += KEYS_MAX) {
        for (const [key, value] of await storage.get(keys.slice(start, start + KEYS_MAX))) found.set(key, value);
      }
      return found;
    },
    list: (range: ListRange) => storage.list(range),
    async commit(puts: Rows, deletes: readonly string[] = []) {
      if (Object.keys(puts).length > KEYS_MAX || deletes.length > KEYS_MAX)
        throw new Error("Too many rows for one write");
      // Begun without an await between, both are one atomic write.
      const written = Object.keys(puts).length > 0 ? storage.put({ ...puts }) : undefined;
      const deleted = deletes.length > 0 ? storage.delete([...deletes]) : undefined;
      await Promise.all([written, deleted]);
    },
    getAlarm: () => storage.getAlarm(),
    setAlarm: (at: number) => storage.setAlarm(at),
  };
}
