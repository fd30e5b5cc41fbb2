// How much history the person keeps on a device, and when what is beyond it goes.
import { expect, it } from "vitest";
import { drain, GENERAL_ROOM, isLive, MARA, must, scene, type Scene } from "../test/sim/scene.ts";
import { heldMessages } from "../test/sim/verdict.ts";
import { GENERAL } from "../test/sim/world.ts";

const DAY_MS = 24 * 3_600_000;
const COUNT = 200;

/** So many messages of somebody else are on the device. */
async function withHistory(): Promise<Scene & { readonly held: () => Promise<number> }> {
  const made = await scene();
  const { world, device } = made;
  const mara = await world.during(world.team.enter(MARA));
  for (let i = 0; i < COUNT; i++) {
    await mara.post(`m ${i}`);
    if (i % 10 === 9) await world.town.pass(600);
  }
  const held = async (): Promise<number> => (await heldMessages(device, GENERAL_ROOM)).length;
  await world.until("here", async () => (await held()) >= COUNT);
  return { ...made, held };
}

it("what is too old goes when asked for, and else with a network alone: the clock may be wrong", async () => {
  const { world, olga, device, held } = await withHistory();
  // What one looks at stays anyway.
  const { createChannel, keep, look } = olga.workspace.commands;
  const other = must(await world.during(createChannel({ name: "other", access: "public" })));
  look(other);
  must(await world.during(keep({ do: "limit", to: { days: 30 } })));
  await drain(world, olga);
  await world.pass(60_000);
  expect(await held()).toBeGreaterThanOrEqual(COUNT);

  device.line.cut();
  device.skewMs = 400 * DAY_MS;
  await world.pass(1_800_000, 5_000);
  await world.during(olga.client.close());
  const again = await world.during(device.open(other));
  await world.pass(1_800_000, 5_000);
  expect(await held()).toBeGreaterThanOrEqual(COUNT);

  must(await world.during(again.workspace.commands.keep({ do: "limit-channel", channel: GENERAL, days: 0 })));
  await world.until("gone", async () => (await held()) < COUNT - 50);
  device.skewMs = 0;
  must(await world.during(again.workspace.commands.keep({ do: "limit-channel", channel: GENERAL, days: undefined })));
  device.line.restore();
  again.rig.happen("online");
  await world.until("live", () => isLive(again));
  await world.until("here again", async () => (await held()) >= COUNT);

  // Left while there was no network, it goes as soon as there is one.
  device.line.cut();
  await world.during(again.client.close());
  await world.town.pass(40 * DAY_MS);
  const late = await world.during(device.open(other));
  await world.pass(60_000);
  expect(await held()).toBeGreaterThanOrEqual(COUNT);
  device.line.restore();
  late.rig.happen("online");
  await world.until("gone by age", async () => (await held()) < COUNT - 50);
  await world.close();
});

it("what one reads stays while one wants less of it, and goes when one leaves it, not ten minutes later", async () => {
  const { world, olga, held } = await withHistory();
  const { createChannel, keep, look } = olga.workspace.commands;
  const other = must(await world.during(createChannel({ name: "other", access: "public" })));
  look(GENERAL);
  must(await world.during(keep({ do: "limit-channel", channel: GENERAL, days: 0 })));
  await world.pass(60_000);
  expect(await held()).toBeGreaterThanOrEqual(COUNT);
  look(other);
  await world.pass(5_000);
  expect(await held()).toBeLessThan(COUNT - 50);
  await world.close();
});
