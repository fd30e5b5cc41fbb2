// What people left behind who signed out while another tab held their database.
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { expect, it } from "vitest";
import { ended, settled } from "../store/database.ts";
import { openIndex } from "../store/index-database.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { emptyLeavings, leaveIndex } from "./leavings.ts";

const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };
/** Of a build that is yet to come. */
const NEWER_VERSION = 1_000;

it("one database that can't be emptied keeps none of the others from it, and is tried again at the next start", async () => {
  const factory = new IDBFactory();
  const index = await openIndex(factory);
  const open = (name: string): Promise<Store> => openStore(factory, name, quiet, () => undefined);
  for (const name of ["mara", "newer", "olga"]) {
    (await open(name)).close();
    await leaveIndex(index, name, false);
  }
  const newer = await settled(factory.open("newer", NEWER_VERSION));
  const tx = newer.transaction("drafts", "readwrite");
  tx.objectStore("drafts").put({ workspace: "w", channel: "c", root: "", text: "half a thought", at: 1 });
  await ended(tx);
  newer.close();
  const empty = (): Promise<void> => emptyLeavings(index, { indexedDB: factory, locks: null });
  const left = async (): Promise<IDBValidKey[]> => settled((await index.begin!()).objectStore("meta").getAllKeys());
  await expect(empty()).rejects.toMatchObject({ name: "VersionError" });
  expect((await factory.databases()).map(({ name }) => name)).toEqual(["causeway", "newer"]);
  expect(await left()).toContain("leaving/newer");
  expect(await left()).not.toContain("leaving/olga");
  await settled(factory.deleteDatabase("newer"));
  await empty();
  expect(await left()).not.toContain("leaving/newer");
  index.close();
});
