// Drafts over ops that wait, in the store in memory.
import { expect, it } from "vitest";
import type { ChannelId, UserId, WorkspaceId } from "#protocol/ids.ts";
import { memoryBackend } from "../store/memory.ts";
import { openReplica } from "../store/replica.ts";
import { createStore, type Store } from "../store/store.ts";
import { outboxOf, type Waiting } from "../test/ops.ts";
import type { MayStand } from "./client.ts";
import type { CommandDeps } from "./commands.ts";
import { setDraft } from "./draft-commands.ts";
import { COMMAND_TABLES, createWriter } from "./writer.ts";

const CHANNEL = "c" as ChannelId;
const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };

it("[OP4] is written on where it got to, though two of its ops lost their numbers and neither is answered", async () => {
  const store = createStore(memoryBackend(), quiet);
  const waiting = (text: string, over: string): Waiting => ({
    op: "draft.set",
    args: { channel: CHANNEL, text, over },
  });
  await store.write({ tables: ["outbox"], durability: "strict" }, async (tx) => {
    const [first, second] = outboxOf(waiting("hello", ""), waiting("hello world", "hello"));
    for (const op of [first!, second!]) await tx.add("outbox", op);
  });
  await draft(store, "hello world!", "hello world");
  const left = await store.read(["outbox"], (tx) => tx.all("outbox"));
  expect(left.map(({ args }) => args)).toMatchObject([
    { text: "hello", over: "" },
    { text: "hello world!", over: "hello" },
  ]);
});

it("[OP10] goes behind one that may have been done, as what it was: the room knows its id by that", async () => {
  const lost = async (): Promise<Store> => {
    const store = createStore(memoryBackend(), quiet);
    await store.write({ tables: ["outbox"], durability: "strict" }, async (tx) => {
      const [op] = outboxOf({ op: "draft.set", args: { channel: CHANNEL, text: "hello", over: "" } });
      await tx.add("outbox", { ...op!, maybeDelivered: true });
    });
    return store;
  };
  const left = async (store: Store): Promise<unknown> =>
    (await store.read(["outbox"], (tx) => tx.all("outbox"))).map(({ args }) => args);
  const typed = await lost();
  await draft(typed, "hello world", "hello");
  expect(await left(typed)).toMatchObject([
    { text: "hello", over: "" },
    { text: "hello world", over: "hello" },
  ]);
  const sent = await lost();
  await draft(sent, "", "hello", "hello");
  expect(await left(sent)).toMatchObject([
    { text: "hello", over: "" },
    { text: "", over: "hello" },
  ]);
});

it("stays erased where one has just signed in again, and erases it once more before the room has said what it has", async () => {
  const store = createStore(memoryBackend(), quiet);
  await store.write({ tables: ["outbox"], durability: "strict" }, async (tx) => {
    const [op] = outboxOf({ op: "draft.set", args: { channel: CHANNEL, text: "", over: "half a thought" } });
    await tx.add("outbox", { ...op!, dueAt: 1 });
  });
  await draft(store, "", "half a thought");
  const left = await store.read(["outbox"], (tx) => tx.all("outbox"));
  expect(left.map(({ args }) => args)).toMatchObject([{ text: "", over: "half a thought" }]);
});

it("[OP10] typed and taken back to what the room had, it is what the op that waits says, where the room hasn't spoken yet", async () => {
  const store = createStore(memoryBackend(), quiet);
  await store.write({ tables: ["outbox"], durability: "strict" }, async (tx) => {
    const args = { channel: CHANNEL, text: "half a thought, no", over: "half a thought" };
    const [op] = outboxOf({ op: "draft.set", args });
    await tx.add("outbox", { ...op!, dueAt: 1 });
  });
  await draft(store, "half a thought");
  const left = await store.read(["outbox"], (tx) => tx.all("outbox"));
  expect(left.map(({ args }) => args)).toEqual([{ channel: CHANNEL, text: "half a thought", over: "half a thought" }]);
});

it.each<[string, stored: string, over: string | readonly string[], sent: string, left: string]>([
  ["leaves what another tab typed behind it", "Meet at ten by the gate", "Meet at ten", "Meet at ten", "by the gate"],
  ["as where it ends in a blank", "Meet at ten by the gate", "Meet at ten ", "Meet at ten ", "by the gate"],
  [
    "between others",
    "phone\nMeet at ten by the gate\nlast",
    ["Meet at ten"],
    "Meet at ten",
    "phone\n by the gate\nlast",
  ],
  ["in the middle of a word, too", "Meet at ten o'clock", "Meet at ten o", "Meet at ten o", "'clock"],
  ["and of the next word", "Bring the ladder along", "Bring the ladder a", "Bring the ladder a", "long"],
  ["is no part of another line", "Say when: Meet at ten", "Meet at ten", "Meet at ten", "Say when: Meet at ten"],
  ["leaves a text alone that may have stood there by itself", "No idea where", ["", "No"], "No", "No idea where"],
  ["leaves a text alone of which it is another", "No idea where", "No", "Yes", "No idea where"],
  ["leaves a text alone that it knew nothing of", " indented", "", "Yes", " indented"],
])("sent where more stands by now, %s", async (_, stored, over, sent, left) => {
  const store = createStore(memoryBackend(), quiet);
  await draft(store, stored);
  await draft(store, "", over, sent);
  expect(await standing(store)).toBe(left);
});

it("erased where another tab typed on, takes nothing from that", async () => {
  const store = createStore(memoryBackend(), quiet);
  await draft(store, "No idea where");
  await draft(store, "", "No");
  expect(await standing(store)).toBe("No idea where");
});

it.each<[string, stored: readonly string[]]>([
  ["the last of them got to the disk", ["Hel\nphone", "Hello\nphone"]],
  ["that one failed there", ["Hel\nphone"]],
])("takes the place of what of the writer's stands, of several: %s", async (_, stored) => {
  const store = createStore(memoryBackend(), quiet);
  for (const text of stored) await draft(store, text);
  await draft(store, "Hello there", ["Hel", "Hello"]);
  expect(await standing(store)).toBe("Hello there\nphone");
});

async function draft(store: Store, text: string, over?: MayStand, sent?: string): Promise<void> {
  const ports = { now: () => 5_000, newId: () => "new" };
  const replica = openReplica(store, "w" as WorkspaceId, "olga" as UserId);
  const writer = createWriter(store, ports, () => Promise.reject(new Error("not full")));
  const deps = { replica, ports, writer } as unknown as CommandDeps;
  await store.write({ tables: COMMAND_TABLES, durability: "strict" }, (tx) =>
    setDraft(deps, tx, { channel: CHANNEL }, text, over, sent),
  );
}

/** As its op says, which waits. */
async function standing(store: Store): Promise<unknown> {
  const [op] = await store.read(["outbox"], (tx) => tx.all("outbox"));
  return op?.op === "draft.set" ? op.args.text : undefined;
}
