// A line that is cut after each page of the directory: whoever comes back goes on where they were.
import { expect, it } from "vitest";
import type { ChannelId, UserId } from "#protocol/ids.ts";
import { FAR_BEHIND_REVS } from "#protocol/limits.ts";
import type { RoomName } from "#protocol/room-name.ts";
import type { RoomStatus } from "../store/snapshots.ts";
import { isLive, OLGA } from "../test/sim/scene.ts";
import { World, type Device, type Tab } from "../test/sim/world.ts";

const DIRECTORY = "workspace:w" as RoomName;
const GUS = "gus" as UserId;
/** So long that it can be cut behind a page and before the next. */
const WAY_MS = 400;
const CUTS_MAX = 12;

function directory({ workspace }: Tab): RoomStatus | undefined {
  return workspace.status.snapshot().rooms.find(({ name }) => name === DIRECTORY);
}

function names({ workspace }: Tab): readonly string[] {
  const snapshot = workspace.workspace.snapshot();
  return snapshot.state === "ready" ? [...snapshot.value.members.keys()] : [];
}

/** Answers how often it was cut. */
async function cutAfterEachPage(world: World, device: Device, tab: Tab): Promise<number> {
  device.line.slowDown(WAY_MS);
  for (let cuts = 0; cuts < CUTS_MAX; cuts += 1) {
    device.line.restore();
    tab.rig.happen("online");
    await world.until("greeted", () => isGreeted(tab), 30_000);
    await world.pass(WAY_MS / 2);
    if (directory(tab)?.link === "live") return cuts;
    device.line.cut();
    await world.until("cut", () => !isGreeted(tab));
    await world.pass(1_500);
  }
  return CUTS_MAX;
}

function isGreeted(tab: Tab): boolean {
  const link = directory(tab)?.link;
  return link === "live" || link === "catching-up";
}

async function crowd(world: World, letter: string, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await world.team.invite(`${letter}${index}`);
}

it("[SY4] a new device in a workspace of many revs comes to the end", async () => {
  const world = await World.make(1);
  await crowd(world, "u", 250);
  const laptop = await world.team.enter(OLGA, world.team.workspace);
  for (let index = 0; index < FAR_BEHIND_REVS; index += 1) {
    world.town.now += 100;
    await laptop.op("channel.prefs", { channel: "general", starred: index % 2 === 0 });
  }
  laptop.wire.drop();
  const device = await world.device(OLGA);
  const tab = await world.during(device.open());
  tab.workspace.workspace.subscribe(() => undefined);
  expect(await cutAfterEachPage(world, device, tab)).toBeLessThan(CUTS_MAX);
  expect(names(tab)).toHaveLength(251);
  await world.close();
});

it("[RV5] [SY4] whose sight changed meanwhile sees all of what it may, and no more", async () => {
  const world = await World.make(1);
  const olga = await world.team.enter(OLGA, world.team.workspace);
  await olga.op("channel.create", { id: "side", access: "public", name: "side" });
  await world.team.invite(GUS, "guest", ["side"]);
  await crowd(world, "u", 250);
  const device = await world.device(GUS);
  const tab = await world.during(device.open("side" as ChannelId));
  tab.workspace.workspace.subscribe(() => undefined);
  await world.until("live", () => isLive(tab));
  expect(names(tab)).toHaveLength(2);
  for (const [role, seen] of [
    ["member", 252],
    ["guest", 2],
  ] as const) {
    device.line.cut();
    await olga.op("member.role", { user: GUS, role });
    await world.pass(5_000, 500);
    expect(await cutAfterEachPage(world, device, tab)).toBeLessThan(CUTS_MAX);
    expect(names(tab)).toHaveLength(seen);
  }
  await world.close();
});
