// The note of what waits, where the database can be read and not written just then, or the tab ends in between.
import { expect, it, vi } from "vitest";
import { putDatabaseId } from "../store/database-id.ts";
import { memoryBackend } from "../store/memory.ts";
import { appendOp } from "../store/outbox.ts";
import { createStore, type Store } from "../store/store.ts";
import { memoryNotes } from "../test/node-ports.ts";
import { outboxOf, post } from "../test/ops.ts";
import { forgetWaiting, lostAsStored, readNote, waitingOf, writeNote } from "./waiting.ts";
import { watchWaiting, type WaitingDeps } from "./watch-waiting.ts";

const NAME = "causeway/x/olga";
const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };

/** One op waits, and it is noted that another did, which has been delivered since. */
async function watched(write: (write: Store["write"]) => Store["write"]) {
  const real = createStore(memoryBackend(), quiet);
  await real.write({ tables: ["meta", "outbox"], durability: "relaxed" }, async (tx) => {
    putDatabaseId(tx, "d");
    for (const { place: _, version: __, ...op } of outboxOf(post("still here"))) await appendOp(tx, op);
  });
  const notes = memoryNotes();
  const gone = outboxOf(post("delivered meanwhile")).map((op) => ({ ...op, id: "gone" as typeof op.id }));
  writeNote(notes, NAME, { ...waitingOf(gone, []), database: "d", last: { op: "gone", place: 0 } });
  const due: (() => void)[] = [];
  const ports: WaitingDeps["ports"] = {
    locks: null,
    newId: () => "n",
    report: (error) => expect(error).toBeUndefined(),
    timers: { set: (run) => due.push(run), clear: () => undefined },
  };
  const told = vi.fn<(isLost: boolean) => void>();
  const store: Store = { ...real, write: write(real.write) };
  const watch = watchWaiting({ store, ports, notes, name: NAME, note: () => undefined, tell: told });
  const noted = (): readonly string[] | undefined => readNote(notes, NAME)?.texts.map(({ text }) => text);
  return { notes, watch, told, noted, due, store };
}

it("goes on by itself once that can be written again, and says nothing of what was delivered", async () => {
  let isFull = true;
  const refused = (): Promise<never> => Promise.reject(new DOMException("", "UnknownError"));
  const { watch, told, noted, due, store } = await watched(
    (write) =>
      (...how) =>
        isFull ? refused() : write(...how),
  );
  await expect.poll(() => told.mock.calls).toEqual([[false]]);
  expect([noted(), watch.database()]).toEqual([["delivered meanwhile"], null]);
  isFull = false;
  await store.write({ tables: ["outbox"], durability: "relaxed" }, async (tx) => {
    for (const { place: _, version: __, ...op } of outboxOf(post("another"))) await appendOp(tx, op);
  });
  for (const run of due.splice(0)) run();
  await expect.poll(noted).toEqual(["still here", "another"]);
  expect([told.mock.calls.flat(), watch.database()]).toEqual([[false, false], "d"]);
  watch.close();
});

it("is none of a tab that ended meanwhile", async () => {
  const going = Promise.withResolvers<void>();
  let isAsked = false;
  const { watch, notes, told } = await watched((write) => async (...how) => {
    isAsked = true;
    await going.promise;
    return write(...how);
  });
  await expect.poll(() => isAsked).toBe(true);
  watch.close();
  forgetWaiting(notes, NAME);
  going.resolve();
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect([readNote(notes, NAME), lostAsStored(notes, NAME), told.mock.calls]).toEqual([null, null, []]);
});
