// The same tables in memory, for browsers that keep nothing. Loaded only there, and by tests that need no disk.
import { TABLES, type TableName, type Tables } from "./schema.ts";
import { isRange, keyOf, partAt, type Backend, type Key, type Range, type ReadTx, type WriteTx } from "./tx.ts";

interface Row {
  readonly key: Key;
  readonly value: unknown;
}

/** Rows by table, each in the order of keys. */
type Rows = Map<TableName, readonly Row[]>;

export function memoryBackend(): Backend {
  let rows: Rows = new Map();
  let places = 0;
  let last: Promise<unknown> = Promise.resolve();

  /** One at a time, like overlapping transactions on disk. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };

  return {
    kind: "memory",
    read: (_tables, body) => inTurn(() => body(reader(rows))),
    write: (_tables, _durability, body) =>
      inTurn(async () => {
        const draft: Rows = new Map(rows);
        const value = await body(writer(draft, () => ++places));
        rows = draft;
        return value;
      }),
    close: () => undefined,
  };
}

function reader(rows: Rows): ReadTx {
  const list = (table: TableName): readonly Row[] => rows.get(table) ?? [];
  return {
    get: (table, key) => {
      const row = list(table)[placeOf(list(table), key)];
      const found = row !== undefined && compare(row.key, key) === 0 ? row.value : undefined;
      return Promise.resolve(found as Tables[typeof table] | undefined);
    },
    all: (table, range, limit) =>
      Promise.resolve(
        slice(list(table), range)
          .slice(0, limit)
          .map(({ value }) => value as Tables[typeof table]),
      ),
    count: (table, range) => Promise.resolve(slice(list(table), range).length),
    find: (table, index, key) => {
      const paths = TABLES[table].indexes?.[index] ?? [];
      const wanted = Array.isArray(key) ? key : [key];
      const row = list(table).find(({ value }) => paths.every((path, i) => partAt(value, path) === wanted[i]));
      return Promise.resolve(row?.value as Tables[typeof table] | undefined);
    },
    allBy: (table, index, range) => {
      const paths = TABLES[table].indexes?.[index] ?? [];
      const keyed = list(table)
        .map(({ value }) => ({ key: paths.map((path) => partAt(value, path)), value }))
        .filter(({ key }) => !key.includes(undefined as never))
        .toSorted((one, other) => compare(one.key, other.key));
      return Promise.resolve(slice(keyed, range).map(({ value }) => value as Tables[typeof table]));
    },
  };
}

function writer(rows: Rows, nextPlace: () => number): WriteTx {
  const copied = new Map<TableName, Row[]>();
  /** Copied once a transaction, so that one that throws leaves what stood before. */
  const own = (table: TableName): Row[] => {
    const list = copied.get(table) ?? [...(rows.get(table) ?? [])];
    copied.set(table, list);
    rows.set(table, list);
    return list;
  };
  const put = <T extends TableName>(table: T, value: Tables[T]): void => {
    const list = own(table);
    const key = keyOf(TABLES[table], value);
    const at = placeOf(list, key);
    const isThere = list[at] !== undefined && compare(list[at].key, key) === 0;
    list.splice(at, isThere ? 1 : 0, { key, value: structuredClone(value) });
  };
  return {
    ...reader(rows),
    put,
    add: (table, value) => {
      const place = nextPlace();
      put(table, { ...value, place } as Tables["outbox"]);
      return Promise.resolve(place);
    },
    remove: (table, key) => {
      const list = own(table);
      const gone = slice(list, isRange(key) ? key : { lower: key, upper: key });
      if (gone[0] !== undefined) list.splice(placeOf(list, gone[0].key), gone.length);
    },
  };
}

function slice(list: readonly Row[], range: Range | undefined): readonly Row[] {
  if (range === undefined) return list;
  const from = placeOf(list, range.lower);
  let to = from;
  while (to < list.length && compare(list[to]?.key, range.upper) <= 0) to++;
  return list.slice(from, to);
}

/** Where the key stands or would stand. */
function placeOf(list: readonly Row[], key: Key): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(list[middle]?.key, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The order of IndexedDB's keys, as far as ours go: numbers, then strings, then lists. */
export function compare(one: unknown, other: unknown): number {
  const kinds = kindOf(one) - kindOf(other);
  if (kinds !== 0) return kinds;
  if (!Array.isArray(one) || !Array.isArray(other)) return (one as Part) < (other as Part) ? -1 : one === other ? 0 : 1;
  for (let i = 0; i < Math.min(one.length, other.length); i++) {
    const parts = compare(one[i], other[i]);
    if (parts !== 0) return parts;
  }
  return one.length - other.length;
}

type Part = string | number;

function kindOf(part: unknown): number {
  if (typeof part === "number") return 0;
  return typeof part === "string" ? 1 : 2;
}
