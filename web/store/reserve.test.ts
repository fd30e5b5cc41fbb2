import { brotliCompressSync, constants } from "node:zlib";
import { IDBFactory, IDBObjectStore } from "fake-indexeddb";
import { afterEach, expect, it, vi } from "vitest";
import { openDatabase, settled } from "./database.ts";
import { giveUp, setAside } from "./reserve.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const PIECES = [0, 1, 2, 3, 4, 5];

/** Room for so many more records. */
function roomFor(count: number): void {
  const put = Reflect.get(IDBObjectStore.prototype, "put") as (this: IDBObjectStore, ...args: unknown[]) => IDBRequest;
  vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (this: IDBObjectStore, value, key) {
    count -= 1;
    if (count < 0) throw new DOMException("No space left", "QuotaExceededError");
    return put.call(this, value, key);
  });
}

/** In bytes, by what looks back over all of it. */
const squeezed = (value: Uint8Array): number =>
  brotliCompressSync(value, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }).length;

/** The keys, and how many bytes each record has at least, however hard it is squeezed. */
async function kept(factory: IDBFactory): Promise<{ readonly keys: IDBValidKey[]; readonly least: number }> {
  const db = await openDatabase(factory, "causeway.reserve", [(made) => void made.createObjectStore("bytes")], {
    onClosed: () => undefined,
  });
  const bytes = db.transaction(["bytes"]).objectStore("bytes");
  const [keys, values] = await Promise.all([settled(bytes.getAllKeys()), settled<Uint8Array[]>(bytes.getAll())]);
  db.close();
  return { keys, least: Math.min(...values.map(squeezed)) };
}

it("sets aside what there is room for, says that it isn't all, and the rest later", async () => {
  const factory = new IDBFactory();
  roomFor(4);
  await expect(setAside(factory)).rejects.toThrow("No space left");
  const { keys, least } = await kept(factory);
  expect(keys).toEqual(PIECES.slice(0, 4));
  expect(least).toBeGreaterThanOrEqual(1_048_576);
  vi.restoreAllMocks();
  roomFor(2);
  await setAside(factory);
  expect((await kept(factory)).keys).toEqual(PIECES);
  // Nothing is written where all is there; what has to fit besides is tried.
  await setAside(factory);
  await expect(setAside(factory, 1000)).rejects.toThrow("No space left");
  vi.restoreAllMocks();
  await setAside(factory, 1000);
  expect((await kept(factory)).keys).toEqual(PIECES);
});

it("takes the place of what an older build set aside", async () => {
  const factory = new IDBFactory();
  const db = await openDatabase(factory, "causeway.reserve", [(made) => void made.createObjectStore("bytes")], {
    onClosed: () => undefined,
  });
  await settled(db.transaction(["bytes"], "readwrite").objectStore("bytes").put(new Uint8Array(9), "reserve 9"));
  db.close();
  await setAside(factory);
  expect((await kept(factory)).keys).toEqual(PIECES);
});

it("gives up what there is, and makes the browser tidy up where there is none", async () => {
  const factory = new IDBFactory();
  await setAside(factory);
  const deleting = vi.spyOn(IDBFactory.prototype, "deleteDatabase");
  for (let i = 0; i < 2; i += 1) {
    await giveUp(factory);
    expect(await factory.databases()).toEqual([]);
  }
  // Of a database that isn't there it would find nothing to tidy up.
  const opening = vi.spyOn(IDBFactory.prototype, "open");
  await giveUp(factory);
  expect([opening.mock.calls.length, deleting.mock.calls.length]).toEqual([1, 3]);
});
