/** Rows 8, 9, 10 and 21 of the fault matrix: clocks, tabs, crashes and sleep. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { enterAtOnce } from "../../scripts/faults/page.ts";
import { wrongClock } from "../../scripts/faults/shims.ts";
import { COMPOSER_ID } from "../../web/features/composer/focus.ts";
import { composer, isDelivered, isLive, isQueued, message, shown, tall, write } from "../journeys/channel.ts";
import { eventually } from "../journeys/eventually.ts";
import { plugIn, shellIsKept, startPortal } from "../journeys/network.ts";
import { setStage } from "../journeys/stage.ts";
import { crash } from "../rig/browser.ts";
import { HASTY, Scene } from "./scene.ts";

const stage = setStage(HASTY);
const DAY_MS = 24 * 3_600_000;

test("row 8, clocks a day ahead and a day behind: what counts is the room's order, and both stay signed in", async () => {
  const scene = await Scene.open(stage, {
    prepare: async ([ana, bo]) => {
      await ana.context.addInitScript(wrongClock, DAY_MS);
      await bo.context.addInitScript(wrongClock, -DAY_MS);
    },
  });
  const { ana, bo } = scene;
  for (let at = 0; at < 4; at += 1) {
    await scene.say(ana.page, `From tomorrow ${at}`);
    await message(bo.page, `From tomorrow ${at}`).waitFor();
    await scene.say(bo.page, `From yesterday ${at}`);
    await message(ana.page, `From yesterday ${at}`).waitFor();
  }
  ana.proxy.cut();
  await scene.say(ana.page, "Queued tomorrow");
  await scene.say(bo.page, "Sent yesterday, and first");
  await isDelivered(bo.page, "Sent yesterday, and first");
  await plugIn(ana);
  await scene.endsWell();
  const texts = (await shown(bo.page)).map(({ text }) => /From \w+ \d|Queued.*|Sent.*/.exec(text)?.[0]);
  expect(texts.slice(-2)).toEqual(["Sent yesterday, and first", "Queued tomorrow"]);
  await Promise.all([ana.page.reload(), bo.page.reload()]);
  await Promise.all([isLive(ana.page), isLive(bo.page)]);
  await scene.endsWell();
});

test("row 9, five tabs writing at once, and the one that sends closed in the middle: one outbox, nothing twice", async () => {
  const scene = await Scene.open(stage);
  const { ana, bo, path } = scene;
  const tabs = [ana.page];
  while (tabs.length < 5) tabs.push(await ana.tab(path));
  for (const tab of tabs) {
    await tall(tab);
    await isLive(tab);
  }
  // Each on its own, so that order between tabs is nobody's; within a tab it is the order typed.
  await Promise.all(
    tabs.map(async (tab, at) => {
      for (const line of [1, 2, 3]) await scene.enter(tab, [`Tab ${at}, line ${line}`]);
    }),
  );
  for (const [at, tab] of tabs.entries()) await isDelivered(tab, `Tab ${at}, line 3`);
  ana.proxy.swallowDown();
  await scene.say(ana.page, "Written in the tab that closes");
  await message(tabs[1]!, "Written in the tab that closes").waitFor();
  await ana.page.close();
  await scene.say(tabs[1]!, "Written in a tab that stays");
  ana.proxy.up();
  await isDelivered(tabs[1]!, "Written in a tab that stays", 30_000);
  await eventually(() => scene.inAnyOrder([...tabs.slice(1), bo.page]), 60_000).toEqual([]);
});

test("row 10, a tab that crashes: after Enter the message is on disk, before it the draft", async () => {
  const scene = await Scene.open(stage);
  const { ana, bo, path } = scene;
  await shellIsKept(ana.page);
  ana.proxy.cut();
  await scene.say(ana.page, "Entered before the crash");
  await isQueued(ana.page, "Entered before the crash");
  await composer(ana.page).fill("Not entered yet");
  // A draft is on the device at every pause in typing; the second tab tells when.
  const witness = await ana.tab(path);
  await eventually(() => composer(witness).inputValue()).toBe("Not entered yet");
  await witness.close();
  await crash(ana.page);

  const after = await ana.tab(path);
  await isQueued(after, "Entered before the crash");
  await eventually(() => composer(after).inputValue()).toBe("Not entered yet");
  await tall(after);
  ana.proxy.up();
  await scene.endsWell([after, bo.page]);
});

test("row 10, a tab that is left in the very moment of Enter: each text is queued or stands in the composer again", async () => {
  const scene = await Scene.open(stage);
  const { ana, bo } = scene;
  await shellIsKept(ana.page);
  await scene.say(ana.page, "Here before");
  await isDelivered(ana.page, "Here before");
  ana.proxy.cut();
  const texts = ["Left at once 1", "Left at once 2", "Left at once 3"];
  const loaded = ana.page.waitForEvent("load");
  await ana.page.evaluate(
    `(${enterAtOnce.toString()})(${JSON.stringify({ composer: COMPOSER_ID, texts })}).then(() => location.reload())`,
  );
  scene.wrote("Ana", texts);
  await loaded;
  await tall(ana.page);
  await message(ana.page, "Here before").waitFor();
  const queued = async (): Promise<string> => (await shown(ana.page)).map(({ text }) => text).join("\n");
  await eventually(async () => {
    const both = (await composer(ana.page).inputValue()) + (await queued());
    return texts.filter((text) => !both.includes(text));
  }).toEqual([]);
  // What stands on the screen is on its way; what came back into the composer is entered again.
  const onScreen = await queued();
  for (const text of texts.filter((text) => !onScreen.includes(text))) {
    await composer(ana.page).fill(text);
    await composer(ana.page).press("Enter");
  }
  await composer(ana.page).fill("");
  await plugIn(ana);
  await scene.endsWell([ana.page, bo.page]);
});

test("row 21, a page left and come back to, from the browser's memory or anew: nothing of it is lost", async () => {
  const scene = await Scene.open(stage);
  const { ana, bo } = scene;
  await shellIsKept(ana.page);
  ana.proxy.swallowDown();
  await scene.say(ana.page, "Sent while leaving");
  await scene.isWaiting(ana.page, "Sent while leaving");
  await ana.page.goto("about:blank");
  await scene.say(bo.page, "While Ana is elsewhere");
  ana.proxy.up();
  await ana.page.goBack();
  await isLive(ana.page);
  await tall(ana.page);
  await scene.endsWell();
});

test("row 21, a page that comes back from the browser's memory as it was left: it is live, shows what came meanwhile, and what is typed goes once", async () => {
  const scene = await Scene.open(stage, { ana: { profile: stage.rig.profile({ keepsPages: true }) } });
  const { ana, bo } = scene;
  const elsewhere = await startPortal();
  try {
    await scene.say(ana.page, "Before leaving");
    await isDelivered(ana.page, "Before leaving");
    await write(ana.page, "Half a thought");
    // A worker that takes its pages over throws those out that the browser keeps.
    await shellIsKept(ana.page);
    // Nothing of a page that is loaded anew.
    await ana.page.evaluate(() =>
      addEventListener("pageshow", ({ persisted }) => (document.body.dataset["persisted"] = String(persisted))),
    );
    await ana.page.goto(`http://127.0.0.1:${elsewhere.port}/`);
    await scene.say(bo.page, "While Ana is elsewhere");
    await isDelivered(bo.page, "While Ana is elsewhere");
    await ana.page.goBack({ waitUntil: "commit" });
    await eventually(() => comesBack(ana.page)).toBe("as it was left");
    await message(ana.page, "While Ana is elsewhere").waitFor();
    await isLive(ana.page);
    expect(await composer(ana.page).inputValue()).toBe("Half a thought");
    await composer(ana.page).press("Enter");
    scene.wrote("Ana", ["Half a thought"]);
    await scene.say(ana.page, "And the other half");
    await message(bo.page, "And the other half").waitFor();
    await scene.endsWell();
  } finally {
    await elsewhere.close();
  }
});

/** How the page in front came back: as it was left, or, where the browser loaded it anew, its reasons for that. */
function comesBack(page: Page): Promise<string> {
  return page.evaluate(() => {
    if (document.body.dataset["persisted"] === "true") return "as it was left";
    const [navigation] = performance.getEntriesByType("navigation");
    return JSON.stringify(navigation);
  });
}
