// What is unread: told of while the directory came, or marked so and read again only in part.
import { expect, it } from "vitest";
import { memoryNotes } from "../test/node-ports.ts";
import type { ChannelId } from "#protocol/ids.ts";
import { HELLO_WITHIN_MS } from "#protocol/limits.ts";
import { drain, GENERAL_ROOM, isLive, MARA, must, OLGA, row, scene, watch } from "../test/sim/scene.ts";
import { heldMessages, messagesIn } from "../test/sim/verdict.ts";
import { outcome } from "../../party/test/people.ts";
import { GENERAL, World } from "../test/sim/world.ts";

it.each([
  ["with a network", true],
  ["without one", false],
])("[OP17] marked unread %s, and read again in part: the rest stays unread", async (_, isOnline) => {
  const { world, olga, device } = await scene();
  const mara = await world.during(world.team.enter(MARA));
  for (let i = 0; i < 10; i++) await mara.post(`m ${i}`);
  await world.until("here", async () => (await heldMessages(device, GENERAL_ROOM)).length >= 10);
  const seq = messagesIn(world, GENERAL_ROOM).at(-1)?.seq ?? 0;
  const { markRead, markUnread } = olga.workspace.commands;
  const isUnread = (): boolean => row(olga, "general")?.isUnread === true;
  markRead(GENERAL, seq);
  await drain(world, olga);
  await world.until("read", () => !isUnread());
  if (!isOnline) device.line.cut();
  markUnread(GENERAL, seq - 6);
  await world.until("unread", isUnread);
  await world.pass(2_000);
  // Another tab says late what it saw before.
  markRead(GENERAL, seq - 8);
  await world.pass(500);
  markRead(GENERAL, seq - 4);
  await world.pass(2_000);
  device.line.restore();
  olga.rig.happen("online");
  await drain(world, olga);
  await world.pass(30_000);
  expect(isUnread()).toBe(true);
  const view = watch(olga);
  await world.until("shown", () => view.ready() !== null);
  expect(view.ready()).toMatchObject({ newSince: seq - 4 });
  markRead(GENERAL, seq);
  await drain(world, olga);
  await world.until("read", () => !isUnread());
  await world.close();
});

// A link may lead there.
it.each([
  ["with a network", true],
  ["without one", false],
])(
  "[OP17] marked unread %s from behind what was never read: that stays unread, and who is named in it counted",
  async (_, isOnline) => {
    const { world, olga, device } = await scene();
    const mara = await world.during(world.team.enter(MARA));
    await world.during(mara.post("seen"));
    await world.until("here", () => row(olga, "general")?.isUnread === true);
    const seen = messagesIn(world, GENERAL_ROOM).at(-1)?.seq ?? 0;
    const { markRead, markUnread } = olga.workspace.commands;
    markRead(GENERAL, seen);
    await drain(world, olga);
    await world.pass(20_000);
    await world.during(mara.post("please call", { mentions: [OLGA] }));
    for (let i = 0; i < 5; i++) await world.during(mara.post(`m ${i}`));
    const counted = (): number | undefined => row(olga, "general")?.mentionCount;
    await world.until("here", async () => (await heldMessages(device, GENERAL_ROOM)).at(-1)?.seq === seen + 6);
    expect(counted()).toBe(1);
    if (!isOnline) device.line.cut();
    markUnread(GENERAL, seen + 4);
    await world.pass(2_000);
    device.line.restore();
    olga.rig.happen("online");
    await drain(world, olga);
    await world.pass(30_000);
    expect(counted()).toBe(1);
    const view = watch(olga);
    await world.until("shown", () => view.ready() !== null);
    expect(view.ready()).toMatchObject({ read: seen });
    await world.close();
  },
);

async function marasChannels(length: number) {
  const world = await World.make(1);
  const { team } = world;
  const owner = await world.during(team.enter(OLGA, team.workspace));
  const names = Array.from({ length }, (_, i) => `c${i}`);
  for (const name of names) await world.during(owner.op("channel.create", { id: name, access: "public", name }));
  await world.during(team.invite("mara", "member", names));
  const device = await world.device(MARA, MARA, memoryNotes());
  return { world, team, names, device };
}

/** Mara is in more channels than are linked at once: those have no other way to hear of a post. */
async function inManyChannels(count = 0) {
  const { world, team, names, device } = await marasChannels(30);
  if (count > 0) {
    device.costs = "metered";
    const line = await world.during(team.enter(OLGA, team.channel("c29")));
    for (let at = 0; at < count; at += 1) {
      if (at % 20 === 19) await world.town.pass(6_000);
      await world.during(line.post(`Long ago ${at}`));
    }
  }
  const tab = await world.during(device.open());
  await world.until("live", () => isLive(tab));
  const { status } = tab.workspace;
  status.subscribe(() => undefined);
  const roomOf = (label: string) => status.snapshot().rooms.find((room) => room.label === label);
  await world.pass(120_000, 1_000);
  const unlinked = names.filter((name) => roomOf(`#${name}`)?.link !== "live");
  return { world, team, device, tab, roomOf, unlinked };
}

it("in a channel without a link a mention is counted within seconds, though it moved a moment before, and not when it is deleted", async () => {
  const { world, team, tab, unlinked } = await inManyChannels();
  const [name = ""] = unlinked;
  const line = await world.during(team.enter(OLGA, team.channel(name)));
  await world.during(line.post("Good morning"));
  await world.until("unread", () => row(tab, name)?.isUnread === true);
  await world.pass(5_000);
  const id = world.town.newId();
  const named = { id, text: `<@${MARA}> please call`, mentions: [MARA] };
  expect(outcome(await world.during(line.op("message.post", named)))).toBe("ack");
  await world.until("counted", () => row(tab, name)?.mentionCount === 1, 15_000);
  await world.during(line.op("message.delete", { id }));
  await world.until("no more", () => row(tab, name)?.mentionCount === 0, 15_000);
  await world.close();
});

it("where bytes cost, and where nobody looks, marks are told of all the same, and history isn't", async () => {
  const { world, team, device, tab } = await inManyChannels(150);
  const mentions = (): number => row(tab, "c29")?.mentionCount ?? 0;
  const line = await world.during(team.enter(OLGA, team.channel("c29")));
  const name = async (): Promise<void> => {
    await world.during(line.post(`<@${MARA}> please call`, { mentions: [MARA] }));
  };
  const { keep } = tab.workspace.commands;
  // Of what was never read nothing is asked: the newest page is here, and the rest is wanted.
  must(await world.during(keep({ do: "limit-channel", channel: "c29" as ChannelId, days: 0 })));
  device.costs = "free";
  await world.pass(60_000, 1_000);
  device.costs = "metered";
  must(await world.during(keep({ do: "limit-channel", channel: "c29" as ChannelId, days: undefined })));
  await world.pass(30_000, 1_000);
  world.calls.length = 0;
  await name();
  await world.until("counted", () => mentions() === 1, 15_000);
  await world.pass(60_000, 1_000);
  tab.rig.setVisible(false);
  tab.rig.happen("hidden");
  await world.pass(660_000, 1_000);
  device.costs = "free";
  await name();
  await world.until("counted", () => mentions() === 2, 15_000);
  await world.pass(60_000, 1_000);
  expect(new Set(world.calls.map(({ action }) => action))).toEqual(new Set(["GET changes"]));
  tab.rig.setVisible(true);
  tab.rig.happen("visible");
  await world.until("history", () => world.calls.some(({ action }) => action === "GET history"));
  await world.close();
});

it("until the browser tells what bytes cost, no history is fetched", async () => {
  const { world, device } = await marasChannels(30);
  const { promise, resolve: tell } = Promise.withResolvers<void>();
  device.untilTold = promise;
  const tab = await world.during(device.open());
  await world.until("live", () => isLive(tab));
  await world.pass(60_000, 1_000);
  const isAsked = (): boolean => world.calls.some(({ action }) => action === "GET history");
  expect(isAsked()).toBe(false);
  tell();
  await world.until("history", isAsked);
  await world.close();
});

it("cut off before a channel without a link was read again, it says of when that is, and that newer ones are missing there", async () => {
  const { world, team, device, tab, unlinked } = await inManyChannels();
  const [name = ""] = unlinked;
  const line = await world.during(team.enter(OLGA, team.channel(name)));
  const { ready } = watch(tab, name as ChannelId);
  await world.during(line.post("The plan is A"));
  await world.until("read", () => ready()?.messages.at(-1)?.text === "The plan is A");
  await world.pass(3_000);
  const before = world.town.now;
  await world.during(line.post("No, it is B"));
  await world.until("told", () => (ready()?.top ?? 0) > (ready()?.heardTo ?? 0));
  await world.pass(4_000);
  device.line.cut();
  await world.until("noticed", () => ready()?.isApart === true);
  expect(ready()?.messages.at(-1)?.text).toBe("The plan is A");
  expect(ready()?.top).toBeGreaterThan(ready()?.heardTo ?? 0);
  const { liveAt } = tab.workspace;
  expect(liveAt.snapshot()).toBeLessThan(before + 1_000);
  device.line.restore();
  tab.rig.happen("online");
  await world.until("read again", () => ready()?.messages.at(-1)?.text === "No, it is B");
  await world.until("up to date", () => (liveAt.snapshot() ?? 0) > before + 4_000);
  await world.close();
});

it("a channel that is posted in while the directory comes page by page is unread, though another was told of since", async () => {
  const { world, team, device, tab, roomOf, unlinked } = await inManyChannels();
  const [between = "", since = ""] = unlinked;
  const quiet = await world.during(team.enter(OLGA, team.channel(between)));
  const later = await world.during(team.enter(OLGA, team.channel(since)));
  device.line.cut();
  // More than a page.
  for (let i = 0; i < 60; i += 1) await world.during(team.invite(`p${i}`, "member", ["c28", "c29"]));
  await world.pass(30_000, 1_000);
  const before = roomOf("workspace")?.cursor ?? 0;
  device.line.slowUp(0.5);
  device.line.restore();
  tab.rig.happen("online");
  const isBetween = (): boolean => {
    const { cursor, head } = roomOf("workspace") ?? {};
    return (cursor ?? 0) > before && (cursor ?? 0) < (head ?? 0);
  };
  await world.until("between two pages", isBetween, 60_000);
  await world.during(quiet.post("Between two pages"));
  await world.until("live", () => isLive(tab));
  await world.during(later.post("Later"));
  await world.until("told", () => row(tab, since)?.isUnread === true);
  expect(row(tab, between)?.isUnread).toBe(true);
  await world.close();
});

it("is what others wrote before a first page of my own, where bytes cost", async () => {
  const world = await World.make(1);
  const { team } = world;
  await world.during(team.invite("mara"));
  const olga = await world.during(team.enter(OLGA));
  for (let i = 0; i < 10; i++) await world.during(olga.post(`m ${i}`));
  const mara = await world.during(team.enter(MARA));
  for (let i = 0; i < 3; i++) await world.during(mara.post("x".repeat(7_900)));
  await world.pass(40_000);
  const device = await world.device(MARA, MARA, memoryNotes());
  device.costs = "metered";
  const tab = await world.during(device.open());
  await world.until("live", () => isLive(tab));
  await world.pass(60_000);
  expect((await world.during(heldMessages(device, GENERAL_ROOM))).every(({ author }) => author === MARA)).toBe(true);
  expect(row(tab, "general")?.isUnread).toBe(true);
  await world.close();
});

it("is all known before it says that it is live, where the heads of the channels take more than a page", async () => {
  const { world, team, names, device } = await marasChannels(120);
  const tab = await world.during(device.open());
  await world.until("live", () => isLive(tab));
  await world.pass(60_000, 1_000);
  device.line.cut();
  for (const name of names) {
    const line = await world.during(team.enter(OLGA, team.channel(name)));
    await world.during(line.post("Good morning"));
  }
  await world.pass(60_000, 1_000);
  expect(isLive(tab)).toBe(false);
  device.line.slowDown(HELLO_WITHIN_MS + 2_000);
  device.line.restore();
  tab.rig.happen("online");
  // The first greeting comes too late, so that the next pages are small.
  await world.pass(HELLO_WITHIN_MS + 1_000);
  device.line.slowDown(1_000);
  await world.until("live", () => isLive(tab), 120_000);
  expect(names.filter((name) => row(tab, name)?.isUnread !== true)).toEqual([]);
  await world.close();
});
