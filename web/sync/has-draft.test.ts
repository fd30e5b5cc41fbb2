import { expect, it } from "vitest";
import type { ChannelId } from "#protocol/ids.ts";
import { drain, must, OLGA, scene } from "../test/sim/scene.ts";
import { GENERAL } from "../test/sim/world.ts";
import { openStore } from "../store/open-store.ts";
import { hasDraft } from "./has-draft.ts";

it("knows of a text that waits, of one that the room has, and of none once it was sent", async () => {
  const { world, olga, device } = await scene();
  const name = `causeway/causeway/${device.user}`;
  const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };
  const store = await openStore(device.databases, name, quiet, () => undefined);
  const stands = (channel: ChannelId): Promise<boolean> => hasDraft(store, OLGA, channel);
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

it("isn't sure that there is none on a device that has heard of no room yet", async () => {
  const quiet = { send: () => undefined, listen: () => () => undefined, close: () => undefined };
  const store = await openStore(new IDBFactory(), "causeway/causeway/olga", quiet, () => undefined);
  expect(await hasDraft(store, OLGA, GENERAL)).toBe(true);
  store.close();
});
