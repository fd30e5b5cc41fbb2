/**
 * `npm run bench:boot`: from navigation to readable history and a usable composer, in real Chromium: with no network
 * in a browser that has just been started, and online in one that runs; on the same profile with 100,000 messages, in
 * turns. The ratio of the medians is the figure; the milliseconds are this machine's, and beside them stands when the
 * page itself was there: until then browser and service worker start, and nothing of ours has run in the page.
 */
import { setTimeout as after } from "node:timers/promises";
import type { Page } from "playwright-core";
import { launchApp } from "../e2e/rig/app.ts";
import { type Profile, startBrowser, type Window } from "../e2e/rig/browser.ts";
import { makeTeam } from "../e2e/rig/people.ts";
import { type Proxy, startProxy } from "../e2e/rig/proxy.ts";
import { makeSnapshot } from "../e2e/rig/snapshot.ts";
import { channelPath, Line } from "../e2e/journeys/rooms.ts";
import { readLines } from "../scripts/simulate/lines.ts";
import { inRoot } from "../scripts/paths.ts";
import { scratchFolder, withUndo } from "../scripts/undo.ts";
import { median, table } from "./report.ts";

const ROUNDS = 7;
const MESSAGES = 600;
/** On the device besides. */
const STORED = 100_000;
/** Of the offline cold open to the online warm one (P4); 1.5 was asked for before. */
const MAX_RATIO = 1.2;
/** Of the offline cold open, to history and composer (P4). */
const MAX_MS = 300;
const WITHIN_MS = 30_000;
const SETTLE_MS = 1_500;

/** Milliseconds from the start of the navigation. */
interface Opening {
  /** The page, not yet what it names. */
  readonly page: number;
  readonly history: number;
  readonly composer: number;
}

interface Round {
  readonly offlineCold: Opening;
  readonly onlineCold: Opening;
  readonly onlineWarm: Opening;
  readonly onlineReload: Opening;
}

const isKept = await withUndo(async (undo) => {
  const folder = scratchFolder(undo, "bench");
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

  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({ offlineCold: await openOffline(profile, proxy, url), ...(await openOnline(profile, url)) });
  }
  const typical = (way: keyof Round, what: keyof Opening): number => median(rounds.map((round) => round[way][what]));
  const cells = (way: keyof Round): string[] => [
    typical(way, "page").toFixed(0),
    typical(way, "composer").toFixed(0),
    typical(way, "history").toFixed(0),
  ];
  table(
    [`median of ${ROUNDS} rounds, ms`, "page", "composer", "history"],
    [
      ["offline, browser just started", ...cells("offlineCold")],
      ["online, browser just started", ...cells("onlineCold")],
      ["online, new tab in a running browser", ...cells("onlineWarm")],
      ["online, reload", ...cells("onlineReload")],
    ],
  );
  const times = (way: keyof Round): number => typical("offlineCold", "history") / typical(way, "history");
  console.log(`Offline against online, both in a browser just started: ${times("onlineCold").toFixed(2)} x`);
  console.log(`Offline cold against online reload: ${times("onlineReload").toFixed(2)} x`);
  const ratio = times("onlineWarm");
  const took = Math.max(typical("offlineCold", "history"), typical("offlineCold", "composer"));
  console.log(
    `Offline cold open to readable history: ${ratio.toFixed(2)} x the online warm open (at most ${MAX_RATIO}), ` +
      `history and composer after ${took.toFixed(0)} ms (at most ${MAX_MS})`,
  );
  return ratio <= MAX_RATIO && took <= MAX_MS;
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
  await isLive(page);
  await page.evaluate(() => navigator.serviceWorker.ready.then(({ active }) => active?.state));
  await storeMore(page, STORED);
  await context.close();
}

/** As if other channels had filled the device: what is stored must not be felt by whoever opens one of them. */
async function storeMore(page: Page, count: number): Promise<void> {
  await page.evaluate(async (messages) => {
    const settled = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.addEventListener("success", () => resolve(request.result));
        request.addEventListener("error", () => reject(request.error ?? new Error("refused")));
      });
    const { name = "" } = (await indexedDB.databases()).find((known) => known.name?.startsWith("causeway/")) ?? {};
    const db = await settled(indexedDB.open(name));
    const room = "channel:elsewhere_full";
    for (let from = 1; from <= messages; from += 2_000) {
      const tx = db.transaction("messages", "readwrite", { durability: "relaxed" });
      for (let seq = from; seq < from + 2_000; seq += 1) {
        const text = `Line ${seq}: the crane is up and waits for concrete from the north pier`;
        const message = {
          kind: "message",
          id: crypto.randomUUID(),
          rev: seq,
          seq,
          author: "someone",
          createdAt: seq,
          text,
        };
        tx.objectStore("messages").put({ room, message });
      }
      await new Promise((resolve) => tx.addEventListener("complete", resolve));
    }
    db.close();
  }, count);
}

async function openOffline(profile: Profile, proxy: Proxy, url: string): Promise<Opening> {
  proxy.cut();
  const { context, page } = await startedBrowser(profile);
  const opening = await timed(page, () => page.goto(url, { waitUntil: "commit" }));
  await context.close();
  proxy.up();
  return opening;
}

async function openOnline(profile: Profile, url: string): Promise<Omit<Round, "offlineCold">> {
  const { context, page } = await startedBrowser(profile);
  const onlineCold = await timed(page, () => page.goto(url, { waitUntil: "commit" }));
  await isLive(page);
  const tab = await context.newPage();
  await page.close();
  const onlineWarm = await timed(tab, () => tab.goto(url, { waitUntil: "commit" }));
  await isLive(tab);
  const onlineReload = await timed(tab, () => tab.reload({ waitUntil: "commit" }));
  await context.close();
  return { onlineCold, onlineWarm, onlineReload };
}

/** A new process with nothing of ours in memory, done with its own start. */
async function startedBrowser(profile: Profile): Promise<Window> {
  const window = await profile.open();
  await after(SETTLE_MS);
  return window;
}

async function isLive(page: Page): Promise<void> {
  await page.waitForSelector('[role=status][data-state="live"]', { timeout: WITHIN_MS });
}

/** The page itself looks, every frame, and takes the time when what it found has been painted. */
async function timed(page: Page, navigate: () => Promise<unknown>): Promise<Opening> {
  await page.addInitScript(() => {
    const seen: { page?: number; history?: number; composer?: number } = {};
    const look = (): void => {
      const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
      seen.page = navigation?.responseEnd ?? 0;
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
