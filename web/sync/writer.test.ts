// Writes that fail, as long as nobody can mend them.
import { expect, it } from "vitest";
import { failing } from "./failing.ts";
import { ok } from "#protocol/result.ts";
import { memoryBackend } from "../store/memory.ts";
import { createStore, type Store } from "../store/store.ts";
import type { StorageCare } from "./storage-care.ts";
import { createWriter, type Writer } from "./writer.ts";

const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };
const ports = { now: () => 0, newId: () => "id" };
const one = (): Promise<number> => Promise.resolve(1);

/** A store whose first write fails. */
function failingOnce(): Store {
  const store = createStore(memoryBackend(), quiet);
  let isFirst = true;
  return {
    ...store,
    write: (options, body) => {
      if (!isFirst) return store.write(options, body);
      isFirst = false;
      return Promise.reject(new DOMException("No space left", "QuotaExceededError"));
    },
  };
}

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const write = (writer: Writer) => writer.write("relaxed", one);

it("keeps no other write waiting for code that doesn't come", async () => {
  const writer = createWriter(failingOnce(), ports, () => new Promise(() => undefined));
  void write(writer);
  await soon();
  expect(await write(writer)).toEqual(ok(1));
});

it("takes no other write down where its code can't be had", async () => {
  const writer = createWriter(failingOnce(), ports, () => soon().then(() => Promise.reject(new TypeError("gone"))));
  const first = write(writer);
  const second = soon().then(() => write(writer));
  await expect(first).rejects.toThrow("gone");
  expect(await second).toEqual(ok(1));
});

it("stands in line while another is mended, and not when that is done", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const asked: unknown[] = [];
  const again: StorageCare["again"] = async (error) => {
    asked.push(error === undefined ? "new" : "failed");
    await promise;
    return failing("storage_full");
  };
  const writer = createWriter(failingOnce(), ports, () => Promise.resolve({ again } as StorageCare));
  const writing = [write(writer)];
  await soon();
  writing.push(write(writer));
  await soon();
  expect(asked).toEqual(["failed", "new"]);
  resolve();
  for (const result of await Promise.all(writing)) expect(result.ok).toBe(false);
  expect(await write(writer)).toEqual(ok(1));
});
