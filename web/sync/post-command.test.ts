// What an answer is put under, over what the device holds.
import { expect, it } from "vitest";
import type { Message } from "#protocol/entities/message.ts";
import type { ChannelId, MessageId, UserId, WorkspaceId } from "#protocol/ids.ts";
import { memoryBackend } from "../store/memory.ts";
import { putMessage } from "../store/messages.ts";
import { openReplica } from "../store/replica.ts";
import { createStore } from "../store/store.ts";
import { CHANNEL, outboxOf, post, type Waiting } from "../test/ops.ts";
import type { CommandDeps } from "./commands.ts";
import { postCommand } from "./post-command.ts";
import { createWriter } from "./writer.ts";

const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };
const held = (id: string, seq: number, more: object = {}): Message =>
  ({ kind: "message", id, rev: seq, seq, author: "mara", createdAt: 1, text: id, ...more }) as Message;

async function rootOfAnswer(answered: string, messages: readonly Message[], ops: readonly Waiting[]): Promise<unknown> {
  const store = createStore(memoryBackend(), quiet);
  await store.write({ tables: ["outbox", "messages"], durability: "strict" }, async (tx) => {
    for (const op of outboxOf(...ops)) await tx.add("outbox", op);
    for (const message of messages) putMessage(tx, CHANNEL, message);
  });
  const ports = { now: () => 5_000, newId: () => "new" };
  const replica = openReplica(store, "w" as WorkspaceId, "olga" as UserId);
  await replica.loaded;
  const writer = createWriter(store, ports, () => Promise.reject(new Error("not full")));
  const deps = { store, replica, ports, writer, tab: { used: () => undefined } } as unknown as CommandDeps;
  expect(await postCommand(deps)("c" as ChannelId, "An answer", answered, "mine" as MessageId)).toMatchObject({
    ok: true,
  });
  const outbox = await store.read(["outbox"], (tx) => tx.all("outbox"));
  return outbox.map(({ args }) => args).find((args) => "id" in args && args.id === "mine");
}

it.each<[string, string, string, Message[], Waiting[]]>([
  ["a message", "m", "m", [held("m", 1)], []],
  ["a reply", "r m", "m", [held("m", 1), held("r", 2, { root: "m" })], []],
  ["a reply that waits", "r m", "m", [held("m", 1)], [post("r", { root: "m" })]],
  ["a reply that is no longer on this device", "r m", "m", [], []],
  ["a message that is no longer on this device", "m", "m", [], []],
  ["a waiting reply whose root was taken back since, so that it stands by itself", "r m", "r", [], [post("r")]],
  ["a reply, begun in an older build", "r", "m", [held("r", 2, { root: "m" })], []],
])("an answer is put under the root of what it answers: %s", async (_, answered, root, messages, ops) => {
  expect(await rootOfAnswer(answered, messages, ops)).toMatchObject({ text: "An answer", root, toChannel: true });
});
