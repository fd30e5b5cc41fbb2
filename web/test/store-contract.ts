// What any backend of the store keeps to, on disk or in memory. Runs in Node here, and in a real browser from the
// browser tests.
import type { RoomName } from "#protocol/room-name.ts";
import type { OpId } from "#protocol/ids.ts";
import type { Backend, WriteTx } from "../store/tx.ts";
import { between, prefix } from "../store/tx.ts";
import { emptyRoom } from "../store/rooms.ts";
import type { MessageRecord, OutboxRecord, TableName } from "../store/schema.ts";

/** The few words of a test runner that the contract needs. */
export interface Runner {
  readonly it: (name: string, run: () => Promise<void>) => void;
  readonly equal: (actual: unknown, expected: unknown) => void;
}

const ALL: readonly TableName[] = ["rooms", "messages", "outbox", "meta"];
const ROOMS = ["channel:w_a", "channel:w_b"] as RoomName[];

function message(room: string, seq: number, text = `${seq}`): MessageRecord {
  const keys = { kind: "message", id: `${room}-${seq}`, rev: seq, seq, author: "olga", createdAt: 1 };
  return { room, message: { ...keys, text } } as unknown as MessageRecord;
}

function op(id: string): Omit<OutboxRecord, "place"> {
  return { id: id as OpId, version: 0, at: 1, room: ROOMS[0], op: "message.delete", args: { id: "m" } } as OutboxRecord;
}

export function storeContract({ it, equal }: Runner, open: () => Promise<Backend>): void {
  const on = async <T>(backend: Backend, body: (tx: WriteTx) => Promise<T>): Promise<T> =>
    backend.write(ALL, "strict", body);
  const seqs = async (backend: Backend, room: string, from: number, to: number): Promise<number[]> => {
    const records = await backend.read(ALL, (tx) => tx.all("messages", between([room, from], [room, to])));
    return records.map((record) => record.message.seq);
  };

  it("reads what was written, in the order of keys, both ends of a range included", async () => {
    const backend = await open();
    await on(backend, async (tx) => {
      for (const seq of [10, 2, 9, 100, 1]) tx.put("messages", message(ROOMS[0] ?? "", seq));
      tx.put("messages", message(ROOMS[1] ?? "", 5));
    });
    equal(await seqs(backend, ROOMS[0] ?? "", 0, 1_000), [1, 2, 9, 10, 100]);
    equal(await seqs(backend, ROOMS[0] ?? "", 2, 10), [2, 9, 10]);
    const other = await backend.read(ALL, (tx) => tx.all("messages", prefix(ROOMS[1] ?? "")));
    equal(
      other.map((record) => record.message.seq),
      [5],
    );
    backend.close();
  });

  it("reads the first few, and counts without reading", async () => {
    const backend = await open();
    const room = ROOMS[0] ?? "";
    await on(backend, async (tx) => {
      for (const seq of [3, 1, 2]) tx.put("messages", message(room, seq));
    });
    const first = await backend.read(ALL, (tx) => tx.all("messages", between([room, 2], [room, 9]), 1));
    equal(
      first.map((record) => record.message.seq),
      [2],
    );
    equal(await backend.read(ALL, (tx) => tx.count("messages", between([room, 2], [room, 9]))), 2);
    equal(await backend.read(ALL, (tx) => tx.count("messages", prefix("nowhere"))), 0);
    backend.close();
  });

  it("finds by index, and nothing where there is nothing", async () => {
    const backend = await open();
    await on(backend, async (tx) => tx.put("messages", message(ROOMS[0] ?? "", 3)));
    const room = ROOMS[0] ?? "";
    equal((await backend.read(ALL, (tx) => tx.find("messages", "id", [room, `${room}-3`])))?.message.seq, 3);
    equal(await backend.read(ALL, (tx) => tx.find("messages", "id", [ROOMS[1] ?? "", `${room}-3`])), undefined);
    equal(await backend.read(ALL, (tx) => tx.get("rooms", room)), undefined);
    backend.close();
  });

  it("lists by index in its order, without the records that lack a part of it", async () => {
    const backend = await open();
    const room = ROOMS[0] ?? "";
    const pinned = (of: string, seq: number, at: number): MessageRecord => {
      const record = message(of, seq);
      return { ...record, message: { ...record.message, pinned: { by: "olga", at } } } as MessageRecord;
    };
    await on(backend, async (tx) => {
      for (const each of [message(room, 1), pinned(room, 2, 30), pinned(room, 3, 10), pinned(ROOMS[1] ?? "", 4, 20)])
        tx.put("messages", each);
    });
    const listed = (): Promise<number[]> =>
      backend
        .read(ALL, (tx) => tx.allBy("messages", "pinned", prefix(room)))
        .then((records) => records.map((record) => record.message.seq));
    equal(await listed(), [3, 2]);
    await on(backend, async (tx) => tx.put("messages", message(room, 3)));
    equal(await listed(), [2]);
    backend.close();
  });

  it("puts over what stood under the same key", async () => {
    const backend = await open();
    const room = ROOMS[0] ?? "";
    await on(backend, async (tx) => tx.put("messages", message(room, 3, "old")));
    await on(backend, async (tx) => tx.put("messages", message(room, 3, "new")));
    const [record] = await backend.read(ALL, (tx) => tx.all("messages", prefix(room)));
    equal(record?.message.deleted === true ? "" : record?.message.text, "new");
    backend.close();
  });

  it("removes one, or a range", async () => {
    const backend = await open();
    const room = ROOMS[0] ?? "";
    await on(backend, async (tx) => {
      for (let seq = 1; seq <= 9; seq++) tx.put("messages", message(room, seq));
    });
    await on(backend, async (tx) => {
      tx.remove("messages", [room, 5]);
      tx.remove("messages", between([room, 0], [room, 2]));
    });
    equal(await seqs(backend, room, 0, 99), [3, 4, 6, 7, 8, 9]);
    await on(backend, async (tx) => tx.remove("messages", prefix(room)));
    equal(await seqs(backend, room, 0, 99), []);
    backend.close();
  });

  it("numbers the outbox in the order written, and never gives a place again", async () => {
    const backend = await open();
    const places = await on(backend, async (tx) => [await tx.add("outbox", op("a")), await tx.add("outbox", op("b"))]);
    equal((places[1] ?? 0) > (places[0] ?? 0), true);
    await on(backend, async (tx) => tx.remove("outbox", places[1] ?? 0));
    const third = await on(backend, (tx) => tx.add("outbox", op("c")));
    equal(third > (places[1] ?? 0), true);
    const ids = (await backend.read(ALL, (tx) => tx.all("outbox"))).map(({ id }) => id);
    equal(ids, ["a", "c"]);
    backend.close();
  });

  it("writes all of a transaction or nothing", async () => {
    const backend = await open();
    let thrown: unknown = null;
    try {
      await on(backend, async (tx) => {
        tx.put("rooms", emptyRoom(ROOMS[0] as RoomName));
        await tx.add("outbox", op("a"));
        throw new Error("halfway");
      });
    } catch (error) {
      thrown = error instanceof Error ? error.message : error;
    }
    equal(thrown, "halfway");
    equal(await backend.read(ALL, (tx) => tx.all("outbox")), []);
    equal(await backend.read(ALL, (tx) => tx.get("rooms", ROOMS[0] ?? "")), undefined);
    backend.close();
  });

  it("lets overlapping transactions see one another whole", async () => {
    const backend = await open();
    const raise = (): Promise<void> =>
      on(backend, async (tx) => {
        const room = (await tx.get("rooms", ROOMS[0] ?? "")) ?? emptyRoom(ROOMS[0] as RoomName);
        tx.put("rooms", { ...room, head: room.head + 1 });
      });
    await Promise.all(Array.from({ length: 20 }, raise));
    equal((await backend.read(ALL, (tx) => tx.get("rooms", ROOMS[0] ?? "")))?.head, 20);
    backend.close();
  });

  it("keeps what it was given, whatever becomes of the object", async () => {
    const backend = await open();
    const room = { ...emptyRoom(ROOMS[0] as RoomName), naming: [1] };
    await on(backend, async (tx) => tx.put("rooms", room));
    room.naming.push(2);
    equal((await backend.read(ALL, (tx) => tx.get("rooms", ROOMS[0] ?? "")))?.naming, [1]);
    backend.close();
  });
}
