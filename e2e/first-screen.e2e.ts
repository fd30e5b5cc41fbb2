/** What a person waits for on a new device's slow line: the composer comes first, and works alone. */
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { composer, isAway, isDelivered, isLive, message, say } from "./journeys/channel.ts";
import { rowsOnDisk } from "./journeys/disk.ts";
import { eventually } from "./journeys/eventually.ts";
import { inspect, SIZES } from "./journeys/inspect.ts";
import { plugIn } from "./journeys/network.ts";
import { channelPath } from "./journeys/rooms.ts";
import { type Desk, setStage } from "./journeys/stage.ts";
import { makeTeam } from "./rig/people.ts";

/** As the issue has it; scripts/bundle-size.ts counts the same from the build. */
const COMPOSER_MAX_BYTES = 95_000;

const stage = setStage();

/** The replica stays; the code has to be fetched again, as after a new build. */
async function forgetCode({ context, page, proxy }: Desk): Promise<void> {
  await page.goto("about:blank");
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.clearBrowserCache");
  await devtools.send("Storage.clearDataForOrigin", {
    origin: new URL(proxy.url).origin,
    storageTypes: "service_workers,cache_storage",
  });
}

/** The files that the page itself names. */
async function firstFiles(url: string, kinds = "js"): Promise<string[]> {
  const html = await (await fetch(url, { headers: { accept: "text/html" } })).text();
  return [...html.matchAll(new RegExp(`(?:src|href)="(/assets/[^"]+\\.(?:${kinds}))"`, "g"))].map(
    ([, file = ""]) => file,
  );
}

/** Holds back every script but these, until it is told to let them come. */
async function holdOthers(page: Page, named: readonly string[]): Promise<() => void> {
  const arrives = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    if (!named.includes(new URL(route.request().url()).pathname)) await arrives.promise;
    await route.continue();
  });
  return arrives.resolve;
}

/** Each part of the app but these, and the question who is here, fails once, as on a line that comes and goes. @returns those that did, and those that came */
async function failOthersOnce(page: Page, named: readonly string[]) {
  const [failed, came] = [new Set<string>(), new Set<string>()];
  await page.route(/\/assets\/[^/]+\.(?:js|css)$|\/api\/me$/, async (route) => {
    const path = new URL(route.request().url()).pathname;
    const isToFail = !named.includes(path) && !failed.has(path);
    (isToFail ? failed : came).add(path);
    await (isToFail ? route.abort("connectionreset") : route.continue());
  });
  return { failed, came };
}

async function outboxCount(page: Page): Promise<number> {
  const ops = (await rowsOnDisk(page, "outbox")) as { readonly op: string }[];
  return ops.filter(({ op }) => op === "message.post").length;
}

test("the composer needs no script but those that the page names, and they are within their budget", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const desk = await stage.desk({ person: team.people[0]! });
  await desk.go(channelPath(team));
  await isLive(desk.page);
  await say(desk.page, "Here **before**.");
  await message(desk.page, "Here before.").waitFor();
  await forgetCode(desk);

  const named = await firstFiles(new URL("/", desk.proxy.url).href);
  const letCome = await holdOthers(desk.page, named);
  await desk.go(channelPath(team));
  await composer(desk.page).waitFor();
  letCome();
  await message(desk.page, "Here before.").waitFor();
  const files = await Promise.all(named.map(async (path) => (await fetch(new URL(path, stage.app.url))).arrayBuffer()));
  const bytes = files.reduce((sum, file) => sum + gzipSync(Buffer.from(file), { level: 9 }).length, 0);
  expect(bytes).toBeLessThanOrEqual(COMPOSER_MAX_BYTES);
});

test("what is written before anything else has come is stored, and sent when it has", async () => {
  const team = await makeTeam(stage.app.url, ["Bo"]);
  const desk = await stage.desk({ person: team.people[0]! });
  const { page } = desk;
  await desk.go(channelPath(team));
  await isLive(page);
  await forgetCode(desk);

  const named = await firstFiles(new URL("/", desk.proxy.url).href);
  const letCome = await holdOthers(page, named);
  await desk.go(channelPath(team));
  await say(page, "First of all.");
  await eventually(() => outboxCount(page)).toBe(1);
  expect(await composer(page).inputValue()).toBe("");

  letCome();
  await message(page, "First of all.").and(page.locator('[data-delivery="sent"]')).waitFor();
  await eventually(() => outboxCount(page)).toBe(0);
});

test("a first visit whose script is cut off says that it is loading, and leads on by a link", async () => {
  const { url } = await stage.cable();
  const { page } = await stage.rig.open();
  const [script = ""] = await firstFiles(url);
  await page.route(`**${script}`, (route) => route.abort("connectionreset"), { times: 1 });
  await page.goto(url);
  await page.getByText("Causeway is still loading.").waitFor();
  await inspect(page, "first-visit-cut-off");
  await page.getByRole("link", { name: "reload" }).click();
  await page.getByRole("link", { name: "Create a workspace" }).waitFor();
  await eventually(() => page.getByText("Causeway is still loading.").count()).toBe(0);
});

test("where each part of the app fails to load once, and who is here to be answered, all of them come, and nobody is told of an update", async () => {
  const team = await makeTeam(stage.app.url, ["Cy"]);
  const { url } = await stage.cable();
  const { context, page, faults } = await stage.rig.open();
  await team.people[0]!.signInto(context, url);
  // Its worker would have them at once.
  await context.addInitScript(() => {
    ServiceWorkerContainer.prototype.register = () => Promise.reject(new TypeError("none"));
  });
  const { failed, came } = await failOthersOnce(page, await firstFiles(new URL("/", url).href, "js|css"));
  let loads = 0;
  page.on("domcontentloaded", () => (loads += 1));
  await page.goto(new URL(channelPath(team), url).href);
  await say(page, "Written meanwhile.");
  await message(page, "Written meanwhile.").and(page.locator('[data-delivery="sent"]')).waitFor();
  await isLive(page);
  await page.getByRole("button", { name: "Channel menu" }).click();
  await page.getByRole("menu").waitFor({ timeout: 30_000 });
  await eventually(() => [...failed].filter((path) => !came.has(path)), 30_000).toEqual([]);
  for (const part of [/account-calls.*js/, /behind.*js/, /lead-here.*js/, /engine.*js/, /css/])
    expect(
      [...came].some((path) => part.test(path) && failed.has(path)),
      String(part),
    ).toBe(true);
  expect(await page.getByText("Causeway was updated").count()).toBe(0);
  expect(loads).toBe(1);
  // Said of what didn't come, by the browser's log alone.
  expect(faults.filter((fault) => !/dynamically imported module|preload CSS|ERR_CONNECTION_RESET/.test(fault))).toEqual(
    [],
  );
  await context.close();
});

test("what can't come yet says so, and opens over nobody's words when it can", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const desk = await stage.desk({ person: team.people[0]! });
  const { context, page, proxy } = desk;
  await context.addInitScript(() => {
    ServiceWorkerContainer.prototype.register = () => Promise.reject(new TypeError("none"));
  });
  await desk.go(channelPath(team));
  await isLive(page);
  await say(page, "First of all");
  await isDelivered(page, "First of all");
  proxy.cut();
  await isAway(page);
  const notHere = page.getByText("This isn't on this device yet");
  for (const button of ["Channel menu", "Account of Ana"]) {
    await page.getByRole("button", { name: button }).click();
    await notHere.waitFor();
    await inspect(page, `not-here-${button}`, SIZES.slice(0, 1));
    await page.keyboard.press("Escape");
    await eventually(() => notHere.count()).toBe(0);
  }
  const create = page.getByRole("button", { name: "Create channel" });
  const dialog = page.getByRole("dialog", { name: "Create channel" });
  await create.click();
  await page.getByRole("alert").and(notHere).waitFor();
  await inspect(page, "not-here-dialog");
  await composer(page).pressSequentially("Written behind it, ");
  await eventually(() => notHere.count()).toBe(0);
  await plugIn(desk);
  await isLive(page);
  // Whatever still asks for it does so every five seconds.
  for (const word of ["and", "no", "dialog", "comes", "over", "it"]) {
    await page.keyboard.type(`${word} `);
    await page.waitForTimeout(1_000);
  }
  await page.keyboard.press("Enter");
  await isDelivered(page, "Written behind it, and no dialog comes over it");
  expect(await dialog.count()).toBe(0);
  await create.click();
  await dialog.waitFor();
});
