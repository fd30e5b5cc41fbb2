import { expect, it } from "vitest";
import type { ChannelId, WorkspaceId } from "#protocol/ids.ts";
import { memoryBackend } from "../store/memory.ts";
import { createStore, type Store } from "../store/store.ts";
import { outboxOf, post, REFUSED, type Waiting } from "../test/ops.ts";
import { readUnsent } from "./unsent.ts";

const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };
const draft = (channel: string, text: string): Waiting => ({ op: "draft.set", args: { channel, text } });

async function sizesOf(store: Store): Promise<{ waiting: number; refused: number }> {
  const { waiting, refused } = await readUnsent(store);
  return { waiting: waiting.size, refused: refused.size };
}

it("[OP11] what a person leaves behind counts drafts that no other device has: each composer's last, and what can't leave", async () => {
  const store = createStore(memoryBackend(), quiet);
  await store.write({ tables: ["outbox", "drafts"], durability: "strict" }, async (tx) => {
    const ops = [post("m"), { ...post("n"), refusal: REFUSED }, draft("c", "Half"), { ...draft("d", "Ha"), n: 1 }];
    for (const op of outboxOf(...ops, draft("d", ""))) await tx.add("outbox", op);
    tx.put("drafts", { workspace: "w" as WorkspaceId, channel: "e" as ChannelId, root: "", text: "Too long", at: 1 });
  });
  expect(await readUnsent(store)).toMatchObject({ draftCount: 1, unsyncedDraftCount: 1 });
  expect(await sizesOf(store)).toEqual({ waiting: 1, refused: 1 });
});

it("what waits for something refused doesn't go by itself: nobody who delivers first waits for it", async () => {
  const store = createStore(memoryBackend(), quiet);
  await store.write({ tables: ["outbox"], durability: "strict" }, async (tx) => {
    const answers = [post("answer", { root: "m" }), post("answer to that", { root: "answer" })];
    for (const op of outboxOf({ ...post("m"), refusal: REFUSED }, ...answers, post("n"))) await tx.add("outbox", op);
  });
  expect(await sizesOf(store)).toEqual({ waiting: 1, refused: 3 });
});
