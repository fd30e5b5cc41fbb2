// How much history the person keeps on a device, and when what is beyond it goes.
import { expect, it } from "vitest";
import type { ChannelId, WorkspaceId } from "#protocol/ids.ts";
import { isAlike } from "#protocol/alike.ts";
import type { ReadinessSnapshot } from "../store/readiness.ts";
import { drain, GENERAL_ROOM, isLive, MARA, must, OLGA, scene, type Scene } from "../test/sim/scene.ts";
import { heldMessages, heldOps, messagesIn } from "../test/sim/verdict.ts";
import { GENERAL } from "../test/sim/world.ts";

const DAY_MS = 24 * 3_600_000;
const COUNT = 200;

interface Kept extends Scene {
  /** How many messages of the channel are on the device. */
  readonly held: () => Promise<number>;
}

/** So many messages of somebody else are on the device. */
async function withHistory(): Promise<Kept> {
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

/** The same, kept for thirty days, while one looks elsewhere: what one looks at stays anyway. */
async function keepingAMonth(): Promise<Kept & { readonly other: ChannelId }> {
  const made = await withHistory();
  const { world, olga } = made;
  const { createChannel, keep, look } = olga.workspace.commands;
  const other = must(await world.during(createChannel({ name: "other", access: "public" })));
  look(other);
  must(await world.during(keep({ do: "limit", to: { days: 30 } })));
  await drain(world, olga);
  await world.pass(60_000);
  return { ...made, other };
}

it("what is too old goes when asked for, and else with a network alone: the clock may be wrong", async () => {
  const { world, olga, device, held, other } = await keepingAMonth();
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

it("what isn't too old stays though the device's clock is far ahead, also one that is set while the link stands", async () => {
  const { world, olga, device, held, other } = await keepingAMonth();
  device.skewMs = 400 * DAY_MS;
  await world.pass(1_800_000, 5_000);
  expect(await held()).toBeGreaterThanOrEqual(COUNT);
  await world.during(olga.client.close());
  const again = await world.during(device.open(other));
  await world.until("live", () => isLive(again));
  await world.pass(1_800_000, 5_000);
  expect(await held()).toBeGreaterThanOrEqual(COUNT);

  // By the room's clock as well.
  device.skewMs = 0;
  await world.during(again.client.close());
  await world.town.pass(40 * DAY_MS);
  await world.during(device.open(other));
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

it("what one reads stays, though another tab is in another workspace and frees as well", async () => {
  const { world, olga, device, held } = await withHistory();
  const { workspaces, user } = world.me(OLGA);
  const quay = { id: "quay" as WorkspaceId, slug: "quay", name: "Quay", role: "member" } as const;
  world.me = () => ({ user, workspaces: [...workspaces, quay] });
  await world.during(olga.client.account.refresh());
  const beside = await world.during(device.open());
  const other = beside.client.open("quay");
  other?.connection.subscribe(() => undefined);
  other?.commands.look(null);
  olga.workspace.commands.look(GENERAL);
  await world.until("asked for", () => other?.connection.snapshot().state === "refused", 30_000);
  must(await world.during(olga.workspace.commands.keep({ do: "limit-channel", channel: GENERAL, days: 0 })));
  await world.pass(60_000);
  expect(await held()).toBeGreaterThanOrEqual(COUNT);
  await world.close();
});

it("over a limit of all the oldest makes way, filling stops there until more is allowed, and nothing unsent goes", async () => {
  const { world, olga, device, held } = await withHistory();
  const { readiness, commands } = olga.workspace;
  readiness.subscribe(() => undefined);
  const now = (): ReadinessSnapshot => {
    const snapshot = readiness.snapshot();
    if (snapshot.state === "loading") throw new Error("not loaded");
    return snapshot.value;
  };
  await world.until("loaded", () => readiness.snapshot().state === "ready");
  await world.until("all here", () => now().filling.state === "done");
  const whole = now();
  const all = messagesIn(world, GENERAL_ROOM);
  const other = must(await world.during(commands.createChannel({ name: "other", access: "public" })));
  commands.look(other);
  await drain(world, olga);

  // Without a network, for what waits must outlast it: a reaction to the oldest message, and an answer to it.
  device.line.cut();
  const oldest = all.find((message) => !message.deleted && message.system === undefined)!;
  must(await world.during(commands.react(GENERAL, oldest.id, "👍", true)));
  must(await world.during(commands.post(GENERAL, "an answer", oldest.id)));
  const maxBytes = Math.round(whole.heldBytes * 0.7);
  must(await world.during(commands.keep({ do: "limit", to: { maxBytes } })));
  await world.until("within it", () => now().heldBytes <= maxBytes);
  const left = (await heldMessages(device, GENERAL_ROOM)).map(({ seq }) => seq);
  const first = left[1]!;
  expect(left[0]).toBe(oldest.seq);
  expect(left.slice(1)).toEqual(all.filter(({ seq }) => seq >= first).map(({ seq }) => seq));
  expect((await heldOps(device)).filter(({ op }) => op.startsWith("message."))).toHaveLength(2);

  // Nothing that made way is fetched again, though there is a network and a link.
  device.line.restore();
  olga.rig.happen("online");
  await world.until("live", () => isLive(olga));
  await drain(world, olga);
  await world.until("stopped", () => isAlike(now().filling, { state: "paused", why: "cap", until: null }));
  await world.pass(1_300_000, 5_000);
  expect(now().heldBytes).toBeLessThanOrEqual(maxBytes);
  expect(now().filling).toEqual({ state: "paused", why: "cap", until: null });
  const answered = messagesIn(world, GENERAL_ROOM).find(({ id }) => id === oldest.id);
  expect(answered).toMatchObject({ reactions: { "👍": ["olga"] }, replies: { count: 1 } });

  must(await world.during(commands.keep({ do: "limit", to: { maxBytes: null } })));
  await world.until("all of it again", async () => (await held()) === messagesIn(world, GENERAL_ROOM).length);
  await world.until("done", () => now().filling.state === "done");
  await world.close();
});
