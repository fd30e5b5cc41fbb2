import { IDBFactory, IDBObjectStore } from "fake-indexeddb";
import { afterEach, expect, it, vi } from "vitest";
import { createLocks } from "../test/locks.ts";
import { turnLogAlone } from "./turn-log.ts";

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

it("by the first of several tabs, and not again while one of them lives", async () => {
  const factory = new IDBFactory();
  const { bytes } = countPuts();
  const { openTab } = createLocks();
  const [first, second, worker] = [openTab(), openTab(), openTab()];
  const [closedFirst, closedSecond] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const lives = [
    turnLogAlone(factory, first.locks, closedFirst.promise),
    turnLogAlone(factory, second.locks, closedSecond.promise),
  ];
  // Not while it is being turned, either.
  await turnLogAlone(factory, worker.locks);
  const once = bytes();
  expect([once > 4 * 1024 * 1024, await factory.databases()]).toEqual([true, []]);
  closedFirst.resolve();
  await lives[0];
  await turnLogAlone(factory, worker.locks);
  expect(bytes()).toBe(once);
  closedSecond.resolve();
  await lives[1];
  await turnLogAlone(factory, worker.locks);
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
