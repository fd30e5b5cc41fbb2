// What is done with a write that the disk refused, told apart by why.
import { expect, test } from "vitest";
import { ok } from "#protocol/result.ts";
import { memoryBackend } from "../store/memory.ts";
import { createStore } from "../store/store.ts";
import { careForStorage, type StorageCare } from "./storage-care.ts";

const bus = { send: () => undefined, listen: () => () => undefined, close: () => undefined };

function care(reported: unknown[]): StorageCare {
  return careForStorage({
    store: createStore(memoryBackend(), bus),
    ports: {
      indexedDB: null,
      openBus: () => bus,
      report: (error) => reported.push(error),
      storage: null,
      timers: { set: (run) => queueMicrotask(run), clear: () => undefined },
    },
    name: "causeway/test/me",
    tell: () => undefined,
    note: () => undefined,
  });
}

test.each([
  ["InvalidStateError", "The database connection is closing."],
  ["AbortError", "The transaction was aborted."],
  ["UnknownError", "Connection is closing because of: Force close delete origin"],
])("a database taken away (%s): written once another is in its place, and nobody is troubled", async (name, why) => {
  const reported: unknown[] = [];
  const done = await care(reported).again(new DOMException(why, name), async () => "stored");
  expect(done).toEqual(ok("stored"));
  expect(reported).toEqual([]);
});

test("a disk that fails is told, and nothing that was typed counts as taken", async () => {
  const reported: unknown[] = [];
  const broken = new DOMException("Internal error.", "UnknownError");
  const done = await care(reported).again(broken, () => Promise.reject(broken));
  expect(done).toMatchObject({ ok: false, error: { code: "storage_blocked" } });
  expect(reported).toEqual([broken]);
});
