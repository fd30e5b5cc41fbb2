/**
 * `npm run bench:catch-up`: 10,000 messages were missed. How long until the newest is on screen, until all are stored and
 * until all are found, and how long the page's main thread was held up on the way; in real Chromium, in front of workerd
 * itself (wrangler's proxy halves what a room does). In turns with a plain write of as many records into IndexedDB from
 * the same page: the floor below which nothing that stores them can go. `--from <file>` takes real messages.
 */
import type { Page } from "playwright-core";
import { startBrowser, type Profile } from "../e2e/rig/browser.ts";
import type { Person } from "../e2e/rig/people.ts";
import { channelPath } from "../e2e/journeys/rooms.ts";
import { withUndo } from "../scripts/undo.ts";
import { floorOf, until, watch, type Figures } from "./catch-up-page.ts";
import { median, table } from "./report.ts";
import { setStage } from "./stage.ts";

const MISSED = 10_000;
/** Devices that were away, one after the other. */
const ROUNDS = 3;
const NEWEST = "The newest of all";
const NEWEST_MAX_MS = 1_000;
const STORED_MAX_MS = 4_000;
const BLOCKED_MAX_MS = 200;
const WITHIN_MS = 120_000;

const isKept = await withUndo(async (undo) => {
  const { team, fill, texts, ...stage } = await setStage(undo, MISSED);
  await fill(["Before"]);

  const rig = await startBrowser();
  undo(() => rig.close());
  const url = new URL(channelPath(team), stage.url).href;
  const profiles = Array.from({ length: ROUNDS }, () => rig.profile());
  for (const profile of profiles) await firstVisit(profile, team.people[0]!, url);

  await fill(texts);
  await fill([NEWEST]);

  const rounds: (Figures & { readonly floor: number })[] = [];
  for (const profile of profiles) {
    const { context, page } = await profile.open();
    await page.goto(new URL("/icons/icon.svg", url).href);
    const floor = await page.evaluate(floorOf, texts);
    rounds.push({ ...(await caughtUp(page, url)), floor });
    await context.close();
  }

  const typical = (what: keyof Figures | "floor"): number => median(rounds.map((round) => round[what]));
  const row = (title: string, what: keyof Figures | "floor", most: string): string[] => [
    title,
    typical(what).toFixed(0),
    Math.max(...rounds.map((round) => round[what])).toFixed(0),
    most,
  ];
  table(
    [`${MISSED} missed, ms`, `median of ${ROUNDS}`, "worst", "at most"],
    [
      row("newest on screen", "newest", String(NEWEST_MAX_MS)),
      row("all stored", "stored", String(STORED_MAX_MS)),
      row("all of them searched", "searched", String(STORED_MAX_MS)),
      row("main thread blocked, in all", "blocked", String(BLOCKED_MAX_MS)),
      row("as many records written plainly", "floor", ""),
    ],
  );
  console.log(`All stored: ${(typical("stored") / typical("floor")).toFixed(1)} x a plain write of as many records`);
  return (
    typical("newest") <= NEWEST_MAX_MS && typical("searched") <= STORED_MAX_MS && typical("blocked") <= BLOCKED_MAX_MS
  );
});
process.exit(isKept ? 0 : 1);

/** Once with the network, until shell and directory are on the device. */
async function firstVisit(profile: Profile, person: Person, url: string): Promise<void> {
  const { context, page } = await profile.open();
  await person.signInto(context);
  await page.goto(url);
  await page.waitForSelector('[role=status][data-state="live"]', { timeout: WITHIN_MS });
  await page.evaluate(() => navigator.serviceWorker.ready.then(({ active }) => active?.state));
  await context.close();
}

/** From the start of the navigation; the page looks by itself. */
async function caughtUp(page: Page, url: string): Promise<Figures> {
  await page.addInitScript(watch, NEWEST);
  await page.goto(url, { waitUntil: "commit" });
  return page.evaluate(until, { missed: MISSED, withinMs: WITHIN_MS });
}
