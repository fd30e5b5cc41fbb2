import { expect, it } from "vitest";
import type { Entity } from "#protocol/entities/entity.ts";
import type { ChannelId, WorkspaceId } from "#protocol/ids.ts";
import { putEntity } from "../store/put-entities.ts";
import { memoryBackend } from "../store/memory.ts";
import { storeSource } from "../store/export-source.ts";
import { workspaceRoom } from "../store/rooms.ts";
import { createStore, type Store } from "../store/store.ts";
import { outboxOf, post, REFUSED, type Waiting } from "../test/ops.ts";
import { readUnsent, unsentLines } from "./unsent.ts";

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

it("a copy of it has drafts that are in the room, too: a workspace one isn't in any more shows them nowhere", async () => {
  const store = createStore(memoryBackend(), quiet);
  const room = workspaceRoom("w" as WorkspaceId);
  await store.write({ tables: ["outbox", "entities"], durability: "strict" }, async (tx) => {
    for (const op of outboxOf(post("m"))) await tx.add("outbox", op);
    const known = [
      { kind: "draft", id: "olga.c", rev: 1, channel: "c", text: "Half of it" },
      { kind: "draft", id: "olga.d", rev: 2, deleted: true, channel: "d" },
      { kind: "channel", id: "c", rev: 1, access: "public", name: "general" },
    ] as unknown as readonly Entity[];
    for (const entity of known) await putEntity(tx, room, 0, entity);
  });
  const lines: object[] = [];
  for await (const line of unsentLines(storeSource(store), { at: 1, person: "Olga", build: "b" }))
    lines.push(JSON.parse(line) as object);
  expect(lines).toMatchObject([
    { kind: "causeway-device" },
    { kind: "op", op: "message.post" },
    { kind: "entity", entity: { kind: "draft", text: "Half of it" } },
  ]);
});
