// A tab that the browser froze holds what is stored: whoever signs out beside it isn't kept before a busy button.
import { expect, it } from "vitest";
import { settled } from "../store/database.ts";
import { openIndex } from "../store/index-database.ts";
import { searchDatabase } from "../store/remove-database.ts";
import { GENERAL_ROOM, scene, textsIn, withAQueue } from "../test/sim/scene.ts";
import type { Device } from "../test/sim/world.ts";
import { emptyLeavings } from "./leavings.ts";

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

it("what is left of who signed out is emptied at the next start, whoever holds it, but for what waits; once", async () => {
  const { world, olga, device } = await withAQueue();
  const name = await nameOf(device);
  device.crash(olga);
  const holds = await settled(device.databases.open(name));
  const count = (table: string): Promise<number> => settled(holds.transaction(table).objectStore(table).count());
  expect(await count("rooms")).toBeGreaterThan(0);
  const index = await openIndex(device.databases);
  await index.leave(name, true);
  await emptyLeavings(index, device.databases);
  expect([await count("rooms"), await count("messages"), await count("outbox")]).toEqual([0, 0, 3]);
  const meta = (await index.begin!()).objectStore("meta");
  expect(await settled(meta.getAllKeys())).toEqual(["config"]);
  holds.close();
  index.close();
  await world.close();
});

async function nameOf(device: Device): Promise<string> {
  const names = (await device.databases.databases()).flatMap(({ name = "" }) => name);
  return names.find((name) => name.startsWith("causeway/") && name.split("/").length === 3) ?? "";
}
