import { expect, it } from "vitest";
import type { ChannelId } from "#protocol/ids.ts";
import { drain, must, OLGA, scene } from "../test/sim/scene.ts";
import { GENERAL } from "../test/sim/world.ts";
import { openStore } from "../store/open-store.ts";
import { besideDisk } from "./beside-disk.ts";

it("knows of a text that waits, of one that the room has, and of none once it was sent", async () => {
  const { world, olga, device } = await scene();
  const name = `causeway/causeway/${device.user}`;
  const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };
  const store = await openStore(device.databases, name, quiet, () => undefined);
  const stands = (channel: ChannelId): Promise<boolean> => besideDisk(store, OLGA).hasDraft(channel);
  expect(await stands(GENERAL)).toBe(false);
  device.line.cut();
  must(await world.during(olga.workspace.commands.setDraft(GENERAL, "Half a thought")));
  expect([await stands(GENERAL), await stands("other" as ChannelId)]).toEqual([true, false]);
  device.line.restore();
  olga.rig.happen("online");
  await drain(world, olga);
  expect(await stands(GENERAL)).toBe(true);
  device.line.cut();
  must(await world.during(olga.workspace.commands.post(GENERAL, "A thought", undefined, undefined, "Half a thought")));
  expect(await stands(GENERAL)).toBe(false);
  store.close();
  await world.close();
});

it("holds the latest copy, and says what stood in the way of an earlier one", async () => {
  const { world, device } = await scene();
  const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };
  const store = await openStore(device.databases, `causeway/causeway/${device.user}`, quiet, () => undefined);
  const { read, write } = besideDisk(store, OLGA);
  const copy = (version: number) => ({ places: { place: `of ${version}` }, version });
  expect([await read(), await write(copy(5))]).toEqual([null, null]);
  expect([await write(copy(4)), await write(copy(5)), await write(copy(6))]).toEqual([5, 5, null]);
  expect(await read()).toEqual(copy(6));
  store.close();
  await world.close();
});
