// Another tab stands still with a transaction of the database open: nothing can be stored, and what is said goes by that.
import { expect, it } from "vitest";
import { settled } from "../store/database.ts";
import { GENERAL_ROOM, isLive, MARA, must, OLGA, scene, textsIn, watch } from "../test/sim/scene.ts";
import { GENERAL, type Device } from "../test/sim/world.ts";

const NAME = `causeway/causeway/${OLGA}`;

/** As a tab that ran off in the midst of storing. @returns what ends it */
async function holdDisk(device: Device): Promise<() => void> {
  const db = await settled(device.databases.open(NAME));
  const tx = db.transaction([...db.objectStoreNames], "readwrite");
  let isHeld = true;
  const goOn = (): void => {
    if (isHeld) tx.objectStore("meta").get("nothing").onsuccess = goOn;
    else db.close();
  };
  goOn();
  return () => {
    isHeld = false;
  };
}

it("who leads beside it is live only as long as nothing came that can't be stored", async () => {
  const { world, olga, device } = await scene();
  const view = watch(olga);
  const mara = await world.during((await world.device(MARA)).open());
  await world.until("live", () => isLive(mara));
  const letGo = await world.during(holdDisk(device));
  await world.pass(5_000);
  expect(isLive(olga)).toBe(true);
  must(await world.during(mara.workspace.commands.post(GENERAL, "news")));
  await world.until("said", () => textsIn(world, GENERAL_ROOM).includes("news"));
  await world.pass(2_000);
  expect(view.texts()).not.toContain("news");
  expect(olga.workspace.connection.snapshot().state).toBe("catching-up");
  await world.pass(20_000);
  expect(olga.workspace.connection.snapshot().state).toBe("catching-up");
  letGo();
  await world.until("live again", () => isLive(olga), 2_000);
  expect(view.texts()).toContain("news");
  await world.close();
});

it("what comes all the time, and is stored as it comes, is no reason to say anything else than live", async () => {
  const { world, olga } = await scene();
  const mara = await world.during((await world.device(MARA)).open());
  await world.until("live", () => isLive(mara));
  const said = new Set<string>();
  olga.workspace.connection.subscribe(() => said.add(olga.workspace.connection.snapshot().state));
  for (let i = 0; i < 40; i += 1) {
    must(await world.during(mara.workspace.commands.post(GENERAL, `news ${i}`)));
    await world.pass(50);
  }
  await world.until("all", () => textsIn(world, GENERAL_ROOM).length === 40);
  await world.pass(2_000);
  expect([...said].filter((state) => state !== "live")).toEqual([]);
  await world.close();
});

it("where it led, whoever does something beside it isn't called live for long, though that can't be stored", async () => {
  const { world, olga, device } = await scene();
  const second = await world.during(device.open());
  await world.until("live", () => isLive(second));
  const letGo = await world.during(holdDisk(device));
  olga.rig.hang();
  const posted = second.workspace.commands.post(GENERAL, "kept");
  await world.pass(3_000);
  expect(isLive(second)).toBe(false);
  letGo();
  must(await world.during(posted));
  await world.until("delivered", () => textsIn(world, GENERAL_ROOM).join() === "kept");
  await world.until("live", () => isLive(second));
  await world.close();
});
