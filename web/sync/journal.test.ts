import { describe, expect, it } from "vitest";
import type { MessageId, OpId, UserId } from "#protocol/ids.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { EVENTS_KEPT } from "../store/events.ts";
import { dropGivenUp, LEAVING_TABLES, putLeaving } from "../store/leaving.ts";
import { memoryBackend } from "../store/memory.ts";
import { putLeader } from "../store/meta.ts";
import { appendOp, putOp, removeOp } from "../store/outbox.ts";
import { refuseOp } from "../store/outbox-course.ts";
import { emptyRoom } from "../store/rooms.ts";
import type { EventRecord } from "../store/schema.ts";
import { createStore, type Store } from "../store/store.ts";
import { CHANNEL, outboxOf, post, type Waiting } from "../test/ops.ts";
import { answersOf } from "./answers.ts";
import { keepJournal } from "./journal.ts";

const ROOM = "channel:w_c" as RoomName;
const deafBus = { send: () => undefined, listen: () => () => undefined, close: () => undefined };

async function begun() {
  const store = createStore(memoryBackend(), deafBus);
  await store.write({ tables: ["meta"], durability: "relaxed" }, async (tx) => putLeader(tx, "me"));
  let write = (): void => undefined;
  const timers = { set: (run: () => void) => ((write = run), 1), clear: () => undefined };
  const faults: unknown[] = [];
  const journal = keepJournal(store, { now: () => 7, timers, report: (fault) => faults.push(fault) }, "me");
  return { store, journal, faults, flush: () => write() };
}

const linesOf = (store: Store): Promise<EventRecord[]> => store.read(["events"], (tx) => tx.all("events"));

describe("the event log", () => {
  it("keeps the last lines alone, in order, however many there were", async () => {
    const { store, journal, flush } = await begun();
    for (let n = 1; n <= EVENTS_KEPT * 2; n += 1) {
      journal.note({ kind: "app", what: "leading", detail: String(n) });
      if (n % 100 !== 0) continue;
      flush();
      await expect.poll(async () => (await linesOf(store)).at(-1)?.place).toBe(n);
    }
    await journal.stop();
    const lines = await linesOf(store);
    expect(lines).toHaveLength(EVENTS_KEPT);
    expect(lines.map(({ detail }) => Number(detail))).toEqual(
      Array.from({ length: EVENTS_KEPT }, (_, i) => EVENTS_KEPT + 1 + i),
    );
  });

  it("follows ops by id and count through every tab's commits, and never holds what was written", async () => {
    const { store, journal } = await begun();
    const tables = { tables: ["outbox"], durability: "relaxed" } as const;
    const post = (n: number) => ({
      id: `op${n}` as OpId,
      room: ROOM,
      at: 1,
      op: "message.post" as const,
      args: { id: `m${n}` as MessageId, text: "a secret" },
    });
    const ops = await store.write(tables, async (tx) => [await appendOp(tx, post(1)), await appendOp(tx, post(2))]);
    const sent = await store.write(tables, async (tx) => ops.map((op, i) => putOp(tx, { ...op, n: i + 1 })));
    await store.write(tables, async (tx) => {
      removeOp(tx, sent[0]!);
      refuseOp(tx, sent[1]!, { code: "archived", detail: "#launch is archived." });
    });
    await journal.stop();
    const lines = await linesOf(store);
    expect(lines.map(({ what, count, ids, detail }) => [what, count, ids, detail])).toEqual([
      ["queued", 2, ["op1", "op2"], "message.post"],
      ["sent", 2, ["op1", "op2"], "message.post"],
      ["delivered", 1, ["op1"], "message.post"],
      ["refused", 1, ["op2"], "message.post: archived"],
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/secret|launch/);
  });

  it("[SV4] says that a channel was restored, for what is gone leaves no trace; and of nothing else", async () => {
    const { store, journal } = await begun();
    const stands = (name: string, epoch: string | null): Promise<void> =>
      store.write({ tables: ["rooms"], durability: "relaxed" }, async (tx) =>
        tx.put("rooms", { ...emptyRoom(name as RoomName), epoch }),
      );
    await stands(ROOM, "one");
    await stands("channel:w_d", "two");
    await stands("channel:w_d", null);
    await stands("channel:w_d", "two");
    await stands("workspace:w", "three");
    await stands("workspace:w", "four");
    await stands(ROOM, "five");
    await journal.stop();
    expect(await linesOf(store)).toMatchObject([{ kind: "sync", what: "restored", room: ROOM }]);
  });

  it("never says delivered of what was refused, though its author had deleted it on its way", async () => {
    const { store, journal } = await begun();
    const tables = { tables: ["outbox"], durability: "relaxed" } as const;
    const gone: Waiting = { op: "message.delete", args: { id: "m" } };
    const [posted, deleted] = outboxOf(post("m"), gone);
    await store.write(tables, (tx) => tx.add("outbox", posted!));
    const answers = answersOf(store, "me", CHANNEL, "olga" as UserId, () => "device");
    const [sent] = await answers.number(0);
    await store.write(tables, (tx) => tx.add("outbox", deleted!));
    await answers.refused({ t: "refuse", n: sent!.n, code: "archived", detail: "no", held: false });
    await journal.stop();
    expect((await linesOf(store)).map(({ what, detail }) => [what, detail])).toEqual([
      ["queued", "message.post"],
      ["sent", "message.post"],
      ["queued", "message.delete"],
      ["refused", "message.post: archived"],
      ["taken-back", "message.delete"],
      ["discarded", "message.post"],
    ]);
  });

  it("never says delivered of what was given up with a sign-out, though it was on its way", async () => {
    const { store, journal } = await begun();
    await store.write({ tables: LEAVING_TABLES, durability: "relaxed" }, async (tx) => {
      for (const op of outboxOf({ ...post("m"), n: 1 }, post("m2"))) await tx.add("outbox", op);
    });
    await store.write({ tables: LEAVING_TABLES, durability: "relaxed" }, async (tx) => {
      putLeaving(tx, { queue: "discard", by: "press", at: 1, upTo: 2 });
      await dropGivenUp(tx);
    });
    await journal.stop();
    expect((await linesOf(store)).map(({ what, count }) => [what, count])).toEqual([
      ["queued", 2],
      ["discarded", 2],
    ]);
  });

  it("ends with how things stand, though a state came back within one write", async () => {
    const { store, journal } = await begun();
    for (const what of ["offline", "live", "live", "offline"]) journal.note({ kind: "connection", what });
    await journal.stop();
    expect((await linesOf(store)).map(({ what, count }) => [what, count ?? 1])).toEqual([
      ["offline", 1],
      ["live", 2],
      ["offline", 1],
    ]);
  });

  it("is in nobody's way when another tab leads: what it can't write it drops", async () => {
    const { store, journal, faults } = await begun();
    await store.write({ tables: ["meta"], durability: "relaxed" }, async (tx) => putLeader(tx, "another"));
    journal.note({ kind: "app", what: "leading" });
    await journal.stop();
    expect(await linesOf(store)).toEqual([]);
    expect(faults).toEqual([]);
  });
});
