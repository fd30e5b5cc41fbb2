// What a transaction can do, whether on disk or in memory. The files of the tables are written against this.
import type { IndexName, Table, TableName, Tables } from "./schema.ts";

export type Part = string | number;
export type Key = Part | readonly Part[];

/** Both ends belong to it. */
export interface Range {
  readonly lower: Key;
  readonly upper: readonly unknown[] | Part;
}

export interface ReadTx {
  readonly get: <T extends TableName>(table: T, key: Key) => Promise<Tables[T] | undefined>;
  /** In the order of keys; the first of them where there is a limit. */
  readonly all: <T extends TableName>(table: T, range?: Range, limit?: number) => Promise<Tables[T][]>;
  readonly count: (table: TableName, range: Range) => Promise<number>;
  /** In the order of the index's keys; records that lack a part of it are left out. */
  readonly allBy: <T extends TableName>(table: T, index: IndexName, range: Range) => Promise<Tables[T][]>;
  readonly find: <T extends TableName>(table: T, index: IndexName, key: Key) => Promise<Tables[T] | undefined>;
}

export interface WriteTx extends ReadTx {
  /** Over whatever stood under its key. A failure fails the transaction. */
  readonly put: <T extends TableName>(table: T, value: Tables[T]) => void;
  /** With the next number of an auto-numbered table as its key; answers that number. */
  readonly add: (table: "outbox", value: Omit<Tables["outbox"], "place">) => Promise<number>;
  readonly remove: (table: TableName, key: Key | Range) => void;
}

export type Durability = "strict" | "relaxed";

/** One person's tables, somewhere. */
export interface Backend {
  readonly kind: "disk" | "memory";
  readonly read: <T>(tables: readonly TableName[], body: (tx: ReadTx) => Promise<T>) => Promise<T>;
  /** All of `body` or nothing; resolves after the commit. `body` awaits nothing but the transaction. */
  readonly write: <T>(
    tables: readonly TableName[],
    durability: Durability,
    body: (tx: WriteTx) => Promise<T>,
  ) => Promise<T>;
  readonly close: () => void;
}

/** Everything whose key begins with these parts: arrays sort behind strings and numbers, so `[]` ends the list. */
export function prefix(...parts: readonly Part[]): Range {
  return { lower: parts, upper: [...parts, []] };
}

export function between(lower: readonly Part[], upper: readonly Part[]): Range {
  return { lower, upper };
}

export function isRange(key: Key | Range): key is Range {
  return typeof key === "object" && "lower" in key;
}

/** The key of a record, by its table's key path. */
export function keyOf(table: Table, value: unknown): Key {
  const parts = table.key.map((path) => partAt(value, path));
  return parts.length === 1 ? (parts[0] as Part) : parts;
}

export function partAt(value: unknown, path: string): Part {
  let at = value;
  for (const name of path.split(".")) at = (at as Readonly<Record<string, unknown>> | undefined)?.[name];
  return at as Part;
}
