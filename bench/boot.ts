/**
 * `npm run bench:boot`: from navigation to readable history and a usable composer, in real Chromium. A browser that
 * has just been started, with no network, against a reload in one that runs and is online; on the same profile, in
 * turns. The ratio of the medians is the figure; the milliseconds are this machine's.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { launchApp } from "../e2e/rig/app.ts";
import { type Profile, startBrowser } from "../e2e/rig/browser.ts";
import { makeTeam } from "../e2e/rig/people.ts";
import { type Proxy, startProxy } from "../e2e/rig/proxy.ts";
import { makeSnapshot } from "../e2e/rig/snapshot.ts";
import { channelPath, Line } from "../e2e/journeys/rooms.ts";
import { readLines } from "../scripts/simulate/lines.ts";
import { inRoot } from "../scripts/paths.ts";
import { median, table, withUndo } from "./report.ts";

const ROUNDS = 7;
const MESSAGES = 600;
const MAX_RATIO = 1.5;
const WITHIN_MS = 30_000;

/** Milliseconds from the start of the navigation. */
interface Opening {
  readonly history: number;
  readonly composer: number;
}

const isKept = await withUndo(async (undo) => {
  const folder = mkdtempSync(join(tmpdir(), "causeway-bench-"));
  undo(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const app = await launchApp(await makeSnapshot(folder));
  undo(() => app.stop());
  const team = await makeTeam(app.url, ["Mara", "Jonas"]);
  const texts = (await readLines(inRoot("scripts", "simulate", "lines.ndjson"), MESSAGES)).map(({ text }) => text);
  await fill(team, texts);

  const proxy = await startProxy(app.port);
  undo(() => proxy.close());
  const rig = await startBrowser();
  undo(() => rig.close());
  const profile = rig.profile();
  const url = new URL(channelPath(team), proxy.url).href;
  await firstVisit(profile, url, async (page) => team.people[0]?.signInto(page.context(), proxy.url));

  const offlineCold: Opening[] = [];
  const onlineCold: Opening[] = [];
  const onlineWarm: Opening[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    offlineCold.push(await openOffline(profile, proxy, url));
    const online = await openOnline(profile, url);
    onlineCold.push(online.cold);
    onlineWarm.push(online.warm);
  }
  const rows = [
    ["offline, browser just started", offlineCold],
    ["online, browser just started", onlineCold],
    ["online, reload", onlineWarm],
  ] as const;
  table(
    [`median of ${ROUNDS} rounds, ms`, "history", "composer"],
    rows.map(([name, openings]) => [name, medianOf(openings, "history"), medianOf(openings, "composer")]),
  );
  const ratio = median(offlineCold.map(({ history }) => history)) / median(onlineWarm.map(({ history }) => history));
  console.log(
    `Offline cold open to readable history: ${ratio.toFixed(2)} x the online warm open (at most ${MAX_RATIO})`,
  );
  return ratio <= MAX_RATIO;
});
process.exit(isKept ? 0 : 1);

async function fill(team: Awaited<ReturnType<typeof makeTeam>>, texts: readonly string[]): Promise<void> {
  const lines = team.people.map((person) => new Line(person, team.workspace.id));
  for (let from = 0; from < texts.length; from += 20) {
    await lines[(from / 20) % lines.length]?.post(team.general, texts.slice(from, from + 20));
  }
}

/** Once with the network, until the shell and the whole history are on the device. */
async function firstVisit(profile: Profile, url: string, signIn: (page: Page) => Promise<void>): Promise<void> {
  const { context, page } = await profile.open();
  await signIn(page);
  await page.goto(url);
  await page.waitForSelector("[role=log] article", { timeout: WITHIN_MS });
  await page.waitForSelector('[role=status][data-state="live"]', { timeout: WITHIN_MS });
  await page.evaluate(() => navigator.serviceWorker.ready.then(({ active }) => active?.state));
  await context.close();
}

async function openOffline(profile: Profile, proxy: Proxy, url: string): Promise<Opening> {
  proxy.cut();
  const { context, page } = await profile.open();
  const opening = await timed(page, () => page.goto(url, { waitUntil: "commit" }));
  await context.close();
  proxy.up();
  return opening;
}

async function openOnline(profile: Profile, url: string): Promise<{ readonly cold: Opening; readonly warm: Opening }> {
  const { context, page } = await profile.open();
  const cold = await timed(page, () => page.goto(url, { waitUntil: "commit" }));
  await page.waitForSelector('[role=status][data-state="live"]', { timeout: WITHIN_MS });
  const warm = await timed(page, () => page.reload({ waitUntil: "commit" }));
  await context.close();
  return { cold, warm };
}

/** The page itself looks, every frame, and takes the time when what it found has been painted. */
async function timed(page: Page, navigate: () => Promise<unknown>): Promise<Opening> {
  await page.addInitScript(() => {
    const seen: { history?: number; composer?: number } = {};
    const look = (): void => {
      if (document.querySelector("[role=log] article")) seen.history ??= performance.now();
      if (document.querySelector("[role=textbox], textarea")) seen.composer ??= performance.now();
      if (seen.history === undefined || seen.composer === undefined) requestAnimationFrame(look);
      else requestAnimationFrame(() => (document.documentElement.dataset["opening"] = JSON.stringify(seen)));
    };
    requestAnimationFrame(look);
  });
  await navigate();
  await page.waitForSelector("html[data-opening]", { state: "attached", timeout: WITHIN_MS });
  return JSON.parse((await page.getAttribute("html", "data-opening")) ?? "") as Opening;
}

function medianOf(openings: readonly Opening[], what: keyof Opening): string {
  return median(openings.map((opening) => opening[what])).toFixed(0);
}
