// A tab that the browser froze holds what is stored: whoever signs out beside it isn't kept before a busy button.
import { expect, it } from "vitest";
import { settled } from "../store/database.ts";
import { LEAVING, openIndex, type KnownSession } from "../store/index-database.ts";
import { searchDatabase } from "../store/remove-database.ts";
import { GENERAL_ROOM, isLive, scene, textsIn, withAQueue } from "../test/sim/scene.ts";
import type { Device } from "../test/sim/world.ts";
import { holdDatabase } from "./holding.ts";
import { emptyLeavings, leaveIndex } from "./leavings.ts";

it.each(["none", "discard"] as const)(
  "signing out (%s) beside one that holds it ends in words, sends nothing, and removes it when that lets go",
  async (queue) => {
    const { world, olga, device } = queue === "none" ? await scene() : await withAQueue();
    const name = await nameOf(device);
    const holds = await settled(device.databases.open(name));
    device.line.restore();
    const left = await world.during(olga.client.account.signOut(queue).catch((error: unknown) => error));
    expect(left).toMatchObject({ name: "StillHeld" });
    expect(await settled(holds.transaction("outbox").objectStore("outbox").count())).toBe(0);
    expect(textsIn(world, GENERAL_ROOM)).toEqual([]);
    holds.close();
    await world.pass(1_000);
    expect((await device.databases.databases()).map((each) => each.name)).not.toContain(name);
    await world.close();
  },
);

it("nor does one whose search holds its index, when the queue is kept", async () => {
  const { world, olga, device } = await withAQueue();
  const index = searchDatabase(await nameOf(device));
  const holds = await settled(device.databases.open(index));
  device.line.restore();
  const left = await world.during(olga.client.account.signOut("keep").catch((error: unknown) => error));
  expect(left).toMatchObject({ name: "StillHeld" });
  holds.close();
  await world.pass(1_000);
  expect((await device.databases.databases()).map((each) => each.name)).not.toContain(index);
  await world.during(device.open());
  await world.until("delivered", () => textsIn(world, GENERAL_ROOM).join() === "one,two");
  await world.close();
});

/** Another tab's connection, which hears of nothing, with the lock that says so. */
async function frozen(device: Device): Promise<{ readonly name: string; readonly letGo: () => void }> {
  const name = await nameOf(device);
  const db = await settled(device.databases.open(name));
  const end = holdDatabase(device.locks, name);
  return {
    name,
    letGo: () => {
      db.close();
      end();
    },
  };
}

it.each(["none", "discard", "keep"] as const)(
  "who signed out (%s) beside a frozen tab signs in again at once: nothing waits for that tab",
  async (queue) => {
    const { world, olga, device } = queue === "none" ? await scene() : await withAQueue();
    const { letGo } = await frozen(device);
    device.line.restore();
    const left = await world.during(olga.client.account.signOut(queue).catch((error: unknown) => error));
    expect(left).toMatchObject({ name: "StillHeld" });
    const again = await world.during(device.open());
    await world.until("live", () => isLive(again));
    expect(again.client.update.snapshot().notice).toBeNull();
    letGo();
    await world.pass(10_000);
    expect(isLive(again)).toBe(true);
    await world.close();
  },
);

it("who signed out and in again beside a tab that hung: that begins anew, and says nothing of cleared data", async () => {
  const { world, olga, device } = await scene();
  const hung = await world.during(device.open());
  const [index, bus] = [await openIndex(device.databases), device.openBus("causeway")];
  const { person, workspaces } = olga.client.account.session.snapshot() as KnownSession;
  // As another tab does, of which this one hears all at once.
  await leaveIndex(index, await nameOf(device), true);
  await index.putSession(await nameOf(device), { state: "signed-in", person, workspaces });
  const before = hung.client.open("team");
  bus.send({ type: "session" });
  bus.send({ type: "session" });
  await world.pass(1_000);
  expect(hung.client.account.session.snapshot().state).toBe("signed-in");
  expect(hung.client.open("team")).not.toBe(before);
  expect(hung.client.update.snapshot().notice).toBeNull();
  index.close();
  await world.close();
});

it("what is left of who signed out is taken out at the next start, whoever holds it, and the rest at one at which nobody does", async () => {
  const { world, olga, device } = await withAQueue();
  device.crash(olga);
  const { name, letGo } = await frozen(device);
  const count = async (table: string): Promise<number> => {
    const db = await settled(device.databases.open(name));
    const found = await settled(db.transaction(table).objectStore(table).count());
    db.close();
    return found;
  };
  expect(await count("rooms")).toBeGreaterThan(0);
  const index = await openIndex(device.databases);
  const marks = async (): Promise<readonly IDBValidKey[]> =>
    settled((await index.begin!()).objectStore("meta").getAllKeys(IDBKeyRange.bound(LEAVING, `${LEAVING}\uffff`)));
  await leaveIndex(index, name, true);
  const empty = (): Promise<void> => emptyLeavings(index, { indexedDB: device.databases, locks: device.locks });
  await world.during(empty());
  expect([await count("rooms"), await count("messages"), await count("outbox")]).toEqual([0, 0, 3]);
  expect(await marks()).toHaveLength(1);
  letGo();
  await world.during(empty());
  // What waits is its person's, and stays.
  expect([await count("outbox"), await marks()]).toEqual([3, []]);
  index.close();
  await world.close();
});

async function nameOf(device: Device): Promise<string> {
  const names = (await device.databases.databases()).flatMap(({ name = "" }) => name);
  return names.find((name) => name.startsWith("causeway/") && name.split("/").length === 3) ?? "";
}
