// What one may do has changed since the token at hand was given.
import { expect, it } from "vitest";
import { GENERAL, type Device, type Tab, type World } from "../test/sim/world.ts";
import {
  drain,
  GENERAL_ROOM,
  isLive,
  items,
  MARA,
  must,
  row,
  scene,
  secret,
  textsIn,
  watch,
} from "../test/sim/scene.ts";

interface Made {
  readonly world: World;
  readonly olga: Tab;
  readonly mara: Tab;
  /** Mara's. */
  readonly device: Device;
}

async function maraToo(): Promise<Made> {
  const { world, olga } = await scene();
  const device = await world.device(MARA);
  const mara = await world.during(device.open());
  await world.until("live", () => isLive(mara));
  return { world, olga, mara, device };
}

async function makeAdmin({ world, olga }: Made): Promise<void> {
  must(await world.during(olga.workspace.commands.setRole(MARA, "admin")));
  await drain(world, olga);
}

/** @returns why it was refused, if it was */
async function rename({ world, olga, mara }: Made): Promise<string | undefined> {
  must(await world.during(mara.workspace.commands.renameChannel(GENERAL, "plaza")));
  const refusal = (): string | undefined => items(mara)[0]?.refusal?.detail;
  await world.until("answered", () => row(olga, "plaza") !== undefined || refusal() !== undefined);
  return refusal();
}

it("one who is made an admin may act as one at once, over the line that stands", async () => {
  const made = await maraToo();
  await makeAdmin(made);
  await made.world.pass(1_000);
  expect(await rename(made)).toBeUndefined();
  await made.world.close();
});

it("one who is made an admin while away may act as one when back", async () => {
  const made = await maraToo();
  const { world, mara, device } = made;
  device.line.cut();
  await makeAdmin(made);
  device.line.restore();
  mara.rig.happen("online");
  await world.until("live", () => isLive(mara));
  await world.pass(1_000);
  expect(await rename(made)).toBeUndefined();
  await world.close();
});

const FEW_SECONDS_MS = 6_000;

it("one whose role changes twice within a minute is live within seconds each time, and never called signed out", async () => {
  const made = await maraToo();
  const { world, olga, mara } = made;
  const states = new Set<string>();
  mara.workspace.connection.subscribe(() => states.add(mara.workspace.connection.snapshot().state));
  for (const role of ["admin", "guest", "member"] as const) {
    must(await world.during(olga.workspace.commands.setRole(MARA, role)));
    await drain(world, olga);
    await world.until("thrown out", () => !isLive(mara), 3_000);
    await world.until("live", () => isLive(mara), FEW_SECONDS_MS);
  }
  expect(states).not.toContain("signed-out");
  await world.close();
});

it("one who is taken out twice within a minute and let in between is told so each time", async () => {
  const made = await maraToo();
  const { world, olga, mara } = made;
  const state = (): string => mara.workspace.connection.snapshot().state;
  for (const on of [false, true, false, true]) {
    must(await world.during(olga.workspace.commands.activate(MARA, on)));
    await drain(world, olga);
    if (on) mara.rig.happen("focus");
    await world.until(on ? "live" : "refused", () => state() === (on ? "live" : "refused"), FEW_SECONDS_MS);
  }
  await world.close();
});

it("[RM5] one taken out and in again, of which the room hears late and one by one, is in, and what they wrote meanwhile goes", async () => {
  const { world, olga, mara, channel } = await secret();
  const view = watch(mara, channel);
  const told = Promise.withResolvers<void>();
  const { town } = world;
  const call = town.call.bind(town);
  town.call = async (ref, method, action, body) => {
    if (action === "policy") await told.promise;
    return call(ref, method, action, body);
  };
  must(await world.during(olga.workspace.commands.changeMembers(channel, { remove: [MARA] })));
  await world.until("out", () => row(mara, "secret") === undefined);
  must(await world.during(olga.workspace.commands.changeMembers(channel, { add: [MARA] })));
  await world.until("in again", () => row(mara, "secret") !== undefined && view.rows().length > 0);
  told.resolve();
  await world.pass(100, 5);
  must(await world.during(mara.workspace.commands.post(channel, "here")));
  await world.until("delivered", () => view.texts().includes("here") && items(mara).length === 0, FEW_SECONDS_MS);
  expect(view.rows().at(-1)?.delivery).toBe("sent");
  await world.close();
});

it("[OP9] a pin refused to one who was made a guest meanwhile says that it may be tried again as soon as they are a member again", async () => {
  const made = await maraToo();
  const { world, olga, mara, device } = made;
  const view = watch(mara);
  must(await world.during(olga.workspace.commands.post(GENERAL, "worth a pin")));
  await world.until("there", () => view.texts().includes("worth a pin"));
  device.line.cut();
  must(await world.during(mara.workspace.commands.pin(GENERAL, view.rows().at(-1)!.id, true)));
  must(await world.during(olga.workspace.commands.setRole(MARA, "guest")));
  await drain(world, olga);
  device.line.restore();
  mara.rig.happen("online");
  await world.until("refused", () => items(mara)[0]?.refusal?.code === "forbidden");
  await world.pass(1_000);
  expect(items(mara)[0]).not.toHaveProperty("isReasonPast");
  must(await world.during(olga.workspace.commands.setRole(MARA, "member")));
  await drain(world, olga);
  await world.until("said to be past", () => items(mara)[0]?.isReasonPast === true);
  must(await world.during(mara.workspace.commands.retry(items(mara)[0]!.op)));
  await world.until("pinned", () => items(mara).length === 0);
  await world.close();
});

it("[AU6] a firewall that answers 403 in the endpoint's place takes nothing away: what waits goes when it has gone", async () => {
  const { world, olga, mara, device } = await maraToo();
  must(await world.during(olga.workspace.commands.post(GENERAL, "from before")));
  const before = watch(mara);
  await world.until("there", () => before.texts().includes("from before"));
  device.line.cut();
  await world.during(mara.client.close());
  must(await world.during(olga.workspace.commands.post(GENERAL, "meanwhile")));
  await drain(world, olga);
  const authorize = world.authorize.bind(world);
  world.authorize = async () => Response.json({ error: "blocked" }, { status: 403 });
  device.line.restore();
  const again = await world.during(device.open());
  const view = watch(again);
  must(await world.during(again.workspace.commands.post(GENERAL, "behind it")));
  await world.pass(5_000, 5);
  expect(again.workspace.connection.snapshot()).toMatchObject({ state: "misconfigured" });
  expect(items(again).map(({ delivery }) => delivery)).toEqual(["queued"]);
  expect(view.texts()).toEqual(["from before", "behind it"]);
  world.authorize = authorize;
  again.rig.happen("online");
  await drain(world, again);
  expect(textsIn(world, GENERAL_ROOM)).toEqual(["from before", "meanwhile", "behind it"]);
  await world.close();
});
