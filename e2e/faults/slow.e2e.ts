/** Row 16 of the fault matrix, with the patience that the app has outside of tests: the line answers after four seconds. */
import type { WebSocket } from "playwright-core";
import { expect, test } from "vitest";
import { TEXT_MAX_CHARS } from "#protocol/limits.ts";
import { composer, connectionState, isDelivered, isLive, message, tall } from "../journeys/channel.ts";
import { lineOf } from "../journeys/rooms.ts";
import { eventually } from "../journeys/eventually.ts";
import { setStage } from "../journeys/stage.ts";
import { noise, Scene } from "./scene.ts";

const stage = setStage();

test("row 16, 50 kbit/s and 2 s each way: what is on the device can be read and written to before the line has answered", async () => {
  const scene = await Scene.open(stage);
  const { ana, bo } = scene;
  await scene.anaHolds("On the device already");
  await scene.say(ana.page, "Mine too");
  await isDelivered(ana.page, "Mine too");
  // Once more with the worker in charge, so that all of it is kept.
  await ana.page.reload();
  await isLive(ana.page);

  ana.proxy.cut();
  ana.proxy.slow({ kbps: 50, ms: 2_000 });
  await ana.page.reload({ waitUntil: "commit" });
  await message(ana.page, "On the device already").waitFor();
  await composer(ana.page).waitFor();
  expect(await connectionState(ana.page)).not.toBe("live");
  await tall(ana.page);
  await scene.say(ana.page, "Written before the line answered");
  await scene.isWaiting(ana.page, "Written before the line answered");
  await scene.say(bo.page, "Comes over the slow line");
  await isDelivered(ana.page, "Written before the line answered", 60_000);
  await message(ana.page, "Comes over the slow line").waitFor({ timeout: 60_000 });
  await scene.endsWell();
});

test("row 16, 50 kbit/s and 2 s each way: what was missed comes whole and is never cut off, however long it takes", async () => {
  const scene = await Scene.open(stage);
  const { ana, team } = scene;
  ana.proxy.cut();
  await eventually(() => connectionState(ana.page)).not.toBe("live");
  // 80 KB as they are sent: 13 seconds of this line, longer than it may be silent.
  const missed = Array.from({ length: 40 }, (_, at) => `Missed ${at}: ${noise(2_650)}`);
  await lineOf(team, 1).post(team.general, missed);
  scene.wrote("Bo", missed);
  // One that was begun while the plug was still pulled hears nothing.
  const heard = new Set<WebSocket>();
  ana.page.on("websocket", (socket) => {
    if (socket.url().includes("/parties/channel/")) socket.on("framereceived", () => heard.add(socket));
  });
  ana.proxy.slow({ kbps: 50, ms: 2_000 });
  await ana.page.evaluate(() => dispatchEvent(new Event("online")));
  await scene.say(ana.page, "Written while it comes");
  await isDelivered(ana.page, "Written while it comes", 120_000);
  await isLive(ana.page, 120_000);
  expect(heard.size).toBe(1);
  await scene.endsWell();
});

test("row 16, 16 kbit/s: a text as long as may be in a script of three bytes a letter takes longer than an answer has, and goes", async () => {
  const scene = await Scene.open(stage);
  const { ana, bo } = scene;
  ana.proxy.slow({ kbps: 16, ms: 300 });
  // Letters of many kinds: no line may make them shorter.
  const long = Array.from({ length: TEXT_MAX_CHARS }, (_, at) =>
    String.fromCharCode(0x4e00 + ((at * 7_919) % 20_000)),
  ).join("");
  await scene.say(ana.page, long);
  await scene.say(ana.page, "One behind it");
  await isDelivered(ana.page, "One behind it", 120_000);
  await message(bo.page, "One behind it").waitFor();
  await scene.endsWell();
});
