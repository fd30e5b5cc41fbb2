// The ways out for a refused op, over the store in memory.
import { expect, it } from "vitest";
import type { Message } from "#protocol/entities/message.ts";
import type { ChannelId, OpId, UserId, WorkspaceId } from "#protocol/ids.ts";
import { TEXT_MAX_CHARS } from "#protocol/limits.ts";
import { memoryBackend } from "../store/memory.ts";
import { waits } from "../store/needs.ts";
import { openReplica } from "../store/replica.ts";
import type { OutboxRecord } from "../store/schema.ts";
import { createStore } from "../store/store.ts";
import { CHANNEL, outboxOf, post, REFUSED, type Waiting } from "../test/ops.ts";
import type { LaterDeps } from "./later-commands.ts";
import { outboxCommands, type OutboxCommands } from "./outbox-commands.ts";
import { createSubmitter } from "./submit.ts";
import { createWriter } from "./writer.ts";

const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };
/** As this device knows it. */
const HELD = {
  kind: "message",
  id: "known",
  rev: 7,
  seq: 1,
  author: "olga",
  createdAt: 0,
  text: "As it was",
} as Message;
const MAYBE = { ...REFUSED, maybeDelivered: true };

interface Tried {
  readonly commands: OutboxCommands;
  /** What is in the outbox, drafts apart. */
  readonly left: () => Promise<readonly OutboxRecord[]>;
  readonly drafted: () => Promise<readonly string[]>;
}

async function withOps(...ops: readonly Waiting[]): Promise<Tried> {
  const store = createStore(memoryBackend(), quiet);
  await store.write({ tables: ["outbox", "messages"], durability: "strict" }, async (tx) => {
    tx.put("messages", { room: CHANNEL, message: HELD });
    for (const op of outboxOf(...ops)) await tx.add("outbox", op);
  });
  const replica = openReplica(store, "w" as WorkspaceId, "olga" as UserId);
  const ports = { now: () => 5_000, newId: () => "new" };
  const writer = createWriter(store, ports, () => Promise.reject(new Error("not full")));
  const submitter = createSubmitter({ replica, writer });
  const all = (): Promise<readonly OutboxRecord[]> => store.read(["outbox"], (tx) => tx.all("outbox"));
  return {
    commands: outboxCommands({ replica, ports, writer, submitter, store } as unknown as LaterDeps),
    left: async () => (await all()).filter(({ op }) => op !== "draft.set"),
    drafted: async () => (await all()).flatMap((each) => (each.op === "draft.set" ? [each.args.text] : [])),
  };
}

const FIRST = "op1" as OpId;

async function retried(text: string, ...ops: readonly Waiting[]): Promise<readonly (readonly string[])[]> {
  const { commands, left } = await withOps(...ops);
  expect(await commands.retry(FIRST, text)).toMatchObject({ ok: true });
  return (await left()).map(({ op, args }) => [op, "text" in args ? args.text : ""]);
}

it("[OP10] a post that may have been delivered goes as it was, and the words it is given now behind it", async () => {
  expect(await retried("anew", { ...post("m"), refusal: MAYBE })).toEqual([
    ["message.post", "m"],
    ["message.edit", "anew"],
  ]);
  const between: Waiting = { op: "message.edit", args: { id: "m", text: "between", base: 0 } };
  expect(await retried("anew", { ...post("m"), refusal: MAYBE }, between)).toEqual([
    ["message.post", "m"],
    ["message.edit", "anew"],
  ]);
});

it("[OP10] so does an edit that may have been done: its id stands for the words that it had", async () => {
  const edit: Waiting = { op: "message.edit", args: { id: "known", text: "better", base: 5 } };
  expect(await retried("best", { ...edit, refusal: MAYBE })).toEqual([
    ["message.edit", "better"],
    ["message.edit", "best"],
  ]);
  expect(await retried("best", { ...edit, refusal: REFUSED })).toEqual([["message.edit", "best"]]);
});

const edit: Waiting = { op: "message.edit", args: { id: "m", text: "better", base: 0 } };
const pin: Waiting = { op: "message.pin", args: { id: "m", on: true } };

it("words that were written last are those that go, also where they are the first ones again", async () => {
  for (const refusal of [REFUSED, MAYBE])
    expect(await retried("m", { ...post("m"), refusal }, edit)).toEqual([["message.post", "m"]]);
  const refused: Waiting = { op: "message.edit", args: { id: "m", text: "good", base: 0 }, refusal: REFUSED };
  expect(await retried("best", refused, edit)).toEqual([["message.edit", "best"]]);
});

it("new words in the place of refused ones are written now, and those that go as they were when they were written", async () => {
  for (const [text, at] of [
    ["anew", 5_000],
    ["m", 1_000],
  ] as const) {
    const { commands, left } = await withOps({ ...post("m"), refusal: REFUSED });
    expect(await commands.retry(FIRST, text)).toMatchObject({ ok: true });
    expect(await left()).toMatchObject([{ args: { text }, at }]);
  }
});

it("[OP10] a message taken back that may have been delivered is deleted, so that its words aren't in two places", async () => {
  const { commands, left, drafted } = await withOps({ ...post("m"), maybeDelivered: true }, edit, pin);
  expect(await commands.discard(FIRST, "draft")).toMatchObject({ ok: true });
  expect(await left()).toMatchObject([{ op: "message.delete", args: { id: "m" } }]);
  expect(await drafted()).toEqual(["better"]);
});

it("[AU4] [OP10] a message moved that may have been delivered is deleted where it was, so that its words aren't in two places", async () => {
  const answer = post("answer", { root: "m" });
  const { commands, left } = await withOps({ ...post("m"), refusal: MAYBE }, edit, pin, answer);
  expect(await commands.moveTo(FIRST, "elsewhere" as ChannelId)).toMatchObject({ ok: true });
  expect(await left()).toMatchObject([
    { room: CHANNEL, args: answer.args },
    { room: CHANNEL, op: "message.delete", args: { id: "m" } },
    { room: "channel:w_elsewhere", op: "message.post", args: { id: "new", text: "better" } },
    { room: "channel:w_elsewhere", op: "message.pin", args: { id: "new", on: true } },
  ]);
});

it("what one set on a message while it waited goes along where it is moved", async () => {
  const react: Waiting = { op: "message.react", args: { id: "m", emoji: "🎉", on: true } };
  const { commands, left } = await withOps({ ...post("m"), refusal: REFUSED }, react, pin);
  expect(await commands.moveTo(FIRST, "elsewhere" as ChannelId)).toMatchObject({ ok: true });
  expect((await left()).map(({ room, op, args }) => [room, op, args])).toEqual([
    ["channel:w_elsewhere", "message.post", { id: "new", text: "m" }],
    ["channel:w_elsewhere", "message.react", { id: "new", emoji: "🎉", on: true }],
    ["channel:w_elsewhere", "message.pin", { id: "new", on: true }],
  ]);
});

it("words that were being mended when a message was moved are those that go, and none that are too long", async () => {
  const { commands, left } = await withOps({ ...post("m"), refusal: REFUSED }, edit);
  const elsewhere = "elsewhere" as ChannelId;
  expect(await commands.moveTo(FIRST, elsewhere, "x".repeat(TEXT_MAX_CHARS + 1))).toMatchObject({ ok: false });
  expect(await commands.moveTo(FIRST, elsewhere, "best")).toMatchObject({ ok: true });
  expect(await left()).toMatchObject([{ room: "channel:w_elsewhere", args: { text: "best" } }]);
});

it("[OP10] one that the room said no to isn't there, so nothing is deleted where it was moved from", async () => {
  const { commands, left } = await withOps({ ...post("m"), refusal: REFUSED }, edit);
  expect(await commands.moveTo(FIRST, "elsewhere" as ChannelId)).toMatchObject({ ok: true });
  expect(await left()).toMatchObject([{ room: "channel:w_elsewhere", args: { text: "better" } }]);
});

it("[AU4] [OP9] what answers a discarded post that may have been delivered is left to the room, its changes go with it", async () => {
  const answer = post("answer", { root: "m" });
  const { commands, left } = await withOps({ ...post("m"), refusal: MAYBE }, edit, pin, answer);
  expect(await commands.discard(FIRST)).toMatchObject({ ok: true });
  const [kept, ...others] = await left();
  expect([kept?.args, kept?.refusal, others]).toEqual([answer.args, undefined, []]);
});

it("[AU4] so is what was written in a discarded channel that may have been made", async () => {
  const create: Waiting = { op: "channel.create", args: { id: "c", name: "new", access: "public" }, refusal: MAYBE };
  const { commands, left } = await withOps(create, post("m"));
  expect(await commands.discard(FIRST)).toMatchObject({ ok: true });
  expect((await left()).map(({ op, refusal }) => [op, refusal])).toEqual([["message.post", undefined]]);
});

const deletion: Waiting = { op: "message.delete", args: { id: "m" } };

it("[OP10] a deletion that is taken back gives back the edit that it outdated, with its id and what may stand", async () => {
  const took = outboxOf(
    { ...post("m"), id: "first" as OpId, maybeDelivered: true },
    { ...edit, id: "second" as OpId },
    { ...pin, id: "third" as OpId },
  );
  const { commands, left } = await withOps({ ...deletion, took }, post("answer", { root: "m" }));
  expect(await commands.discard(FIRST)).toMatchObject({ ok: true });
  const ops = await left();
  expect(ops.map(({ id, maybeDelivered }) => [id, maybeDelivered])).toEqual([
    ["op2", undefined],
    ["first", true],
    ["second", undefined],
    ["third", undefined],
  ]);
  // A place that was left is never taken again: a tab that is told late of what stood there must not believe it.
  expect(new Set(ops.map(({ place }) => place))).not.toContain(1);
  expect([...waits(ops)]).toEqual([["op2", "first"]]);
});

it("[OP10] words that were written since are not followed by the older ones that a deletion gives back", async () => {
  const took = outboxOf({ ...edit, id: "older" as OpId }, { ...pin, id: "pin" as OpId });
  const newer: Waiting = { op: "message.edit", args: { id: "m", text: "newer", base: 0 } };
  const { commands, left } = await withOps({ ...deletion, took, refusal: MAYBE }, newer);
  expect(await commands.discard(FIRST)).toMatchObject({ ok: true });
  expect((await left()).map(({ id }) => id)).toEqual(["op2", "pin"]);
});

it("[OP10] a deletion tried again takes along what was given back, for words on it would be refused in its wake", async () => {
  const { commands, left } = await withOps({ ...deletion, refusal: REFUSED }, { ...edit, refusal: REFUSED });
  expect(await commands.retry(FIRST)).toMatchObject({ ok: true });
  expect(await left()).toMatchObject([{ op: "message.delete", took: [{ args: { text: "better" } }] }]);
});

it("a deletion that stands for a message taken back or moved has nothing to give back", async () => {
  const { commands, left } = await withOps({ ...post("m"), maybeDelivered: true }, edit);
  expect(await commands.discard(FIRST, "draft")).toMatchObject({ ok: true });
  const [gone, ...others] = await left();
  expect([gone?.op, gone?.took, others]).toEqual(["message.delete", undefined, []]);
});

const edited = (id: string, text: string): Waiting => ({ op: "message.edit", args: { id, text, base: 5 } });
const moved = { room: "channel:w_elsewhere", op: "message.post", args: { id: "new", text: "better" } };

it("[AU4] an edit moved that may have been done is put back, so that its words aren't in two places", async () => {
  const { commands, left } = await withOps({ ...edited("known", "better"), refusal: MAYBE });
  expect(await commands.moveTo(FIRST, "elsewhere" as ChannelId)).toMatchObject({ ok: true });
  const before = { op: "message.edit", room: CHANNEL, args: { id: "known", text: "As it was", base: 7 } };
  expect(await left()).toMatchObject([before, moved]);
});

it.each([
  ["the room said no", [{ ...edited("known", "better"), refusal: REFUSED }]],
  ["what was there before isn't known", [{ ...edited("unknown", "better"), refusal: MAYBE }]],
  ["it was written over since", [{ ...edited("known", "better"), refusal: MAYBE }, edited("known", "best")]],
])("an edit that is moved is not put back where %s", async (_, ops) => {
  const { commands, left } = await withOps(...ops);
  expect(await commands.moveTo(FIRST, "elsewhere" as ChannelId)).toMatchObject({ ok: true });
  expect(await left()).toMatchObject([...ops.slice(1).map(({ op, args }) => ({ op, args })), moved]);
});

it("[OP10] a message with a number is taken back by a deletion behind it, and the words it shows are a draft", async () => {
  const change = { op: "message.edit", args: { id: "m", text: "good", base: 0 }, n: 8 } as const;
  for (const [edits, words] of [
    [[], "m"],
    [[change], "good"],
    [[change, edit, pin], "better"],
  ] as const) {
    const { commands, left, drafted } = await withOps({ ...post("m"), n: 7 }, ...edits);
    expect(await commands.discard(FIRST, "draft")).toMatchObject({ ok: true });
    const ops = (await left()).map(({ op, n, took }) => [op, n, took]);
    const numbered = edits.slice(0, 1).map(({ op, n }) => [op, n, undefined]);
    expect(ops).toEqual([["message.post", 7, undefined], ...numbered, ["message.delete", undefined, undefined]]);
    expect(await drafted()).toEqual([words]);
    // Behind its deletion it isn't there any more, and its words are elsewhere.
    expect(await commands.discard(FIRST, "draft")).toMatchObject({ ok: false });
    expect(await drafted()).toEqual([words]);
  }
});

it.each([[["op1", "op2", "op3"]], [["op3", "op1", "op2"]]])(
  "[OP10] texts taken back stand in the order they were written in: %s",
  async (ids) => {
    const { commands, drafted } = await withOps(...["one", "two\nlines", "three"].map((text) => post(text)));
    for (const id of ids) expect(await commands.discard(id as OpId, "draft")).toMatchObject({ ok: true });
    expect(await drafted()).toEqual(["one\ntwo\nlines\nthree"]);
  },
);

it.each([
  ["unless its words go into the draft", { ...post("m"), n: 7 }, undefined],
  ["where it is no message", { ...edit, n: 7 }, "draft"],
] as const)("[OP10] what has a number isn't taken out, %s", async (_, op, into) => {
  const { commands, left } = await withOps(op);
  expect(await commands.discard(FIRST, into)).toMatchObject({ ok: false });
  expect(await left()).toMatchObject([op]);
});
