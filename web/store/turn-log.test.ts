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
  await turnLogAlone(factory, null, null);
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
  await vi.waitFor(async () => expect([bytes() > 4 * 1024 * 1024, await factory.databases()]).toEqual([true, []]));
  const once = bytes();
  closedFirst.resolve();
  await lives[0];
  await turnLogAlone(factory, worker.locks, null);
  expect(bytes()).toBe(once);
  closedSecond.resolve();
  await lives[1];
  await turnLogAlone(factory, worker.locks, null);
  expect(bytes()).toBe(2 * once);
});

it("who isn't a tab waits for none that is at it, however long that takes", async () => {
  const factory = new IDBFactory();
  const { bytes } = countPuts();
  const { openTab } = createLocks();
  const frozen = Promise.withResolvers<void>();
  const turning = turnLogAlone(factory, openTab().locks, Promise.resolve(), () => frozen.promise);
  await vi.waitFor(() => expect(bytes()).toBeGreaterThan(0));
  const before = bytes();
  await turnLogAlone(factory, openTab().locks, null);
  expect(bytes()).toBe(before);
  frozen.resolve();
  await turning;
});

it("ends between two pieces where it is to, and leaves nothing", async () => {
  const factory = new IDBFactory();
  const { bytes } = countPuts();
  const replaced = new AbortController();
  const goOn = async (): Promise<void> => {
    if (bytes() > 1024 * 1024) replaced.abort();
    replaced.signal.throwIfAborted();
  };
  await expect(turnLogAlone(factory, null, null, goOn)).rejects.toThrow("aborted");
  expect([bytes() < 2 * 1024 * 1024, await factory.databases()]).toEqual([true, []]);
});

it("fails where there is no room, and leaves nothing there either", async () => {
  const factory = new IDBFactory();
  vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
    throw new DOMException("No space left", "QuotaExceededError");
  });
  await expect(turnLogAlone(factory, null, null)).rejects.toThrow("No space left");
  expect(await factory.databases()).toEqual([]);
});
