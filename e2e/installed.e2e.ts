/** The app as an installed one: it can be installed, opens without a network, and changes only when one says so. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Page, Route } from "playwright-core";
import { afterAll, expect, inject, test } from "vitest";
import { account } from "./journeys/account.ts";
import { composer, isDelivered, isLive, isQueued, message, say, write } from "./journeys/channel.ts";
import { eventually } from "./journeys/eventually.ts";
import { plugIn, shellIsKept } from "./journeys/network.ts";
import { channelPath, lineOf } from "./journeys/rooms.ts";
import { type Desk, setStage } from "./journeys/stage.ts";
import { removeFolder } from "./rig/folder.ts";
import { makeTeam, type Team } from "./rig/people.ts";

// A build of its own: a second one is put over it.
const folder = mkdtempSync(join(tmpdir(), "causeway-installed-"));
const shared = inject("snapshot");
cpSync(dirname(shared.config), folder, { recursive: true });
// What is set up first is taken away last: the server that serves it is gone by then.
afterAll(() => removeFolder(folder));
const stage = setStage({}, { config: join(folder, "wrangler.toml"), state: shared.state });

/** All of the app takes seconds. */
const SLOW = { kbps: 300, ms: 20 } as const;

test("the app can be installed: worker, manifest and icons are as a browser wants them", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const ana = await stage.desk({ person: team.people[0]! });
  await ana.go(channelPath(team));
  await isLive(ana.page);
  await shellIsKept(ana.page);
  const session = await ana.context.newCDPSession(ana.page);
  const { errors, url } = await session.send("Page.getAppManifest");
  expect(errors).toEqual([]);
  expect(new URL(url).pathname).toBe("/manifest.webmanifest");
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  // A browser in a test is never in a state to install ("in-incognito"); everything else is about the app.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([]);
  const manifest = (await (await fetch(new URL("/manifest.webmanifest", stage.app.url))).json()) as {
    icons: readonly { src: string; sizes: string; type: string; purpose?: string }[];
  };
  for (const { src, type } of manifest.icons) {
    const icon = await fetch(new URL(src, stage.app.url));
    expect([src, icon.status, icon.headers.get("content-type")]).toEqual([src, 200, type]);
  }
  expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose ?? "any"}`)).toEqual(
    expect.arrayContaining(["192x192 any", "512x512 any", "512x512 maskable"]),
  );
});

/** Somebody whose page comes from the device. */
async function installed(): Promise<{ readonly team: Team; readonly ana: Desk }> {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const ana = await stage.desk({ person: team.people[0]! });
  await ana.go(channelPath(team));
  await isLive(ana.page);
  await shellIsKept(ana.page);
  await ana.page.reload();
  await isLive(ana.page);
  return { team, ana };
}

test("where the line is cut while the first worker is installed, it is asked for again, and nobody has to reload", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const desk = await stage.desk({ person: team.people[0]! });
  const { page, proxy } = desk;
  const { promise: isSlow, resolve: slowed } = Promise.withResolvers<void>();
  // With this comes what registers it: once the page has all that it needs, for what is cut off of that is reported.
  const whenSlow = async (route: Route): Promise<void> => {
    await isSlow;
    await route.continue();
  };
  await page.route("**/assets/behind-*.js", whenSlow, { times: 1 });
  await desk.go(channelPath(team));
  await isLive(page);
  // It is seen at it, however late one looks.
  proxy.slow(SLOW);
  slowed();
  const state = (): Promise<string | undefined> =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      return (registration?.installing ?? registration?.active)?.state;
    });
  await eventually(state).toBe("installing");
  proxy.cut();
  await eventually(state).toBe(undefined);
  // Nothing says so: a line that lost a part has been there all the time.
  proxy.up();
  await shellIsKept(page);
  await isLive(page);
  await say(page, "Before the ship leaves");
  await isDelivered(page, "Before the ship leaves");
  proxy.cut();
  await page.reload();
  await message(page, "Before the ship leaves").waitFor();
});

test("a new build waits until one says so, in all tabs, and what was being written is still there", async () => {
  const { team, ana } = await installed();
  const scripts = (): Promise<string[]> =>
    ana.page.evaluate(() => [...document.scripts].map(({ src }) => new URL(src).pathname));
  const before = await scripts();
  const tabs = [ana.page, await ana.tab(channelPath(team))];
  for (const tab of tabs) await tab.evaluate(() => ((globalThis as { mark?: string }).mark = "not reloaded"));
  const marks = (): Promise<string[]> =>
    Promise.all(
      tabs.map((tab) =>
        tab.evaluate(() => (globalThis as { mark?: string }).mark ?? "reloaded").catch(() => "reloading"),
      ),
    );

  await deployTo(ana.page);
  await ana.page.getByTitle("Update ready").waitFor();
  expect(await marks()).toEqual(["not reloaded", "not reloaded"]);
  await write(ana.page, "Half written during the update");
  await say(ana.page, "Sent during the update");
  await isDelivered(ana.page, "Sent during the update");
  await write(ana.page, "Half written during the update");

  await account(ana.page, "Update and reload");
  await eventually(marks, 30_000).toEqual(["reloaded", "reloaded"]);
  await isLive(ana.page);
  expect(await scripts()).not.toEqual(before);
  await message(ana.page, "Sent during the update").waitFor();
  await eventually(() => composer(ana.page).inputValue()).toBe("Half written during the update");
  ana.proxy.cut();
  await ana.page.reload();
  await message(ana.page, "Sent during the update").waitFor();
  await say(ana.page, "And it still opens offline");
  await isQueued(ana.page, "And it still opens offline");
});

test("row 13, an update taken while the outbox is full and the line is cut: no reload loop, and all of it goes, once and in order", async () => {
  const { team, ana } = await installed();
  const tabs = [ana.page, await ana.tab(channelPath(team))];
  const loads = tabs.map((tab) => {
    const seen = { count: 0 };
    tab.on("load", () => (seen.count += 1));
    return seen;
  });
  await deployTo(ana.page);
  // Its answers are swallowed: some of what is sent now is stored in the room, and nobody here knows.
  ana.proxy.swallowDown();
  const texts = Array.from({ length: 12 }, (_, at) => `Waits for the update ${at}`);
  for (const text of texts.slice(0, 6)) await say(ana.page, text);
  ana.proxy.cut();
  for (const text of texts.slice(6)) await say(ana.page, text);
  await isQueued(ana.page, texts.at(-1)!);
  await account(ana.page, "Update and reload");
  await eventually(() => loads.every(({ count }) => count > 0), 30_000).toBe(true);
  for (const tab of tabs) await message(tab, texts.at(-1)!).waitFor();
  await plugIn(ana);
  for (const tab of tabs) await isDelivered(tab, texts.at(-1)!, 45_000);
  expect(loads.map(({ count }) => count)).toEqual([1, 1]);
  expect(await lineOf(team).texts(team.general)).toEqual(texts);
});

/** Deploys another build and waits until this page's worker has it, waiting. */
async function deployTo(page: Page): Promise<void> {
  const entry = deployAnotherBuild();
  for (const path of ["/sw.js", "/", `/assets/${entry}.js`]) {
    await eventually(async () => {
      const answer = await fetch(new URL(path, stage.app.url), { headers: { accept: "*/*, text/html" } });
      return answer.ok && (path.includes(entry) || (await answer.text()).includes(entry));
    }).toBe(true);
  }
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  await eventually(
    () => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state ?? null),
    30_000,
  ).toBe("installed");
}

/**
 * Another build over the one that is served, as a deploy does it: the entry has another name, everything that names it
 * changes with it, and the page and the worker come last. Answers the entry's new name.
 */
function deployAnotherBuild(): string {
  const pages = join(folder, "pages");
  const files = readdirSync(pages, { recursive: true, encoding: "utf8" }).filter((file) => /\.(js|html)$/.test(file));
  const texts = new Map(files.map((file) => [file, readFileSync(join(pages, file), "utf8")]));
  const entry = /\/assets\/([\w-]+)\.js/.exec(texts.get("index.html") ?? "")?.[1];
  if (entry === undefined) throw new Error("index.html names no script");
  const rank = (file: string): number => ["index.html", "sw.js"].indexOf(file);
  for (const [file, text] of [...texts].sort(([a], [b]) => rank(a) - rank(b))) {
    if (!text.includes(entry) && !file.includes(entry)) continue;
    const next = text
      .replaceAll(entry, `${entry}B`)
      .replace(/("revision":"[^"]*)","url":"index\.html"/, '$1b","url":"index.html"');
    const isOther = file === "sw.js" && next === text.replaceAll(entry, `${entry}B`);
    if (isOther) throw new Error("The worker doesn't name the page as expected");
    writeFileSync(join(pages, file.replace(entry, `${entry}B`)), next);
  }
  return `${entry}B`;
}
