/**
 * Row 11 of the fault matrix: the browser gives no more space, for history or for what is written. The quota is Chromium's
 * own, made small and used up (`journeys/full-disk.ts`).
 */
import { setTimeout } from "node:timers/promises";
import type { Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import { composer, isDelivered, isLive, isQueued, message, say, tall } from "../journeys/channel.ts";
import { piecesSetAside, rowsOnDisk } from "../journeys/disk.ts";
import { eventually } from "../journeys/eventually.ts";
import { fillUp, limit } from "../journeys/full-disk.ts";
import { inspect } from "../journeys/inspect.ts";
import { plugIn, shellIsKept } from "../journeys/network.ts";
import { lineOf } from "../journeys/rooms.ts";
import { setStage } from "../journeys/stage.ts";
import { HASTY, noise, Scene } from "./scene.ts";

const stage = setStage(HASTY);

/** The quota is used up a piece at a time, and whether there is room again is tried every ten seconds. */
vi.setConfig({ testTimeout: 300_000 });

/** Written once history has made way. */
const MORE = 5;
const ROOM_AGAIN_WITHIN_MS = 60_000;
/** From one piece that is set aside to the next; longer than a busy machine takes for one. */
const PIECE_WITHIN_MS = 2_000;

test("row 11, full while history and a queue are stored: history gives way, what is written is kept and goes once, and the bar leaves with room", async () => {
  const scene = await onASmallDisk();
  const { ana, bo } = scene;
  const long = "What was said before the disk was full. ".repeat(100);
  await lineOf(scene.team, 1).post(
    scene.team.general,
    Array.from({ length: 300 }, (_, at) => `${long} ${at}`),
  );
  await eventually(() => heldCount(ana.page), 60_000).toBeGreaterThanOrEqual(300);
  await shellIsKept(ana.page);
  const disk = await fillUp(ana);
  ana.proxy.cut();
  const makesWay = bar(ana.page).getByText("Older messages make way for what you write");
  let count = 0;
  const write = async (): Promise<void> => {
    count += 1;
    const row = message(ana.page, `Written on a full disk ${count} `).last();
    await say(ana.page, `Written on a full disk ${count} ${noise(7_000)}`);
    await eventually(async () => ((await row.count()) > 0 ? row.getAttribute("data-delivery") : null)).toBe("queued");
  };
  // What the browser tidies up by itself, and what was set aside, is used up as well, until something has to make way.
  while ((await heldCount(ana.page)) >= 300) {
    if (count > 0) await disk.fill();
    await write();
  }
  await makesWay.waitFor();
  expect(await bar(ana.page).getByRole("link").getAttribute("href")).toBe("/me/offline");
  await inspect(ana.page, "storage-short");
  // So it is however often it comes to that: what is needed to make way is set aside again as soon as something has.
  for (let more = 0; more < MORE; more += 1) {
    await isSetAside(ana.page);
    await disk.fill();
    await write();
  }

  // Stored, not only shown: it is there when the app is opened again, full as the disk is.
  await ana.page.reload();
  await isQueued(ana.page, `Written on a full disk ${count} `);
  await plugIn(ana);
  await isDelivered(ana.page, `Written on a full disk ${count} `, 60_000);
  await disk.empty();
  await eventually(() => bar(ana.page).count(), ROOM_AGAIN_WITHIN_MS).toBe(0);
  await eventually(() => heldCount(ana.page), 120_000).toBeGreaterThanOrEqual(300);
  const texts = await lineOf(scene.team).texts(scene.team.general);
  const heads = texts.slice(-count).map((text) => text.split(" ", 6).join(" "));
  expect(heads).toEqual(Array.from({ length: count }, (_, at) => `Written on a full disk ${at + 1}`));
  await message(bo.page, `Written on a full disk ${count} `).waitFor();
});

test("row 11, full and nothing can make way: the text stays in the composer, it is said, and it goes when there is room", async () => {
  const scene = await onASmallDisk();
  const { ana } = scene;
  await shellIsKept(ana.page);
  const disk = await fillUp(ana);
  ana.proxy.cut();
  // What was set aside goes first, and what that freed is used up as well, until nothing is left.
  for (let count = 1; await isTaken(scene, `Before nothing fits any more ${count} `); count += 1) await disk.fill();
  const left = await composer(ana.page).inputValue();
  await ana.page.getByText("This device is out of space.", { exact: true }).waitFor();
  expect(await bar(ana.page).getByRole("link").getAttribute("href")).toBe("/me/offline");
  await composer(ana.page).press("End");
  await composer(ana.page).pressSequentially(" and more");

  // Nor does it go with the tab.
  await ana.page.reload();
  await eventually(() => composer(ana.page).inputValue()).toBe(`${left} and more`);
  await disk.empty();
  await plugIn(ana);
  await eventually(() => bar(ana.page).count(), ROOM_AGAIN_WITHIN_MS).toBe(0);
  await composer(ana.page).fill(left);
  await composer(ana.page).press("Enter");
  await tall(ana.page);
  await isLive(ana.page);
  await scene.endsWell();
});

/** A profile on disk: kept in memory alone, Chromium 150 gives nothing back of what is deleted. */
function onASmallDisk(): Promise<Scene> {
  return Scene.open(stage, { ana: { profile: stage.rig.profile() }, prepare: ([ana]) => limit(ana) });
}

/**
 * Says more than there may be room for. By where the text is then, not by what the bar says: for the draft of what came back
 * there may be room again a moment later.
 */
async function isTaken(scene: Scene, begins: string): Promise<boolean> {
  const { page } = scene.ana;
  await scene.say(page, `${begins}${noise(6_000)}`);
  const isBack = async (): Promise<boolean> => (await composer(page).inputValue()).includes(begins);
  await eventually(async () => (await isBack()) || (await message(page, begins).count()) > 0).toBe(true);
  return !(await isBack());
}

const bar = (page: Page) => page.getByRole("region", { name: "Storage" });

/** As much as there is room for: filled up in the midst of it, the disk has none to make room with. */
async function isSetAside(page: Page): Promise<void> {
  let pieces = 0;
  await eventually(async () => {
    const before = pieces;
    await setTimeout(PIECE_WITHIN_MS);
    pieces = await piecesSetAside(page);
    return pieces > 0 && pieces === before;
  }, ROOM_AGAIN_WITHIN_MS).toBe(true);
}

/** Messages that the device holds. */
const heldCount = async (page: Page): Promise<number> => (await rowsOnDisk(page, "messages")).length;
