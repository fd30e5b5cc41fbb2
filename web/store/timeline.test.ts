// What a timeline makes of what waits beside what is held.
import { expect, it } from "vitest";
import type { ChannelId, MessageId, UserId, WorkspaceId } from "#protocol/ids.ts";
import type { Message } from "#protocol/entities/message.ts";
import { CHANNEL, outboxOf, post } from "../test/ops.ts";
import type { Liveness } from "./liveness.ts";
import { memoryBackend } from "./memory.ts";
import { putMessage } from "./messages.ts";
import { openReplica } from "./replica.ts";
import { emptyRoom } from "./rooms.ts";
import { createStore } from "./store.ts";
import { openTimeline } from "./timeline.ts";

const ME = "olga" as UserId;
const COUNT = 200;
const away: Liveness = {
  subscribe: () => () => undefined,
  version: () => 0,
  isFlowing: () => false,
  connection: () => ({ state: "offline" }) as ReturnType<Liveness["connection"]>,
  liveAt: () => null,
};

const message = (seq: number, id: string, author: string): Message =>
  ({ kind: "message", id, rev: seq, seq, author, createdAt: seq, text: `text ${seq}` }) as unknown as Message;

it("[OP3] a post whose answer was lost doesn't wait at the end where its message is held far above", async () => {
  const store = createStore(memoryBackend(), {
    send: () => undefined,
    listen: () => () => undefined,
    close: () => undefined,
  });
  await store.write({ tables: ["messages", "outbox", "rooms"], durability: "relaxed" }, async (tx) => {
    for (let seq = 1; seq <= COUNT; seq++) {
      putMessage(tx, CHANNEL, seq === 100 ? message(seq, "arrived", ME) : message(seq, `m${seq}`, "mara"));
    }
    const ranges = [{ from: 1, to: null }];
    tx.put("rooms", { ...emptyRoom(CHANNEL), cursor: COUNT, head: COUNT, lastSeq: COUNT, ranges, heldCount: COUNT });
    for (const op of outboxOf({ ...post("arrived"), n: 1 }, { ...post("waits"), n: 2 })) tx.put("outbox", op);
  });
  const replica = openReplica(store, "w" as WorkspaceId, ME);
  const timeline = openTimeline(
    {
      store,
      replica,
      liveness: away,
      fetchHistory: async () => false,
      ref: () => ({ id: "w" as WorkspaceId, slug: "w", name: "w", role: "member" }),
      now: () => 300,
      page: { isVisible: () => true },
      report: (error) => {
        throw error;
      },
    },
    "c" as ChannelId,
  );
  timeline.subscribe(() => undefined);
  await replica.loaded;
  await timeline.settled();
  const now = timeline.snapshot();
  if (now.state !== "ready") throw new Error("not ready");
  const ids = now.messages.map(({ id }) => id);
  expect(ids).toContain("waits" as MessageId);
  expect(ids).not.toContain("arrived" as MessageId);
  timeline.loadOlder();
  await timeline.settled();
  const grown = timeline.snapshot();
  if (grown.state !== "ready") throw new Error("not ready");
  expect(grown.messages.filter(({ id }) => id === "arrived").map(({ seq }) => seq)).toEqual([100]);
});
