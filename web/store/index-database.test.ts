import { forceCloseDatabase, IDBFactory } from "fake-indexeddb";
import { expect, it } from "vitest";
import { leaveIndex } from "../sync/leavings.ts";
import { besideDisk } from "./beside.ts";
import { openIndex, type Index, type KnownSession } from "./index-database.ts";

const OLGA: KnownSession = {
  state: "signed-in",
  person: { user: "olga" as KnownSession["person"]["user"], name: "Olga", email: "olga@people.example" },
  workspaces: [],
};

it("taken away it is lost until somebody is known again, whoever stores a copy in the one that takes its place", async () => {
  const factory = new IDBFactory();
  const index = await openIndex(factory);
  await index.putSession("olga", OLGA);
  await new Promise((resolve) => factory.deleteDatabase("causeway").addEventListener("success", resolve));
  await besideDisk(index.begin!, "olga").write({ places: {}, version: 1 });
  expect([index.isLost(), (await index.read()).last]).toEqual([true, null]);
  await index.putSession("olga", OLGA);
  expect([index.isLost(), (await index.read()).last]).toEqual([false, OLGA]);
  index.close();
});

it("says to other tabs that somebody left, though they are here again; not of data that was cleared", async () => {
  const factory = new IDBFactory();
  const [one, other] = [await openIndex(factory), await openIndex(factory)];
  await one.putSession("olga", OLGA);
  await leaveIndex(one, "olga", false);
  await one.putSession("olga", OLGA);
  await other.read();
  await leaveIndex(one, "olga", false);
  await one.putSession("olga", OLGA);
  const read = async (index: Index): Promise<boolean> => (await index.read()).hasLeft;
  expect([await read(one), await read(other), await read(other)]).toEqual([false, true, false]);
  await new Promise((resolve) => factory.deleteDatabase("causeway").addEventListener("success", resolve));
  await one.putSession("olga", OLGA);
  expect([await read(one), await read(other)]).toEqual([false, false]);
  one.close();
  other.close();
});

it("nobody is here once somebody left, and not yet where it was taken away, whoever put them back", async () => {
  const factory = new IDBFactory();
  const [one, other] = [await openIndex(factory), await openIndex(factory)];
  await one.putSession("olga", OLGA);
  await other.read();
  await new Promise((resolve) => factory.deleteDatabase("causeway").addEventListener("success", resolve));
  expect(await other.read()).toMatchObject({ last: null, hasLeft: false });
  await one.putSession("olga", OLGA);
  expect(await other.read()).toMatchObject({ last: OLGA, hasLeft: false });
  await leaveIndex(one, "olga", false);
  // Nor by an answer that comes late.
  expect(await other.putSession("olga", OLGA, "olga")).toBe(false);
  expect(await other.read()).toMatchObject({ last: null, hasLeft: true });
  one.close();
  other.close();
});

it("fails once where the browser takes it away while it is read, and leaves nothing behind that nobody hears", async () => {
  const factory = new IDBFactory();
  const opened: IDBDatabase[] = [];
  const open = factory.open.bind(factory);
  factory.open = (...how) => {
    const request = open(...how);
    request.addEventListener("success", () => opened.push(request.result));
    return request;
  };
  const index = await openIndex(factory);
  const [db] = opened;
  const begin = db?.transaction.bind(db);
  if (db === undefined || begin === undefined) return expect.unreachable("It is open.");
  db.transaction = (...how) => {
    const tx = begin(...how);
    // Behind what is asked of it in this turn.
    setImmediate(() => tx.abort());
    return tx;
  };
  const unheard: unknown[] = [];
  const hear = (error: unknown): void => void unheard.push(error);
  process.on("unhandledRejection", hear);
  await expect(index.read()).rejects.toMatchObject({ name: "AbortError" });
  await new Promise((resolve) => setTimeout(resolve));
  process.off("unhandledRejection", hear);
  expect(unheard).toEqual([]);
  index.close();
});

it("is lost where it goes while it is being read: what was read last says nothing of the next", async () => {
  const factory = new IDBFactory();
  const index = await openIndex(factory);
  await index.putSession("olga", OLGA);
  const reading = index.read();
  await Promise.resolve();
  const gone = new Promise((resolve) => factory.deleteDatabase("causeway").addEventListener("success", resolve));
  expect((await reading).last).toEqual(OLGA);
  await gone;
  expect(index.isLost()).toBe(true);
  index.close();
});

it("closed by its own tab it stays closed, and isn't lost", async () => {
  const index = await openIndex(new IDBFactory());
  index.close();
  for (const _ of [1, 2]) await expect(index.read()).rejects.toThrow(DOMException);
  expect(index.isLost()).toBe(false);
});

it("nobody has left where the browser only closed it, and kept what is in it", async () => {
  const index = await openIndex(new IDBFactory());
  await leaveIndex(index, "olga", true);
  await index.putSession("olga", OLGA);
  forceCloseDatabase(index.database() as never);
  await expect.poll(index.isLost).toBe(true);
  expect(await index.read()).toMatchObject({ hasLeft: false, last: OLGA });
  index.close();
});

it("who left behind a clearing has left, however often somebody had before", async () => {
  const factory = new IDBFactory();
  const [index, other] = [await openIndex(factory), await openIndex(factory)];
  for (const _ of [1, 2, 3]) await leaveIndex(index, "olga", true);
  await new Promise((resolve) => factory.deleteDatabase("causeway").addEventListener("success", resolve));
  // Three times within a millisecond count as three.
  await new Promise((resolve) => setTimeout(resolve, 10));
  await leaveIndex(other, "olga", true);
  await other.putSession("olga", OLGA);
  expect(await index.read()).toMatchObject({ hasLeft: true });
  for (const each of [index, other]) each.close();
});
