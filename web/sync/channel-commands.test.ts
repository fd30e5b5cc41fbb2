// Channels made and renamed here, over the store in memory.
import { expect, it } from "vitest";
import type { ChannelId, UserId, WorkspaceId } from "#protocol/ids.ts";
import { memoryBackend } from "../store/memory.ts";
import { openReplica } from "../store/replica.ts";
import { createStore } from "../store/store.ts";
import { outboxOf, REFUSED } from "../test/ops.ts";
import { channelCommands } from "./channel-commands.ts";
import type { LaterDeps } from "./later-commands.ts";
import { createSubmitter } from "./submit.ts";
import { createWriter } from "./writer.ts";

const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };

/** What is in the outbox once a refused channel of the name "plans" is called "plans-2". */
async function renamed(refusal: object): Promise<readonly unknown[]> {
  const store = createStore(memoryBackend(), quiet);
  await store.write({ tables: ["outbox"], durability: "strict" }, async (tx) => {
    const args = { id: "c", name: "plans", access: "public" };
    for (const op of outboxOf({ op: "channel.create", args, refusal } as never)) await tx.add("outbox", op);
  });
  const replica = openReplica(store, "w" as WorkspaceId, "olga" as UserId);
  await replica.reload();
  const ports = { now: () => 5_000, newId: () => "new" };
  const writer = createWriter(store, ports, () => Promise.reject(new Error("not full")));
  const submitter = createSubmitter({ replica, writer });
  const commands = channelCommands({ replica, ports, writer, submitter, store } as unknown as LaterDeps);
  expect(await commands.renameChannel("c" as ChannelId, "plans-2")).toMatchObject({ ok: true });
  const left = await store.read(["outbox"], (tx) => tx.all("outbox"));
  return left.map((op) => [op.op, "name" in op.args ? op.args.name : "", op.refusal]);
}

it("[OP9] a channel whose name was taken is made under the one that it is given now", async () => {
  expect(await renamed(REFUSED)).toEqual([["channel.create", "plans-2", undefined]]);
});

it("[OP10] one that may be made already goes as it was, and its new name behind it", async () => {
  expect(await renamed({ ...REFUSED, maybeDelivered: true })).toEqual([
    ["channel.create", "plans", undefined],
    ["channel.update", "plans-2", undefined],
  ]);
});
