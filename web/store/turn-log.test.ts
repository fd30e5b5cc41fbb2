import { IDBFactory, IDBObjectStore } from "fake-indexeddb";
import { afterEach, expect, it, vi } from "vitest";
import { createLocks } from "../test/locks.ts";
import { turnLogAlone } from "./turn-log.ts";

/** On a busy machine it takes a while; ms. */
const WITHIN = { timeout: 30_000 };

afterEach(() => {
  vi.restoreAllMocks();
});

function countPuts(): { readonly bytes: () => number } {
  const put = Reflect.get(IDBObjectStore.prototype, "put") as (this: IDBObjectStore, ...args: unknown[]) => IDBRequest;
  let bytes = 0;
  vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (this: IDBObjectStore, value, key) {
    bytes += (value as Uint8Array).byteLength;
    return put.call(this, value, key);
  });
  return { bytes: () => bytes };
}

it("writes more than Chromium's log holds, in records that it doesn't keep beside it, and leaves nothing", async () => {
  const factory = new IDBFactory();
  const { bytes } = countPuts();
  await turnLogAlone(factory, null);
  expect(bytes()).toBeGreaterThan(4 * 1024 * 1024);
  expect(await factory.databases()).toEqual([]);
});

it("once for all tabs, for as long as the one that did it lives", async () => {
  const factory = new IDBFactory();
  const { bytes } = countPuts();
  const { openTab } = createLocks();
  const [one, other] = [openTab(), openTab()];
  const closed = Promise.withResolvers<void>();
  const turning = turnLogAlone(factory, one.locks, closed.promise);
  await turnLogAlone(factory, other.locks);
  // It is done, and holds on: of a log that is being turned the database is there.
  await vi.waitFor(async () => {
    expect(bytes()).toBeGreaterThan(0);
    expect(await factory.databases()).toEqual([]);
  }, WITHIN);
  const once = bytes();
  await turnLogAlone(factory, other.locks);
  expect(bytes()).toBe(once);
  closed.resolve();
  await turning;
  await turnLogAlone(factory, other.locks);
  expect(bytes()).toBe(2 * once);
});

it("fails where there is no room, and leaves nothing there either", async () => {
  const factory = new IDBFactory();
  vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
    throw new DOMException("No space left", "QuotaExceededError");
  });
  await expect(turnLogAlone(factory, null)).rejects.toThrow("No space left");
  expect(await factory.databases()).toEqual([]);
});
