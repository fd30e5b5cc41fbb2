/** A newer build, with a later form of the database, comes over one in use: nothing is lost, and it is always said what is so. */
import { readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import {
  act,
  composer,
  editor,
  isAway,
  isDelivered,
  isLive,
  isQueued,
  message,
  say,
  write,
} from "./journeys/channel.ts";
import { acceptUpdate, fetchUpdate, setDeployments } from "./journeys/deployments.ts";
import { eventually } from "./journeys/eventually.ts";
import { inspect } from "./journeys/inspect.ts";
import { LOGIN_PAGE, plugIn, shellIsKept } from "./journeys/network.ts";
import { channelPath, lineOf } from "./journeys/rooms.ts";
import type { Desk } from "./journeys/stage.ts";
import { prepare } from "./rig/in-time.ts";
import { makeNextBuild } from "./rig/next-build.ts";
import { makeTeam, type Team } from "./rig/people.ts";

/**
 * The next version's migration: rewrites every message, as slowly as a test wants to be in its middle, and fails where
 * one wants it to. A service worker has no such wishes.
 */
const MIGRATION = `
    const wish = (name: string): string | null =>
      typeof localStorage === "undefined" ? null : localStorage.getItem(name);
    if (wish("fails") !== null) throw new Error("as wished");
    db.createObjectStore("later", { keyPath: "id" });
    const until = Date.now() + Number(wish("slowly") ?? 0);
    if (wish("slowly") !== null) localStorage.setItem("migrating", "yes");
    const meta = tx.objectStore("meta");
    const spin = (): void => {
      meta.get("leader").onsuccess = () => { if (Date.now() < until) spin(); };
    };
    spin();
`;

const { stage, folder, built, deploy } = setDeployments();
const next = join(folder, "next");

prepare(() => makeNextBuild(join(folder, "sources"), next, { migration: MIGRATION }), 300_000);
beforeEach(() => deploy(built));

const isNext = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.querySelector("meta[name=build]") !== null);

async function atDesk(team: Team, options: Parameters<typeof stage.desk>[0] = {}): Promise<Desk> {
  const ana = await stage.desk({ person: team.people[0]!, ...options });
  await ana.go(channelPath(team));
  await isLive(ana.page);
  await shellIsKept(ana.page);
  // The first worker took over while the page was there; from now on it answers.
  await ana.page.reload();
  await isLive(ana.page);
  return ana;
}

async function goOffline({ page, proxy }: Desk): Promise<void> {
  proxy.cut();
  await isAway(page);
}

const textsIn = (team: Team): Promise<string[]> => lineOf(team).texts(team.general);

/** How often the page was loaded anew. */
function loadsOf(page: Page): { readonly count: number } {
  const loads = { count: 0 };
  page.on("load", () => (loads.count += 1));
  return loads;
}

const named = (count: number): string[] => Array.from({ length: count }, (_, at) => `Queued ${at}`);

test("an update under a full outbox, accepted offline in one of two tabs, loses nothing and loads each tab once", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const ana = await atDesk(team);
  const other = await ana.tab(channelPath(team));
  await isLive(other);
  await deploy(next);
  await fetchUpdate(ana.page);
  for (const page of [ana.page, other]) await page.getByTitle("Update ready").waitFor();

  await goOffline(ana);
  for (const text of named(20)) await say(ana.page, text);
  await isQueued(ana.page, "Queued 19");
  await write(other, "Half written");
  const loads = [ana.page, other].map(loadsOf);
  await acceptUpdate(ana.page);
  for (const page of [ana.page, other]) {
    await eventually(() => isNext(page).catch(() => false), 30_000).toBe(true);
    await message(page, "Queued 19").waitFor();
    await eventually(() => composer(page).inputValue()).toBe("Half written");
  }
  await plugIn(ana);
  await isDelivered(ana.page, "Queued 19", 30_000);
  expect(await textsIn(team)).toEqual(named(20));
  expect(loads.map(({ count }) => count)).toEqual([1, 1]);
  for (const page of [ana.page, other]) {
    const scripts = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
    const own = new Set(readdirSync(join(next, "assets")));
    const assets = scripts.filter((name) => name.includes("/assets/")).map((name) => name.split("/").at(-1) ?? "");
    expect(assets.filter((name) => !own.has(name))).toEqual([]);
  }
}, 180_000);

test("a tab in the middle of something isn't reloaded: it says so, works from what it kept, and keeps what is typed", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const ana = await atDesk(team);
  await say(ana.page, "To be mended");
  await isDelivered(ana.page, "To be mended");
  const other = await ana.tab(channelPath(team));
  await isLive(other);
  await act(other, "To be mended", "Edit");
  await editor(other).fill("Half mended");
  await deploy(next);
  await fetchUpdate(ana.page);
  await acceptUpdate(ana.page);
  await eventually(() => isNext(ana.page).catch(() => false), 30_000).toBe(true);
  await isLive(ana.page, 30_000);

  const bar = other.getByRole("alert").filter({ hasText: "Causeway was updated. Reload to go on." });
  await bar.waitFor();
  expect(await isNext(other)).toBe(false);
  expect(await editor(other).inputValue()).toBe("Half mended");
  // A part of the old build that this tab hadn't loaded yet, and that no server has any more.
  await other.getByRole("button", { name: "Channel menu" }).click();
  await other.getByRole("menu").waitFor();
  await other.keyboard.press("Escape");
  await write(other, "Typed when nothing could be stored");
  await composer(other).press("Enter");
  await other.getByText("This tab can store nothing any more. Reload to go on.").waitFor();
  expect(await other.getByText("Causeway was updated").count()).toBe(1);
  await inspect(other, "updates-outdated");
  // Nor on a line that hangs, on which asking for a newer one comes to no end.
  ana.proxy.hang();
  await bar.getByRole("button", { name: "Reload" }).click();
  await eventually(() => isNext(other).catch(() => false), 75_000).toBe(true);
  await eventually(() => composer(other).inputValue()).toBe("Typed when nothing could be stored");
}, 180_000);

test("an update that waits is applied at the next start, and what was queued goes out under it", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const profile = stage.rig.profile();
  const ana = await atDesk(team, { profile });
  await deploy(next);
  await fetchUpdate(ana.page);
  await goOffline(ana);
  await say(ana.page, "Queued in the old one");
  await isQueued(ana.page, "Queued in the old one");
  await ana.close();
  const again = await stage.desk({ profile, proxy: ana.proxy });
  await again.go(channelPath(team));
  await message(again.page, "Queued in the old one").waitFor();
  expect(await isNext(again.page)).toBe(true);
  await plugIn(again);
  await isDelivered(again.page, "Queued in the old one", 30_000);
  expect(await textsIn(team)).toEqual(["Queued in the old one"]);
}, 120_000);

test("a migration that is killed in its middle starts over at the next opening, with everything as it was", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const profile = stage.rig.profile();
  const ana = await atDesk(team, { profile });
  await say(ana.page, "Delivered before");
  await isDelivered(ana.page, "Delivered before");
  await deploy(next);
  await fetchUpdate(ana.page);
  await goOffline(ana);
  await say(ana.page, "Queued before");
  await isQueued(ana.page, "Queued before");
  await ana.page.evaluate(() => localStorage.setItem("slowly", "60000"));
  await acceptUpdate(ana.page);
  await eventually(() => ana.page.evaluate(() => localStorage.getItem("migrating")).catch(() => null), 30_000).toBe(
    "yes",
  );
  await profile.kill();

  // Signed in anew: Chromium writes cookies down twice a minute only, and a killed one takes the session with it.
  const again = await stage.desk({ person: team.people[0]!, profile, proxy: ana.proxy });
  await again.context.addInitScript(() => localStorage.removeItem("slowly"));
  await again.go(channelPath(team));
  await message(again.page, "Delivered before").waitFor();
  await isQueued(again.page, "Queued before");
  expect(await isNext(again.page)).toBe(true);
  await plugIn(again);
  await isDelivered(again.page, "Queued before", 30_000);
  expect(await textsIn(team)).toEqual(["Delivered before", "Queued before"]);
}, 180_000);

test("a migration that fails changes nothing, says so, and lets one take everything away in a file", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const ana = await atDesk(team);
  await deploy(next);
  await fetchUpdate(ana.page);
  await goOffline(ana);
  await say(ana.page, "Queued before");
  await isQueued(ana.page, "Queued before");
  await ana.page.evaluate(() => localStorage.setItem("fails", "yes"));
  await acceptUpdate(ana.page);
  await ana.page.getByRole("heading", { name: /can't be brought up to date/ }).waitFor({ timeout: 30_000 });
  expect(await exported(ana.page)).toContainEqual(
    expect.objectContaining({
      kind: "op",
      op: "message.post",
      args: expect.objectContaining({ text: "Queued before" }),
    }),
  );
  await ana.page.evaluate(() => localStorage.removeItem("fails"));
  await ana.page.getByRole("button", { name: "Try again" }).click();
  await isQueued(ana.page, "Queued before");
  await plugIn(ana);
  await isDelivered(ana.page, "Queued before", 30_000);
}, 120_000);

test("a database of a newer build is left alone by an older one, which says so, and opens again with the newer", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  await deploy(next);
  const ana = await atDesk(team);
  await goOffline(ana);
  await say(ana.page, "Queued in the new one");
  await isQueued(ana.page, "Queued in the new one");
  await deploy(built);
  ana.proxy.up();
  await fetchUpdate(ana.page);
  ana.proxy.cut();
  await acceptUpdate(ana.page);
  await ana.page.getByRole("heading", { name: "A newer version of Causeway was here" }).waitFor({ timeout: 30_000 });
  const lines = await exported(ana.page);
  expect(lines.map(({ kind }) => kind)).toContain("entity");
  await deploy(next);
  ana.proxy.up();
  await ana.page.getByRole("button", { name: "Reload" }).click();
  await isDelivered(ana.page, "Queued in the new one", 60_000);
  expect(await textsIn(team)).toEqual(["Queued in the new one"]);
}, 180_000);

test("a database that another tab holds open in its older form: it says which tab to close, and goes on by itself then", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const ana = await atDesk(team);
  await say(ana.page, "Delivered before");
  await isDelivered(ana.page, "Delivered before");
  await deploy(next);
  await fetchUpdate(ana.page);
  // As a tab of a build that doesn't let go when asked.
  const holding = await ana.context.newPage();
  await holding.goto(new URL("/manifest.webmanifest", ana.proxy.url).href);
  await holding.evaluate(async () => {
    const held: IDBDatabase[] = [];
    for (const { name } of await indexedDB.databases()) {
      const request = indexedDB.open(name!);
      await new Promise((resolve) => request.addEventListener("success", resolve));
      held.push(request.result);
    }
    // Else they are collected, and closed.
    Object.assign(globalThis, { held });
  });
  await ana.page.bringToFront();
  await goOffline(ana);
  await say(ana.page, "Queued before");
  await isQueued(ana.page, "Queued before");
  await acceptUpdate(ana.page);
  await ana.page
    .getByRole("heading", { name: "Causeway is open in another tab with an older version" })
    .waitFor({ timeout: 30_000 });
  await ana.page.getByText("Reload or close that tab. This one goes on by itself then.").waitFor();
  await holding.close();
  await message(ana.page, "Delivered before").waitFor();
  await message(ana.page, "Queued before").waitFor();
  expect(await isNext(ana.page)).toBe(true);
  await plugIn(ana);
  await isDelivered(ana.page, "Queued before", 30_000);
  expect(await textsIn(team)).toEqual(["Delivered before", "Queued before"]);
}, 180_000);

test("a part of the app that is neither on the device nor on the server any more: it says what to do, and loses nothing", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const ana = await atDesk(team);
  await write(ana.page, "Half written");
  await deploy(next);
  const session = await ana.context.newCDPSession(ana.page);
  await session.send("Storage.clearDataForOrigin", { origin: ana.proxy.url, storageTypes: "cache_storage" });
  await session.send("Network.clearBrowserCache");
  await isLive(ana.page, 60_000);
  expect(await isNext(ana.page)).toBe(false);
  await ana.page.getByRole("button", { name: "Channel menu" }).click();
  const bar = ana.page.getByRole("alert").filter({ hasText: "Causeway was updated. Reload to go on." });
  await bar.waitFor({ timeout: 30_000 });
  // Writing needs nothing more of it.
  await say(ana.page, "Written without that part");
  await write(ana.page, "Half written again");
  await bar.getByRole("button", { name: "Reload" }).click();
  await eventually(() => isNext(ana.page).catch(() => false), 60_000).toBe(true);
  await eventually(() => composer(ana.page).inputValue(), 30_000).toBe("Half written again");
  await isDelivered(ana.page, "Written without that part", 30_000);
  expect(await textsIn(team)).toEqual(["Written without that part"]);
}, 180_000);

/** What the button gives one to keep, line by line. */
async function exported(page: Page): Promise<Record<string, unknown>[]> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export what is on this device" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^causeway-device-\d{4}-\d\d-\d\d\.ndjson$/);
  const text = readFileSync(await download.path(), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** A server that has some files of a build and a login page for everything else. */
async function startHalf(
  answers: (path: string) => { readonly status: number; readonly type: string; readonly body: string },
) {
  const server = createServer((request, response) => {
    const { status, type, body } = answers(new URL(request.url ?? "/", "http://half.invalid").pathname);
    response.writeHead(status, { "content-type": type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = (): Promise<unknown> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { port: (server.address() as AddressInfo).port, close };
}

const LOGIN = { status: 200, type: "text/html", body: LOGIN_PAGE };
const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

const fileOf = (pages: string, path: string) => ({
  status: 200,
  type: TYPES[extname(path)] ?? "text/html",
  body: readFileSync(join(pages, path === "/" ? "index.html" : path), "utf8"),
});

test("[AU2] a worker that is no worker, an update cut off by a portal, and a cache that was wiped leave the app whole", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const ana = await atDesk(team);
  await say(ana.page, "Before the hotel");
  await isDelivered(ana.page, "Before the hotel");
  const half: { answer: (path: string) => ReturnType<typeof fileOf> } = { answer: () => LOGIN };
  const server = await startHalf((path) => half.answer(path));
  const update = (): Promise<string> =>
    ana.page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      const isFound = await registration.update().then(
        () => true,
        () => false,
      );
      const worker = registration.installing;
      if (!isFound || worker === null) return isFound ? "none" : "failed";
      // That it begins to install may be said only now.
      while (worker.state === "parsed" || worker.state === "installing")
        await new Promise((resolve) => worker.addEventListener("statechange", resolve, { once: true }));
      return worker.state;
    });
  const opens = async (): Promise<void> => {
    await ana.page.reload();
    await message(ana.page, "Before the hotel").waitFor();
    expect(await isNext(ana.page)).toBe(false);
    expect(await ana.page.getByText("Accept our terms").count()).toBe(0);
  };
  try {
    ana.proxy.divert(server.port);
    for (const answer of [LOGIN, { ...LOGIN, status: 404 }, { status: 503, type: "text/plain", body: "" }]) {
      half.answer = () => answer;
      expect(await update()).toBe("failed");
      await opens();
    }
    // The worker and some of its files come; then the portal closes again.
    half.answer = (path) =>
      path === "/sw.js" || path.endsWith(".css") || path.endsWith(".svg") ? fileOf(next, path) : LOGIN;
    expect(await update()).toBe("redundant");
    await opens();
  } finally {
    ana.proxy.divert();
    await server.close();
  }

  const session = await ana.context.newCDPSession(ana.page);
  await session.send("Storage.clearDataForOrigin", { origin: ana.proxy.url, storageTypes: "cache_storage" });
  // All of it comes over the line again, and the worker heals itself beside it.
  await ana.page.reload({ timeout: 60_000 });
  await isLive(ana.page);
  // In whichever: the app's files aren't alone in one, and opening one that isn't there yet would make it.
  const cachedCount = async (): Promise<number> => {
    const each = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
    return Math.max(0, ...each.map(({ length }) => length));
  };
  await eventually(() => ana.page.evaluate(cachedCount), 30_000).toBeGreaterThan(
    readdirSync(join(built, "assets")).length,
  );
  ana.proxy.cut();
  await ana.page.reload();
  await message(ana.page, "Before the hotel").waitFor();
}, 180_000);
