// A room's storage as its host keeps it: rows outlive the process, writes take time, and any of them may fail, be lost
// with the process that began it, or happen without an answer.
import type { ListRange, RoomStorage, Rows } from "../../../party/engine/host.ts";
import type { Seeded } from "../sim/seeded.ts";
import type { Loop } from "./loop.ts";

/** Of one write, how likely it fails: before it happened, or after. */
export interface DiskTrouble {
  readonly fails: number;
  readonly failsAfter: number;
  /** So long at most between begin and write, and write and answer. */
  readonly slowMs: number;
}

export const SOUND: DiskTrouble = { fails: 0, failsAfter: 0, slowMs: 2 };

export class RoomDisk {
  rows = new Map<string, string>();
  alarm: number | null = null;
  trouble: DiskTrouble = SOUND;
  /** A room that answers before it has written: the process's end takes what it said. For a control. */
  liesMs: number | null = null;
  readonly #loop: Loop;
  readonly #random: Seeded;
  readonly #wrote: (puts: Rows, deletes: readonly string[]) => void;

  constructor(loop: Loop, random: Seeded, wrote: (puts: Rows, deletes: readonly string[]) => void) {
    this.#loop = loop;
    this.#random = random;
    this.#wrote = wrote;
  }

  value(key: string): unknown {
    const text = this.rows.get(key);
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  }

  /** All rows whose keys begin so. */
  *values(prefix: string): Generator {
    for (const [key, text] of this.rows) if (key.startsWith(prefix)) yield JSON.parse(text) as unknown;
  }

  /** What one process sees of it; nothing resolves for a process that is gone. */
  openFor(isAlive: () => boolean, alarmSet: () => void): RoomStorage {
    const never = <T>(): Promise<T> => new Promise<T>(() => undefined);
    /** Lies: written here and not there yet. */
    const ahead = new Map<string, string | null>();
    const look = (key: string): string | undefined => {
      const early = ahead.get(key);
      return early === undefined ? this.rows.get(key) : (early ?? undefined);
    };
    return {
      get: async (keys) => {
        if (!isAlive()) return never();
        return new Map(
          keys.flatMap((key) => {
            const text = look(key);
            return text === undefined ? [] : [[key, JSON.parse(text) as unknown] as const];
          }),
        );
      },
      list: async ({ prefix, start, end, reverse, limit }: ListRange) => {
        if (!isAlive()) return never();
        const keys = [...new Set([...this.rows.keys(), ...ahead.keys()])].filter(
          (key) =>
            key.startsWith(prefix) &&
            (start === undefined || key >= start) &&
            (end === undefined || key < end) &&
            look(key) !== undefined,
        );
        keys.sort();
        if (reverse === true) keys.reverse();
        return new Map(keys.slice(0, limit).map((key) => [key, JSON.parse(look(key) ?? "null") as unknown]));
      },
      commit: async (puts, deletes = []) => {
        const written = Object.entries(puts).map(([key, value]) => [key, JSON.stringify(value)] as const);
        for (const [key, text] of written)
          if (text.length > 128 * 1_024) throw new Error(`The row ${key} is too large`);
        if (written.length > 128 || deletes.length > 128) throw new Error("Too many rows");
        const { fails, failsAfter, slowMs } = this.trouble;
        const write = (): void => {
          for (const [key, text] of written) this.rows.set(key, text);
          for (const key of deletes) this.rows.delete(key);
          this.#wrote(puts, deletes);
        };
        if (this.liesMs !== null) {
          for (const [key, text] of written) ahead.set(key, text);
          for (const key of deletes) ahead.set(key, null);
          this.#loop.later(this.liesMs, () => isAlive() && write());
          return;
        }
        await this.#loop.sleep(this.#random.below(slowMs));
        if (!isAlive()) return never();
        if (this.#random.chance(fails)) throw new Error("The disk is in trouble");
        write();
        await this.#loop.sleep(this.#random.below(slowMs));
        if (!isAlive()) return never();
        if (this.#random.chance(failsAfter)) throw new Error("The disk is in trouble, behind the write");
      },
      getAlarm: async () => (isAlive() ? this.alarm : never()),
      setAlarm: async (at) => {
        if (!isAlive()) return never();
        this.alarm = at;
        alarmSet();
      },
    };
  }
}
