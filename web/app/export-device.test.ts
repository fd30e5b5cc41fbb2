import { IDBFactory } from "fake-indexeddb";
import { expect, it } from "vitest";
import { personDatabase } from "../store/index-database.ts";
import { openStore } from "../store/open-store.ts";
import { OWN_ISSUER } from "#protocol/issuer.ts";
import { appendOp } from "../store/outbox.ts";
import { memoryNotes } from "../test/node-ports.ts";
import { outboxOf, post } from "../test/ops.ts";
import { deviceParts } from "./export-device.ts";

const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };

it("[OP11] exports what whoever is here has, and everybody's only where nobody can tell who that is", async () => {
  const factory = new IDBFactory();
  const notes = memoryNotes();
  const nameOf = (user: string): string => personDatabase(OWN_ISSUER, user);
  for (const user of ["olga", "mara"]) {
    const store = await openStore(factory, nameOf(user), quiet, () => undefined);
    await store.write({ tables: ["outbox"], durability: "relaxed" }, async (tx) => {
      for (const { place: _, version: __, ...op } of outboxOf(post(`words of ${user}`))) await appendOp(tx, op);
    });
    store.close();
  }
  const textOf = async (of?: string): Promise<string> =>
    new Blob(await deviceParts({ factory, notes, noted: [], ...(of !== undefined && { of }) })).text();
  expect(await textOf(nameOf("olga"))).toContain("words of olga");
  expect(await textOf(nameOf("olga"))).not.toContain("words of mara");
  expect(await textOf()).toContain("words of olga");
  expect(await textOf()).toContain("words of mara");
});
