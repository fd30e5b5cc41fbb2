// What becomes of ops by their answers, and when a room lets nobody in any more, over the store in memory.
import { expect, it } from "vitest";
import { failure } from "#protocol/errors.ts";
import type { Entity } from "#protocol/entities/entity.ts";
import type { DeviceId, OpId, UserId } from "#protocol/ids.ts";
import { CLIENT_FRAME_MAX_BYTES } from "#protocol/limits.ts";
import { memoryBackend } from "../store/memory.ts";
import { putLeader } from "../store/meta.ts";
import type { DraftRecord, OutboxRecord } from "../store/schema.ts";
import { createStore, type Store } from "../store/store.ts";
import { CHANNEL, DIRECTORY, outboxOf, post, REFUSED, type Waiting } from "../test/ops.ts";
import { answersOf } from "./answers.ts";
import { frameBytes } from "./op-frame.ts";

const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };

it("[AU4] keeps the text of a draft that can't be synced any more, and no read position", async () => {
  const store = createStore(memoryBackend(), quiet);
  await store.write({ tables: ["meta", "outbox"], durability: "strict" }, async (tx) => {
    putLeader(tx, "tab");
    const draft = { op: "draft.set", args: { channel: "c", text: "half a thought" } } as const;
    const read = { op: "read.set", args: { channel: "c", seq: 1, base: 0 } } as const;
    for (const op of outboxOf(draft, read)) tx.put("outbox", op);
  });
  const answers = answersOf(store, "tab", DIRECTORY, "olga" as UserId, () => "device");
  await answers.closed(failure("forbidden"), true);
  expect(await store.read(["outbox"], (tx) => tx.all("outbox"))).toEqual([]);
  expect(await store.read(["drafts"], (tx) => tx.all("drafts"))).toMatchObject([
    { workspace: "w", channel: "c", root: "", text: "half a thought" },
  ]);
});

async function storeWith(...ops: readonly Waiting[]): Promise<Store> {
  const store = createStore(memoryBackend(), quiet);
  await store.write({ tables: ["meta", "outbox"], durability: "strict" }, async (tx) => {
    putLeader(tx, "tab");
    for (const op of outboxOf(...ops)) await tx.add("outbox", op);
  });
  return store;
}

function outboxIn(store: Store): Promise<readonly OutboxRecord[]> {
  return store.read(["outbox"], (tx) => tx.all("outbox"));
}

it.each([
  ["refused", 3],
  ["let in no longer", undefined],
])("[AU4] a draft that grew too long to be synced isn't replaced by what it was before: %s", async (_, n) => {
  const kept = { workspace: "w", channel: "c", root: "", text: "all of it", at: 1 };
  const begun = { op: "draft.set", args: { channel: "c", text: "all" } } as const;
  const store = await storeWith(n === undefined ? begun : { ...begun, n });
  await store.write({ tables: ["drafts"], durability: "strict" }, async (tx) => tx.put("drafts", kept as DraftRecord));
  const answers = answersOf(store, "tab", DIRECTORY, "olga" as UserId, () => "device");
  if (n === undefined) await answers.closed(failure("forbidden"), true);
  else await answers.refused({ t: "refuse", n, code: "forbidden", detail: "no", held: false });
  expect(await outboxIn(store)).toEqual([]);
  expect(await store.read(["drafts"], (tx) => tx.all("drafts"))).toEqual([kept]);
});

it("what stands on a refused draft grew out of what that one had grown out of, in the outbox and by itself", async () => {
  const draft = (text: string, over?: string): Waiting => ({
    op: "draft.set",
    args: { channel: "c", text, ...(over !== undefined && { over }) },
  });
  const refused = { t: "refuse", n: 3, code: "forbidden", detail: "no", held: false } as const;
  for (const [over, then] of [
    ["a", { over: "a" }],
    [undefined, {}],
  ] as const) {
    const store = await storeWith({ ...draft("ab", over), n: 3 }, draft("abc", "ab"));
    await answersOf(store, "tab", DIRECTORY, "olga" as UserId, () => "device").refused(refused);
    expect((await outboxIn(store)).map(({ args }) => args)).toEqual([{ channel: "c", text: "abc", ...then }]);
  }
  const store = await storeWith({ ...draft("", "a"), n: 3 });
  const kept = { workspace: "w", channel: "c", root: "", text: "long", over: "", at: 1 } as unknown as DraftRecord;
  await store.write({ tables: ["drafts"], durability: "strict" }, async (tx) => tx.put("drafts", kept));
  await answersOf(store, "tab", DIRECTORY, "olga" as UserId, () => "device").refused(refused);
  expect(await store.read(["drafts"], (tx) => tx.all("drafts"))).toEqual([{ ...kept, over: "a" }]);
});

it("what no frame bears gets no number, and what a frame just bears does", async () => {
  const draft = (chars: number): Waiting => ({ op: "draft.set", args: { channel: "c", text: "x".repeat(chars) } });
  const numberedWith = async (chars: number): Promise<number> => {
    const answers = answersOf(await storeWith(draft(chars)), "tab", DIRECTORY, "olga" as UserId, () => "device");
    return (await answers.number(Number.POSITIVE_INFINITY)).length;
  };
  const [op] = outboxOf(draft(0));
  const room = CLIENT_FRAME_MAX_BYTES - frameBytes({ ...op!, n: Number.MAX_SAFE_INTEGER }, 0);
  expect([await numberedWith(room), await numberedWith(room + 1)]).toEqual([1, 0]);
});

it("[AU4] a draft that was sent since doesn't come back, and of two that wait the later is kept", async () => {
  const draft = (channel: string, text: string): Waiting => ({ op: "draft.set", args: { channel, text } });
  const store = await storeWith(
    { ...draft("sent", "hello"), n: 1 },
    draft("sent", ""),
    { ...draft("c", "hel"), n: 2 },
    draft("c", "hello"),
  );
  await answersOf(store, "tab", DIRECTORY, "olga" as UserId, () => "device").closed(failure("forbidden"), true);
  expect(await store.read(["drafts"], (tx) => tx.all("drafts"))).toMatchObject([{ channel: "c", text: "hello" }]);
});

it("[OP9] a change of a reply to a refused post waits as the reply does", async () => {
  const edit: Waiting = { op: "message.edit", args: { id: "reply", text: "better", base: 0 }, n: 8 };
  const store = await storeWith({ ...post("m"), refusal: REFUSED }, { ...post("reply", { root: "m" }), n: 7 }, edit);
  const answers = answersOf(store, "tab", CHANNEL, "olga" as UserId, () => "device");
  for (const n of [7, 8]) await answers.refused({ t: "refuse", n, code: "not_found", detail: "no", held: false });
  const [, ...waiting] = await outboxIn(store);
  expect(waiting).toMatchObject([{ op: "message.post" }, { op: "message.edit" }]);
  for (const op of waiting) expect([op.n, op.refusal, op.maybeDelivered]).toEqual([undefined, undefined, undefined]);
});

it("[OP4] [OP10] what is numbered anew may have been delivered, and is never taken for unseen", async () => {
  const store = await storeWith({ ...post("m"), n: 7 }, post("other"));
  await store.write({ tables: ["devices"], durability: "strict" }, async (tx) =>
    tx.put("devices", { room: CHANNEL, device: "old" as DeviceId, next: 8 }),
  );
  await answersOf(store, "tab", CHANNEL, "olga" as UserId, () => "new").renumber("old" as DeviceId);
  expect((await outboxIn(store)).map(({ n, maybeDelivered }) => [n, maybeDelivered])).toEqual([
    [undefined, true],
    [undefined, undefined],
  ]);
});

it("[AU4] says of what lost its number that it may have been delivered, where the room lets nobody in any more", async () => {
  const store = await storeWith({ ...post("m"), maybeDelivered: true }, post("other"));
  await answersOf(store, "tab", CHANNEL, "olga" as UserId, () => "device").closed(failure("forbidden"), false);
  expect((await outboxIn(store)).map(({ refusal }) => refusal?.maybeDelivered)).toEqual([true, undefined]);
});

it.each([
  ["waits", undefined],
  ["is on its way, as a change is", 9],
])(
  "[OP9] [OP10] a refused message that its author deleted meanwhile is gone, with what hangs on it: the deletion %s",
  async (_, n) => {
    const store = await storeWith(
      { ...post("m"), n: 8 },
      { op: "message.edit", args: { id: "m", text: "better", base: 0 } },
      { op: "message.react", args: { id: "m", emoji: "👍", on: true }, ...(n !== undefined && { n }) },
      post("answer", { root: "m" }),
      { op: "message.delete", args: { id: "m" }, ...(n !== undefined && { n: n + 1 }) },
    );
    const answers = answersOf(store, "tab", CHANNEL, "olga" as UserId, () => "device");
    await answers.refused({ t: "refuse", n: 8, code: "archived", detail: "no", held: false });
    for (const then of n === undefined ? [] : [n, n + 1])
      await answers.refused({ t: "refuse", n: then, code: "not_found", detail: "no", held: false });
    expect(await outboxIn(store)).toMatchObject([
      { op: "message.post", args: { id: "answer" }, refusal: { code: "not_found" } },
    ]);
  },
);

const TAKEN = outboxOf({ op: "message.edit", args: { id: "m", text: "better", base: 0 }, id: "edit" as OpId });
const DELETION: Waiting = { op: "message.delete", args: { id: "m" }, took: TAKEN };

it("[OP9] a deletion that the room says no to gives back the edit it took, for the room to judge", async () => {
  const store = await storeWith({ ...DELETION, n: 7 });
  const answers = answersOf(store, "tab", CHANNEL, "olga" as UserId, () => "device");
  await answers.refused({ t: "refuse", n: 7, code: "archived", detail: "no", held: false });
  const [deletion, edit, ...others] = await outboxIn(store);
  expect([deletion?.refusal?.code, deletion?.took]).toEqual(["archived", undefined]);
  expect([edit?.id, edit?.refusal, edit?.n, others]).toEqual(["edit", undefined, undefined, []]);
});

it("[AU4] so does one of a channel that lets nobody in, with the reason; not one that may have been done", async () => {
  const store = await storeWith(DELETION, { ...DELETION, n: 7 });
  await answersOf(store, "tab", CHANNEL, "olga" as UserId, () => "device").closed(failure("forbidden"), true);
  expect(await outboxIn(store)).toMatchObject([
    { op: "message.delete", refusal: { code: "forbidden" } },
    { op: "message.delete", refusal: { code: "forbidden", maybeDelivered: true }, took: [{ id: "edit" }] },
    { op: "message.edit", refusal: { code: "forbidden" }, args: { text: "better" } },
  ]);
});

it.each([
  ["with what it took, still waits", { took: outboxOf({ op: "message.edit", args: { id: "m", text: "a", base: 0 } }) }],
  ["is on its way, as a change is", { n: 9 }],
])(
  "[AU4] [RV5] a message taken back on its way is gone where its channel lets nobody in: the deletion %s",
  async (_, of) => {
    const edit: Waiting = { op: "message.edit", args: { id: "m", text: "better", base: 0 } };
    const store = await storeWith(
      { ...post("m"), n: 7 },
      "n" in of ? { ...edit, n: 8 } : edit,
      { ...post("answer", { root: "m" }), n: 10 },
      { op: "message.delete", args: { id: "m" }, ...of },
    );
    await answersOf(store, "tab", CHANNEL, "olga" as UserId, () => "device").closed(failure("forbidden"), true);
    expect(await outboxIn(store)).toMatchObject([
      { op: "message.post", args: { id: "answer" }, refusal: { code: "forbidden", maybeDelivered: true } },
      { op: "message.delete", refusal: { code: "forbidden" } },
    ]);
    expect((await outboxIn(store)).map(({ took }) => took)).toEqual([undefined, undefined]);
  },
);

it("[OP9] so is a reply that was refused since what it answers was", async () => {
  const gone: Waiting = { op: "message.delete", args: { id: "reply" } };
  const store = await storeWith({ ...post("m"), refusal: REFUSED }, { ...post("reply", { root: "m" }), n: 7 }, gone);
  const answers = answersOf(store, "tab", CHANNEL, "olga" as UserId, () => "device");
  await answers.refused({ t: "refuse", n: 7, code: "not_found", detail: "no", held: false });
  expect((await outboxIn(store)).map(({ id }) => id)).toEqual(["op1"]);
});

const FAILING = { code: "internal", detail: "It broke, reference 1" } as const;

it.each([
  ["goes again as itself where the room did it all the same, and is fetched", true, { do: "pull", to: 0 }, [undefined]],
  ["is kept with its reason", false, { do: "ignore" }, [FAILING]],
  [
    "may have been delivered where the room doesn't say",
    undefined,
    { do: "ignore" },
    [{ ...FAILING, maybeDelivered: true }],
  ],
])("[OP6] an op whose number was skipped %s", async (_, done, next, kept) => {
  const store = await storeWith({ ...post("m"), n: 7, skip: FAILING });
  const told = done === undefined ? {} : { done };
  const answers = answersOf(store, "tab", CHANNEL, "olga" as UserId, () => "device");
  expect(await answers.acked([{ t: "ack", n: 7, rev: null, entities: [], ...told }])).toEqual([next]);
  const left = await outboxIn(store);
  expect(left.map(({ refusal }) => refusal)).toEqual(kept);
  expect(left.map(({ n, skip }) => [n, skip])).toEqual([[done === true ? 7 : undefined, undefined]]);
});

it("[OP3] [OP6] what was done all the same leaves with its answer as itself, and the next edit starts from there", async () => {
  const edit = (text: string): Waiting => ({ op: "message.edit", args: { id: "m", text, base: 1 } });
  const store = await storeWith({ ...edit("first"), n: 7, skip: FAILING }, edit("second"));
  const answers = answersOf(store, "tab", CHANNEL, "olga" as UserId, () => "device");
  // Also where that comes twice.
  for (const _ of [1, 2]) await answers.acked([{ t: "ack", n: 7, rev: null, entities: [], done: true }]);
  expect((await outboxIn(store)).map(({ args }) => args)).toMatchObject([
    { text: "first" },
    { text: "second", base: 1 },
  ]);
  const stands = { kind: "message", id: "m", rev: 5, seq: 1, author: "olga", createdAt: 1, text: "first", textRev: 5 };
  await answers.acked([{ t: "ack", n: 7, rev: null, entities: [stands as unknown as Entity] }]);
  expect((await outboxIn(store)).map(({ args }) => args)).toMatchObject([{ text: "second", base: 5 }]);
});

it("[OP3] an edit that a deletion took starts from the one before it all the same, for it may be given back", async () => {
  const edit = (text: string): Waiting => ({ op: "message.edit", args: { id: "m", text, base: 1 } });
  const other: Waiting = { op: "message.edit", args: { id: "other", text: "second", base: 1 } };
  const took = outboxOf(edit("second"), { ...edit("refused"), refusal: REFUSED }, other);
  const store = await storeWith({ ...edit("first"), n: 7 }, { ...DELETION, took }, { ...DELETION, n: 8, took });
  const stands = { kind: "message", id: "m", rev: 5, seq: 1, author: "olga", createdAt: 1, text: "first", textRev: 5 };
  const answers = answersOf(store, "tab", CHANNEL, "olga" as UserId, () => "device");
  await answers.acked([{ t: "ack", n: 7, rev: 5, entities: [stands as unknown as Entity] }]);
  const bases = (await outboxIn(store)).map((op) => op.took?.map(({ args }) => "base" in args && args.base));
  expect(bases).toEqual([
    [5, 1, 1],
    [5, 1, 1],
  ]);
});

it("[OP6] an op that the room skipped is kept, though this device knows of no skip", async () => {
  const store = await storeWith({ ...post("m"), n: 7 });
  const answers = answersOf(store, "tab", CHANNEL, "olga" as UserId, () => "device");
  await answers.acked([{ t: "ack", n: 7, rev: null, entities: [], done: false }]);
  expect((await outboxIn(store)).map(({ n, refusal }) => [n, refusal?.code])).toEqual([[undefined, "internal"]]);
});

it("[OP6] a draft whose number was skipped keeps its text on this device, and no read position stays", async () => {
  const store = await storeWith(
    { op: "draft.set", args: { channel: "c", text: "half a thought" }, n: 7, skip: FAILING },
    { op: "read.set", args: { channel: "c", seq: 1, base: 0 }, n: 8, skip: FAILING },
  );
  const answers = answersOf(store, "tab", DIRECTORY, "olga" as UserId, () => "device");
  for (const n of [7, 8]) await answers.acked([{ t: "ack", n, rev: null, entities: [], done: false }]);
  expect(await outboxIn(store)).toEqual([]);
  expect(await store.read(["drafts"], (tx) => tx.all("drafts"))).toMatchObject([{ text: "half a thought" }]);
});

it("[OP6] a message that was skipped and deleted is left to the deletion only where it may have been delivered", async () => {
  const gone: Waiting = { op: "message.delete", args: { id: "m" } };
  for (const [told, left] of [
    [{}, ["message.delete"]],
    [{ done: false }, []],
  ] as const) {
    const store = await storeWith({ ...post("m"), n: 7, skip: FAILING }, gone);
    const answers = answersOf(store, "tab", CHANNEL, "olga" as UserId, () => "device");
    await answers.acked([{ t: "ack", n: 7, rev: null, entities: [], ...told }]);
    expect((await outboxIn(store)).map(({ op }) => op)).toEqual(left);
  }
});

it("[OP14] a message that the room refuses doesn't stand there, whatever became of it before", async () => {
  const store = await storeWith({ ...post("m"), maybeDelivered: true, n: 7 });
  const answers = answersOf(store, "tab", CHANNEL, "olga" as UserId, () => "device");
  await answers.refused({ t: "refuse", n: 7, code: "archived", detail: "no", held: false });
  const [op] = await outboxIn(store);
  expect([op?.refusal, op?.maybeDelivered]).toEqual([{ code: "archived", detail: "no" }, undefined]);
});
