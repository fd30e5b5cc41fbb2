// Posts whose answer nobody got, over the store in memory: what becomes of them when their message is seen.
import { expect, it } from "vitest";
import type { Entity } from "#protocol/entities/entity.ts";
import { failure } from "#protocol/errors.ts";
import type { UserId } from "#protocol/ids.ts";
import { memoryBackend } from "../store/memory.ts";
import { putLeader } from "../store/meta.ts";
import { readOutbox } from "../store/outbox.ts";
import { createStore } from "../store/store.ts";
import { CHANNEL, outboxOf, post, REFUSED, type Waiting } from "../test/ops.ts";
import { answersOf } from "./answers.ts";
import { keepJournal } from "./journal.ts";
import { replicaStore } from "./replica-store.ts";

const ME = "olga" as UserId;
const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };
const MAYBE = { ...REFUSED, maybeDelivered: true };

async function withOps(...ops: readonly Waiting[]) {
  const store = createStore(memoryBackend(), quiet);
  await store.write({ tables: ["meta", "outbox"], durability: "strict" }, async (tx) => {
    putLeader(tx, "tab");
    for (const op of outboxOf(...ops)) await tx.add("outbox", op);
  });
  const timers = { set: () => 1, clear: () => undefined };
  const journal = keepJournal(store, { now: () => 7, timers, report: (fault) => expect(fault).toBeNull() }, "tab");
  // It has read what waits.
  await store.read(["outbox"], readOutbox);
  return {
    room: replicaStore(store, "tab", CHANNEL, ME),
    answers: answersOf(store, "tab", CHANNEL, ME, () => "device"),
    left: async () => (await store.read(["outbox"], readOutbox)).map(({ id }) => id as string),
    noted: async () => {
      await journal.stop();
      const lines = await store.read(["events"], (tx) => tx.all("events"));
      return lines.filter(({ kind }) => kind === "outbox").map(({ what, ids }) => [what, ...(ids ?? [])]);
    },
  };
}

const stands = (id: string, seq: number, author: string = ME): Entity =>
  ({ kind: "message", id, rev: seq, seq, author, createdAt: 1, text: id }) as Entity;

const page = (...entities: Entity[]) =>
  ({ t: "snapshot", head: 9, epoch: "e", oldest: null, reset: false, entities }) as const;

it("[AU4] what may have been delivered was, once its message came: in a page, or live", async () => {
  const { room, left, noted } = await withOps(
    { ...post("in a page"), refusal: MAYBE },
    { ...post("live"), refusal: MAYBE },
    { ...post("never sent"), refusal: MAYBE },
    { op: "message.edit", args: { id: "live", text: "better", base: 0 } },
  );
  await room.snapshot(page(stands("other", 1, "mara"), stands("in a page", 2)));
  expect(await left()).toEqual(["op2", "op3", "op4"]);
  await room.changed({ t: "changes", from: 9, to: 10, more: false, entities: [stands("live", 10)] }, "e");
  expect(await left()).toEqual(["op3", "op4"]);
  expect(await noted()).toEqual([["delivered", "op1", "op2"]]);
});

it("[AU4] an edit that may have been done was, once its message says what it says", async () => {
  const edit = (id: string, text: string): Waiting => ({
    op: "message.edit",
    args: { id, text, base: 0 },
    refusal: MAYBE,
  });
  const { room, left, noted } = await withOps(edit("m", "m"), edit("m", "otherwise"), edit("gone", "gone"));
  const gone = { ...stands("gone", 2), text: undefined, deleted: true, deletedAt: 1 } as unknown as Entity;
  await room.snapshot(page(stands("m", 1), gone));
  expect(await left()).toEqual(["op2", "op3"]);
  expect(await noted()).toEqual([["delivered", "op1"]]);
});

it("[AU4] not what somebody else wrote, what was refused for good, or what has an answer to come", async () => {
  const { room, left } = await withOps(
    { ...post("another's"), refusal: MAYBE },
    { ...post("refused"), refusal: REFUSED },
    { ...post("open"), maybeDelivered: true },
    { ...post("on its way"), n: 3 },
  );
  await room.snapshot(
    page(stands("another's", 1, "mara"), stands("refused", 2), stands("open", 3), stands("on its way", 4)),
  );
  expect(await left()).toEqual(["op1", "op2", "op3", "op4"]);
});

it("[AU4] where its message is here already, the room's closing refuses nothing that was delivered", async () => {
  const { room, answers, left, noted } = await withOps(
    { ...post("here"), n: 3 },
    { ...post("here too"), maybeDelivered: true },
    { ...post("on its way"), n: 4 },
  );
  await room.snapshot(page(stands("here", 1), stands("here too", 2)));
  await answers.closed(failure("forbidden"), true);
  expect(await left()).toEqual(["op3"]);
  expect(await noted()).toEqual([
    ["delivered", "op1", "op2"],
    ["refused", "op3"],
  ]);
});
