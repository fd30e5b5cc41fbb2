// A room's storage in memory: counts rows as the platform bills them, has the smaller host's limits, fails on demand.
import type { ListRange, RoomStorage, Rows } from "../engine/host.ts";

export class MemoryStorage implements RoomStorage {
  readonly rows = new Map<string, unknown>();
  /** Rows written so far, deletions and alarms included. */
  written = 0;
  writes = 0;
  alarm: number | null = null;
  /** What to do with the next writes; null lets them through. */
  fault: (() => void) | null = null;

  async get(keys: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
    return new Map(keys.filter((key) => this.rows.has(key)).map((key) => [key, structuredClone(this.rows.get(key))]));
  }

  async list({ prefix, start, end, reverse, limit }: ListRange): Promise<ReadonlyMap<string, unknown>> {
    const keys = [...this.rows.keys()].filter((key) => key.startsWith(prefix)).toSorted((a, b) => (a < b ? -1 : 1));
    const inside = keys.filter((key) => (start === undefined || key >= start) && (end === undefined || key < end));
    const ordered = reverse ? inside.toReversed() : inside;
    return new Map(ordered.slice(0, limit).map((key) => [key, structuredClone(this.rows.get(key))]));
  }

  async commit(puts: Rows, deletes: readonly string[] = []): Promise<void> {
    await Promise.resolve();
    this.fault?.();
    const entries = Object.entries(puts);
    for (const [key, value] of entries) {
      if (key.length > 2_048 || JSON.stringify(value).length > 128 * 1_024)
        throw new Error(`The row ${key} is too large`);
    }
    for (const [key, value] of entries) this.rows.set(key, structuredClone(value));
    for (const key of deletes) this.rows.delete(key);
    this.written += entries.length + deletes.length;
    this.writes += 1;
  }

  async getAlarm(): Promise<number | null> {
    return this.alarm;
  }

  async setAlarm(at: number): Promise<void> {
    this.alarm = at;
    this.written += 1;
  }
}
