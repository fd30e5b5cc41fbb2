/**
 * The build of an earlier commit in use, with things queued, when this one is deployed: nothing is lost or doubled,
 * whether it is accepted, comes with the next start, or meets an old tab that goes on. By `npm run update-from`, which
 * says where the earlier build is.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { composer, message, say, write } from "../journeys/channel.ts";
import { rowsOnDisk } from "../journeys/disk.ts";
import { acceptUpdate, fetchUpdate, setDeployments } from "../journeys/deployments.ts";
import { eventually } from "../journeys/eventually.ts";
import { plugIn, shellIsKept } from "../journeys/network.ts";
import { channelPath, lineOf } from "../journeys/rooms.ts";
import type { Desk } from "../journeys/stage.ts";
import type { Profile } from "../rig/browser.ts";
import { makeTeam, type Team } from "../rig/people.ts";

const SETTLED_WITHIN_MS = 60_000;

const earlier = process.env["EARLIER_PAGES"];
if (earlier === undefined) throw new Error("Run it by npm run update-from -- <commit>");
const { stage, built, deploy } = setDeployments();

/** The script that a build's page begins with. */
const scriptOf = (pages: string): string =>
  /assets\/index-[^"]+\.js/.exec(readFileSync(join(pages, "index.html"), "utf8"))?.[0] ?? "";
const isCurrent = (page: Page): Promise<boolean> =>
  page.evaluate((script) => [...document.scripts].some(({ src }) => src.endsWith(script)), scriptOf(built));

/** Said in the same words by all builds; where it stands on the page has changed. */
const isLive = (page: Page): Promise<unknown> =>
  eventually(() => page.getByRole("status").allInnerTexts(), SETTLED_WITHIN_MS).toContain("Live");

const named = (what: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${what} ${at}`);
const BEFORE = named("Before", 3);
const QUEUED = named("Queued", 20);
const FROM_BO = "While Ana was away";

let team: Team;
let ana: Desk;
let profile: Profile;
const texts = (): Promise<string[]> => lineOf(team).texts(team.general);

beforeEach(async () => {
  await deploy(earlier);
  team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  profile = stage.rig.profile();
  ana = await stage.desk({ person: team.people[0]!, profile });
  await ana.go(channelPath(team));
  await composer(ana.page).waitFor();
  await shellIsKept(ana.page);
  // The first worker took over while the page was there; from now on it answers.
  await ana.page.reload();
  await isLive(ana.page);
  for (const text of BEFORE) await say(ana.page, text);
  await eventually(texts).toEqual(BEFORE);
  expect(await isCurrent(ana.page)).toBe(false);
});

/** Cut off, she writes, and half writes; Bo writes meanwhile. */
async function queue(): Promise<void> {
  ana.proxy.cut();
  for (const text of QUEUED) await say(ana.page, text);
  await message(ana.page, QUEUED.at(-1)!).waitFor();
  await write(ana.page, "Half written");
  // Earlier builds store what is typed a moment later, and know of no other place for it.
  await eventually(() => rowsOnDisk(ana.page, "outbox").then(JSON.stringify)).toContain("Half written");
  await lineOf(team, 1).post(team.general, [FROM_BO]);
}

/** All of it is shown by this build. */
async function isUpdated(page: Page): Promise<void> {
  await eventually(() => isCurrent(page).catch(() => false), SETTLED_WITHIN_MS).toBe(true);
  await message(page, QUEUED.at(-1)!).waitFor();
  await eventually(() => composer(page).inputValue()).toBe("Half written");
}

/** All of it is in the room, once and in order, and one goes on from there. */
async function isThrough(page: Page): Promise<void> {
  await isLive(page);
  const all = [...BEFORE, FROM_BO, ...QUEUED];
  await eventually(texts, SETTLED_WITHIN_MS).toEqual(all);
  for (const text of all.slice(-QUEUED.length - 1)) await message(page, text).first().waitFor();
  await lineOf(team, 1).post(team.general, ["Welcome back"]);
  await message(page, "Welcome back").waitFor();
  await composer(page).press("Enter");
  await eventually(texts, SETTLED_WITHIN_MS).toEqual([...all, "Welcome back", "Half written"]);
}

test("accepted without a network, it shows what was queued, and sends it once", async () => {
  await deploy(built);
  await isLive(ana.page);
  await fetchUpdate(ana.page);
  await queue();
  await acceptUpdate(ana.page);
  await isUpdated(ana.page);
  expect(await texts()).toEqual([...BEFORE, FROM_BO]);
  await plugIn(ana);
  await isThrough(ana.page);
});

test("started without a network, it shows what was queued, and sends it once", async () => {
  await deploy(built);
  await isLive(ana.page);
  await fetchUpdate(ana.page);
  await queue();
  await ana.close();
  const again = await stage.desk({ profile, proxy: ana.proxy });
  await again.go(channelPath(team));
  await isUpdated(again.page);
  expect(await texts()).toEqual([...BEFORE, FROM_BO]);
  await plugIn(again);
  await isThrough(again.page);
});

test("a tab of the earlier build goes on with the rooms of this one, until the update is accepted", async () => {
  await queue();
  await deploy(built);
  await plugIn(ana);
  await eventually(texts, SETTLED_WITHIN_MS).toEqual([...BEFORE, FROM_BO, ...QUEUED]);
  await message(ana.page, FROM_BO).waitFor();
  await fetchUpdate(ana.page);
  await acceptUpdate(ana.page);
  await isUpdated(ana.page);
  await isThrough(ana.page);
});
