import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { describe, expect, it } from "vitest";
import type { RoomName } from "#protocol/room-name.ts";
import { ended, settled } from "../store/database.ts";
import { diskSource, storeSource, type ExportSource } from "../store/export-source.ts";
import { memoryBackend } from "../store/memory.ts";
import type { MessageRecord } from "../store/schema.ts";
import { createStore } from "../store/store.ts";
import { exportLines } from "./export.ts";

const ABOUT = { at: 1, person: "olga", build: "test" };
const HEADER = { kind: "causeway-device", version: 1, ...ABOUT };

async function linesOf(source: ExportSource | null): Promise<Record<string, unknown>[]> {
  if (source === null) throw new Error("nothing to export");
  const lines: string[] = [];
  for await (const line of exportLines(source, ABOUT)) lines.push(line);
  source.close();
  expect(lines.every((line) => line.endsWith("\n") && line.indexOf("\n") === line.length - 1)).toBe(true);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** As a build of long ago left it: fewer tables, and a field that is called otherwise today. */
async function older(factory: IDBFactory, count: number): Promise<void> {
  const request = factory.open("p", 1);
  request.addEventListener("upgradeneeded", () => {
    request.result.createObjectStore("outbox", { keyPath: "place" });
    request.result.createObjectStore("messages", { keyPath: ["room", "message.seq"] });
  });
  const db = await settled(request);
  const tx = db.transaction(["outbox", "messages"], "readwrite");
  tx.objectStore("outbox").put({ place: 1, id: "a", words: "line\nfeed" });
  for (let seq = 1; seq <= count; seq++) tx.objectStore("messages").put({ room: "r", message: { seq } });
  await ended(tx);
  db.close();
}

describe("an export of the device", () => {
  it("says what nobody else has first, and every message, however many there are", async () => {
    const factory = new IDBFactory();
    await older(factory, 1_250);
    const lines = await linesOf(await diskSource(factory, "p"));
    expect(lines.slice(0, 2)).toEqual([HEADER, { kind: "op", place: 1, id: "a", words: "line\nfeed" }]);
    expect(lines.slice(2).map(({ kind, message }) => [kind, (message as { seq: number }).seq])).toEqual(
      Array.from({ length: 1_250 }, (_, at) => ["message", at + 1]),
    );
  });

  it("leaves the database in the version it has, and out of a newer build's way", async () => {
    const factory = new IDBFactory();
    await older(factory, 1);
    const source = await diskSource(factory, "p");
    const newer = await settled(factory.open("p", 9));
    newer.close();
    await linesOf(await diskSource(factory, "p"));
    source?.close();
    expect(await factory.databases()).toEqual([{ name: "p", version: 9 }]);
  });

  it("makes no database where there is none", async () => {
    const factory = new IDBFactory();
    expect(await diskSource(factory, "p")).toBeNull();
    expect(await factory.databases()).toEqual([]);
  });

  it("makes none where it is removed in the moment that it is looked for", async () => {
    const factory = new IDBFactory();
    await older(factory, 1);
    const looking = diskSource(factory, "p");
    await settled(factory.deleteDatabase("p"));
    (await looking)?.close();
    expect(await factory.databases()).toEqual([]);
  });

  it("goes on around a table that can't be read, and says so", async () => {
    const factory = new IDBFactory();
    await older(factory, 1);
    const source = await diskSource(factory, "p");
    if (source === null) throw new Error("nothing to export");
    const broken: ExportSource = {
      ...source,
      rows: (table) => {
        if (table === "outbox") throw new DOMException("Internal error.", "UnknownError");
        return source.rows(table);
      },
    };
    expect(await linesOf(broken)).toEqual([
      HEADER,
      { kind: "unreadable", table: "outbox", why: "UnknownError" },
      { kind: "message", room: "r", message: { seq: 1 } },
    ]);
  });

  it("is of the same form where nothing was on disk", async () => {
    const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };
    const store = createStore(memoryBackend(), quiet);
    await store.write({ tables: ["messages"], durability: "strict" }, async (tx) =>
      tx.put("messages", { room: "channel:w_c" as RoomName, message: { seq: 1 } } as MessageRecord),
    );
    expect(await linesOf(storeSource(store))).toEqual([
      HEADER,
      { kind: "message", room: "channel:w_c", message: { seq: 1 } },
    ]);
  });
});
