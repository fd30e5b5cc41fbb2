// What a change is merged with: what stands when it is stored, not what stood a moment before.
import { expect, it } from "vitest";
import { myStateId } from "#protocol/entities/keys.ts";
import type { Message } from "#protocol/entities/message.ts";
import type { ChannelId, UserId, WorkspaceId } from "#protocol/ids.ts";
import type { Entity } from "#protocol/entities/entity.ts";
import type { AnyOp } from "#protocol/ops/all.ts";
import { putEntity } from "../store/put-entities.ts";
import { memoryBackend } from "../store/memory.ts";
import { putMessage } from "../store/messages.ts";
import { removeOp } from "../store/outbox.ts";
import { openReplica } from "../store/replica.ts";
import { emptyRoom } from "../store/rooms.ts";
import { createStore, type Store } from "../store/store.ts";
import type { WriteTx } from "../store/tx.ts";
import { change, CHANNEL, DIRECTORY, outboxOf, type Waiting } from "../test/ops.ts";
import { createSubmitter } from "./submit.ts";
import { createWriter } from "./writer.ts";

const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };
const OLGA = "olga" as UserId;
const MESSAGE = { kind: "message", id: "m", rev: 7, seq: 1, author: OLGA, createdAt: 0, text: "Ship it" } as Message;
const PREFS = { kind: "prefs", id: myStateId(OLGA, "c" as ChannelId), user: OLGA, channel: "c", rev: 3 } as Entity;

interface Scene {
  readonly underWay: Waiting;
  /** What its answer brings, in the tab that leads. */
  readonly answer: (tx: WriteTx) => unknown;
  readonly takenBack: AnyOp;
}

/** What waits when the answer to the first came while the second was on its way to the disk. */
async function waitingAfter({ underWay, answer, takenBack }: Scene): Promise<readonly unknown[]> {
  const backend = memoryBackend();
  const [leader, here] = [createStore(backend, quiet), createStore(backend, quiet)];
  const [first] = outboxOf({ ...underWay, n: 1 });
  await leader.write({ tables: ["outbox", "messages", "rooms"], durability: "strict" }, async (tx) => {
    putMessage(tx, CHANNEL, MESSAGE);
    // All of the directory is here: what changes nothing in it is void.
    tx.put("rooms", { ...emptyRoom(DIRECTORY), cursor: 3 });
    await tx.add("outbox", first!);
  });
  const replica = openReplica(here, "w" as WorkspaceId, OLGA);
  await replica.loaded;
  const answered = (): Promise<unknown> =>
    leader.write({ tables: ["outbox", "messages", "entities"], durability: "strict" }, async (tx) => {
      await answer(tx);
      removeOp(tx, first!);
    });
  const store: Store = {
    ...here,
    write: async (options, body) => {
      await answered();
      return here.write(options, body);
    },
  };
  const ports = { now: () => 5_000, newId: () => "new" };
  const writer = createWriter(store, ports, () => Promise.reject(new Error("not full")));
  const room = first!.room;
  expect(await createSubmitter({ replica, writer }).submit(room, takenBack)).toMatchObject({ ok: true });
  return (await here.read(["outbox"], (tx) => tx.all("outbox"))).map(({ op, args }) => change(op, args));
}

it.each<[string, Scene]>([
  [
    "a reaction",
    {
      underWay: { op: "message.react", args: { id: "m", emoji: "👍", on: true } },
      answer: (tx) => putMessage(tx, CHANNEL, { ...MESSAGE, rev: 8, reactions: { "👍": [OLGA] } } as Message),
      takenBack: change("message.react", { id: "m", emoji: "👍", on: false }),
    },
  ],
  [
    "a star",
    {
      underWay: { op: "channel.prefs", args: { channel: "c", starred: true } },
      answer: (tx) => putEntity(tx, DIRECTORY, 0, { ...PREFS, starred: true } as Entity),
      takenBack: change("channel.prefs", { channel: "c", starred: false }),
    },
  ],
])("%s taken back while the answer to it was being stored is not taken for void", async (_what, scene) => {
  expect(await waitingAfter(scene)).toEqual([scene.takenBack]);
});
