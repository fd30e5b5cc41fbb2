// The last ways out where the file of one database can't be read, for which Firefox (153) lists none at all.
import { IDBFactory } from "fake-indexeddb";
import { expect, it } from "vitest";
import { OWN_ISSUER } from "#protocol/issuer.ts";
import { COPIED, openIndex, personDatabase } from "../store/index-database.ts";
import { openStore } from "../store/open-store.ts";
import { appendOp } from "../store/outbox.ts";
import { setAside } from "../store/reserve.ts";
import type { Notes } from "../sync/ports.ts";
import { readNote, WAITING, waitingOf, writeNote } from "../sync/waiting.ts";
import { memoryNotes } from "../test/node-ports.ts";
import { outboxOf, post } from "../test/ops.ts";
import { deviceParts } from "./export-device.ts";
import { removeDevice } from "./remove-device.ts";

const OLGA = personDatabase(OWN_ISSUER, "olga");
const MARA = personDatabase(OWN_ISSUER, "mara");
const FAULT = new DOMException("", "UnknownError");
const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };

/** Of one nothing can be read, and none is listed until it is removed. */
async function unreadable(broken: string): Promise<{ readonly real: IDBFactory; readonly factory: IDBFactory }> {
  const real = new IDBFactory();
  const index = await openIndex(real);
  for (const [name, user] of [
    [OLGA, "olga"],
    [MARA, "mara"],
  ] as const) {
    await index.putSession(name, { state: "in", person: { user } } as never);
    const store = await openStore(real, name, quiet, () => undefined);
    await store.write({ tables: ["outbox"], durability: "relaxed" }, async (tx) => {
      for (const { place: _, version: __, ...op } of outboxOf(post(`words of ${user}`))) await appendOp(tx, op);
    });
    store.close();
  }
  index.close();
  await setAside(real);
  const open: IDBFactory["open"] = (name, version) => {
    if (name === broken) throw FAULT;
    return real.open(name, version);
  };
  const deleteDatabase: IDBFactory["deleteDatabase"] = (name) => real.deleteDatabase(name);
  const databases: IDBFactory["databases"] = async () => {
    const all = await real.databases();
    if (all.some(({ name }) => name === broken)) throw FAULT;
    return all;
  };
  const factory = { open, deleteDatabase, databases } as unknown as IDBFactory;
  return { real, factory };
}

function noted(): Notes {
  const notes = memoryNotes();
  writeNote(notes, OLGA, { ...waitingOf(outboxOf(post("noted of olga")), []), database: "d" });
  return notes;
}

it("exports what is noted of it, and the others whole", async () => {
  const { factory } = await unreadable(OLGA);
  const keys = [WAITING + OLGA, "causeway.appearance"];
  const text = await new Blob(await deviceParts({ factory, notes: noted(), noted: keys })).text();
  const lines = text.split("\n").flatMap((line) => (line === "" ? [] : (JSON.parse(line) as { kind: string })));
  expect(lines.find(({ kind }) => kind === "unreadable")).toMatchObject({ table: "*", why: "UnknownError" });
  expect(lines.find(({ kind }) => kind === "noted post")).toMatchObject({ text: "noted of olga" });
  expect(text).toContain("words of mara");
});

it("removes it with all others, and leaves what is noted", async () => {
  const { real, factory } = await unreadable(OLGA);
  const notes = noted();
  await removeDevice(factory, []);
  expect(await real.databases()).toEqual([]);
  expect(readNote(notes, OLGA)?.texts.map(({ text }) => text)).toEqual(["noted of olga"]);
});

it("finds its way where that is the one they share: by what is noted, and by the list that is given without it", async () => {
  const { real, factory } = await unreadable("causeway");
  const text = await new Blob(await deviceParts({ factory, notes: memoryNotes(), noted: [], of: MARA })).text();
  expect(text).toContain("words of mara");
  const all = await new Blob(
    await deviceParts({ factory, notes: noted(), noted: [`${COPIED}mara`, WAITING + OLGA] }),
  ).text();
  for (const words of ["words of mara", "words of olga", "noted of olga"]) expect(all).toContain(words);
  await removeDevice(factory, []);
  expect(await real.databases()).toEqual([]);
});

it("exports nothing where there is nothing, or nothing that can be read", async () => {
  const { factory } = await unreadable(OLGA);
  expect(await deviceParts({ factory, notes: memoryNotes(), noted: [], of: OLGA })).toEqual([]);
  const nothing = { factory: new IDBFactory(), notes: memoryNotes(), noted: [WAITING + OLGA] };
  expect(await deviceParts(nothing)).toEqual([]);
});

it("says so where it can't be removed either, and removes the others", async () => {
  const { real, factory } = await unreadable(OLGA);
  const refused = (): IDBOpenDBRequest => {
    const request = Object.assign(new EventTarget(), { error: FAULT }) as unknown as IDBOpenDBRequest;
    queueMicrotask(() => request.dispatchEvent(new Event("error")));
    return request;
  };
  const deleteDatabase: IDBFactory["deleteDatabase"] = (name) =>
    name === OLGA ? refused() : real.deleteDatabase(name);
  await expect(removeDevice(Object.assign(factory, { deleteDatabase }), [])).rejects.toBe(FAULT);
  expect((await real.databases()).map(({ name }) => name)).toEqual([OLGA]);
});
