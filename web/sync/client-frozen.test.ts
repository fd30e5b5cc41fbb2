// A page that the browser freezes lets go of what is stored, and goes on with what stands there by then. One that holds it
// all the same keeps nobody before a busy button.
import { expect, it, vi } from "vitest";
import { settled } from "../store/database.ts";
import { searchDatabase } from "../store/remove-database.ts";
import { drain, GENERAL_ROOM, isLive, items, must, scene, textsIn, watch, withAQueue } from "../test/sim/scene.ts";
import { GENERAL, type Device } from "../test/sim/world.ts";

it("what others wrote meanwhile is there when it goes on, and what one writes goes", async () => {
  const { world, olga, device } = await scene();
  const other = await world.during(device.open());
  await world.until("both", () => isLive(other));
  const view = watch(olga);
  olga.rig.happen("freeze");
  const written = olga.workspace.commands.post(GENERAL, "written as it froze");
  must(await world.during(other.workspace.commands.post(GENERAL, "meanwhile")));
  await world.pass(1_000);
  must(await world.during(written));
  olga.rig.happen("resume");
  must(await world.during(olga.workspace.commands.post(GENERAL, "thawed")));
  await drain(world, olga);
  await world.until("shown", () => view.texts().length === 3);
  expect(textsIn(world, GENERAL_ROOM)).toEqual(["meanwhile", "written as it froze", "thawed"]);
  expect(olga.client.update.snapshot().notice).toBeNull();
  await world.close();
});

it("[OP4] what waited in a database that was taken away meanwhile is stored anew", async () => {
  const { world, olga, device } = await withAQueue();
  olga.rig.happen("freeze");
  await settled(device.databases.deleteDatabase(await nameOf(device)));
  olga.rig.happen("resume");
  await world.until("said", () => olga.client.update.snapshot().notice === "wiped");
  await world.until("shown", () => items(olga).length === 2);
  device.line.restore();
  olga.rig.happen("online");
  await drain(world, olga);
  expect(textsIn(world, GENERAL_ROOM)).toEqual(["one", "two"]);
  await world.close();
});

it("frozen again and again it holds no connection meanwhile, and one when it goes on", async () => {
  const { world, olga, device } = await scene();
  const name = await nameOf(device);
  const held = new Set<IDBDatabase>();
  const begin = Reflect.get(IDBDatabase.prototype, "transaction");
  const close = Reflect.get(IDBDatabase.prototype, "close");
  vi.spyOn(IDBDatabase.prototype, "transaction").mockImplementation(function (this: IDBDatabase, ...of) {
    const tx = begin.apply(this, of);
    if (this.name === name) held.add(this);
    return tx;
  });
  vi.spyOn(IDBDatabase.prototype, "close").mockImplementation(function (this: IDBDatabase) {
    held.delete(this);
    close.call(this);
  });
  for (let times = 0; times < 3; times += 1) {
    must(await world.during(olga.workspace.commands.post(GENERAL, `said ${times}`)));
    expect(held.size).toBe(1);
    olga.rig.happen("freeze");
    await Promise.resolve();
    expect(held.size).toBe(0);
    await world.pass(1_000);
    olga.rig.happen("resume");
  }
  vi.restoreAllMocks();
  await world.close();
});

it.each(["none", "discard"] as const)(
  "signing out (%s) beside one that holds it ends in words, sends nothing, and removes it when that lets go",
  async (queue) => {
    const { world, olga, device } = queue === "none" ? await scene() : await withAQueue();
    const name = await nameOf(device);
    const holds = await settled(device.databases.open(name));
    device.line.restore();
    const left = await world.during(olga.client.account.signOut(queue).catch((error: unknown) => error));
    expect(left).toMatchObject({ name: "TimeoutError" });
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
  expect(left).toMatchObject({ name: "TimeoutError" });
  holds.close();
  await world.pass(1_000);
  expect((await device.databases.databases()).map((each) => each.name)).not.toContain(index);
  await world.during(device.open());
  await world.until("delivered", () => textsIn(world, GENERAL_ROOM).join() === "one,two");
  await world.close();
});

async function nameOf(device: Device): Promise<string> {
  const names = (await device.databases.databases()).flatMap(({ name = "" }) => name);
  return names.find((name) => name.startsWith("causeway/") && name.split("/").length === 3) ?? "";
}
