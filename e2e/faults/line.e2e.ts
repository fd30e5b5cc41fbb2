/** Rows 1 to 5 and 15 of the fault matrix: what happens between the browser and the server. */
import { expect, test } from "vitest";
import { unrulyFrames } from "../../scripts/faults/shims.ts";
import { composer, connectionState, isDelivered, isLive, message, shown } from "../journeys/channel.ts";
import { eventually } from "../journeys/eventually.ts";
import { plugIn } from "../journeys/network.ts";
import { lineOf } from "../journeys/rooms.ts";
import { setStage } from "../journeys/stage.ts";
import { HASTY, noise, Scene } from "./scene.ts";

const stage = setStage(HASTY);
const BLACK_HOLE_MS = 5_000;

test("row 1, a connection reset before or within the frame of a message: it is sent once, in its place", async () => {
  const scene = await Scene.open(stage);
  const { ana, team } = scene;
  // A message's frame has about 250 bytes: before it, within its head, its body, its end, and within the next.
  for (const bytes of [1, 4, 60, 140, 230, 320, 480]) {
    const cut = { isOver: false };
    void ana.proxy.cutAfter("up", bytes).then(() => (cut.isOver = true));
    let last = "";
    for (let at = 1; !cut.isOver; at += 1) await scene.say(ana.page, (last = `${bytes} bytes, message ${at}`));
    // What else goes up, a draft or a heartbeat, moves the place of the cut: what came before it is there, and may say so.
    const isThere = (await lineOf(team).texts(team.general)).includes(last);
    if (!isThere) await scene.isWaiting(ana.page, last);
    await plugIn(ana);
    await isDelivered(ana.page, last);
  }
  await scene.endsWell();
});

test("row 2, sent into a dead line: it is noticed, never shown as sent, and sent again", async () => {
  const scene = await Scene.open(stage);
  const { ana } = scene;
  ana.proxy.dropUp();
  await scene.say(ana.page, "Into the void");
  await scene.isWaiting(ana.page, "Into the void");
  await eventually(() => connectionState(ana.page)).not.toBe("live");
  await scene.isWaiting(ana.page, "Into the void");
  // The fault that tells good from bad: bytes swallowed, then a reset.
  ana.proxy.cut();
  await scene.say(ana.page, "Into the silence after it");
  await plugIn(ana);
  await scene.endsWell();
});

test("row 3, committed and the answer lost: sent again it gets the same place", async () => {
  const scene = await Scene.open(stage);
  const { ana, bo } = scene;
  ana.proxy.swallowDown();
  await scene.say(ana.page, "Acknowledged to nobody");
  await message(bo.page, "Acknowledged to nobody").waitFor();
  const [before] = await shown(bo.page);
  expect((await shown(ana.page))[0]?.delivery).not.toBe("sent");
  ana.proxy.cut();
  await plugIn(ana);
  await scene.endsWell();
  expect((await shown(ana.page))[0]).toMatchObject({ id: before!.id, seq: before!.seq });
});

test("row 4, a cut inside a page of what was missed: it goes on from what is stored, and leaves no hole", async () => {
  const scene = await Scene.open(stage);
  const { ana, team } = scene;
  ana.proxy.cut();
  await eventually(() => connectionState(ana.page)).not.toBe("live");
  const missed = Array.from({ length: 120 }, (_, at) => `Missed ${at}: ${noise(200)}`);
  await lineOf(team, 1).post(team.general, missed);
  scene.wrote("Bo", missed);
  for (const bytes of [300, 2_500, 9_000, 21_000]) {
    let isOver = false;
    void ana.proxy.cutAfter("down", bytes).then(() => (isOver = true));
    await ana.page.evaluate(() => dispatchEvent(new Event("online")));
    // What came whole before the last cut needn't come again, and may leave too little for another.
    await eventually(async () => isOver || (await connectionState(ana.page)) === "live", 30_000).toBe(true);
  }
  await plugIn(ana);
  await isLive(ana.page);
  await scene.endsWell();
});

test("row 2, a line that dies inside a page of what was missed: it is noticed all the same, and the page comes again", async () => {
  const scene = await Scene.open(stage);
  const { ana, team } = scene;
  ana.proxy.cut();
  await eventually(() => connectionState(ana.page)).not.toBe("live");
  const missed = Array.from({ length: 100 }, (_, at) => `Missed ${at}: ${noise(1_000)}`);
  await lineOf(team, 1).post(team.general, missed);
  scene.wrote("Bo", missed);
  // Pages for some fifteen seconds: time to see one under way on a busy machine as well.
  ana.proxy.slow({ kbps: 40, ms: 0 });
  await ana.page.evaluate(() => dispatchEvent(new Event("online")));
  await eventually(() => connectionState(ana.page)).toBe("catching-up");
  ana.proxy.hang();
  await eventually(() => connectionState(ana.page)).toMatch(/^(reconnecting|offline)$/);
  await plugIn(ana);
  await isLive(ana.page, 30_000);
  await scene.endsWell();
});

test("row 5, a black hole: one writes on, the state is told, and all goes when it ends, by itself", async () => {
  const scene = await Scene.open(stage);
  const { ana, bo } = scene;
  ana.proxy.hang();
  const begunAt = performance.now();
  await scene.say(ana.page, "Into the hole");
  await eventually(() => connectionState(ana.page), 30_000).toMatch(/^(reconnecting|offline)$/);
  for (const at of [1, 2, 3]) await scene.say(ana.page, `Still in it ${at}`);
  await scene.isWaiting(ana.page, "Still in it 3");
  await scene.say(bo.page, "Outside of it");
  expect(await composer(ana.page).inputValue()).toBe("");
  // The short end of what the matrix asks for; a hole is as deep after ten minutes.
  await eventually(() => performance.now() - begunAt).toBeGreaterThan(BLACK_HOLE_MS);
  await scene.isWaiting(ana.page, "Into the hole");
  // Nobody tells the browser that the network is back.
  ana.proxy.up();
  await isLive(ana.page, 30_000);
  await scene.endsWell();
});

test("row 15, frames that come twice, swapped, or again much later: applied once, and what is missing is fetched", async () => {
  const scene = await Scene.open(stage, {
    prepare: async (desks) => {
      for (const { context } of desks) await context.addInitScript(unrulyFrames);
    },
  });
  const { ana, bo } = scene;
  for (const { page } of [ana, bo])
    await page.evaluate(() => ((globalThis as { causewayFrames?: boolean }).causewayFrames = true));
  for (let at = 0; at < 40; at += 1) await scene.say([ana, bo][at % 2]!.page, `Unruly ${at}`);
  await scene.endsWell();
});
