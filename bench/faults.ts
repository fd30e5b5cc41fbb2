/**
 * `npm run bench:faults`: how soon the app is itself again, and how soon it says that it isn't (R3 of the goals), in real
 * Chromium with its own patience. From the network's return to an empty outbox with 100 queued; from a dead line to
 * "offline" or "reconnecting" after the next send, focus or `online`, and with nobody doing anything; and the same where
 * the line is dead upwards only, while somebody else says something each second.
 */
import { EventEmitter, once } from "node:events";
import type { Page } from "playwright-core";
import { PONG } from "#protocol/frame.ts";
import { launchApp } from "../e2e/rig/app.ts";
import { startBrowser } from "../e2e/rig/browser.ts";
import { makeTeam } from "../e2e/rig/people.ts";
import { type Proxy, startProxy } from "../e2e/rig/proxy.ts";
import { makeSnapshot } from "../e2e/rig/snapshot.ts";
import { channelPath, lineOf } from "../e2e/journeys/rooms.ts";
import { heldAfter, typeAll } from "../scripts/faults/page.ts";
import { scratchFolder, withUndo } from "../scripts/undo.ts";
import { COMPOSER_ID } from "../web/features/composer/focus.ts";
import { median, table } from "./report.ts";

const ROUNDS = 3;
const QUEUED = 100;
const EMPTY_WITHIN_MS = 2_000;
const NOTICED_WITHIN_MS = 10_000;
const NOTICED_IDLE_WITHIN_MS = 35_000;
const GIVEN_UP_AFTER_MS = 120_000;
const POLL_MS = 20;
const TALKS_EVERY_MS = 1_000;
/** From a state to the screen that shows it, on a machine that does other things. */
const POLL_SLACK_MS = 500;

const isKept = await withUndo(async (undo) => {
  const folder = scratchFolder(undo, "bench");
  const app = await launchApp(await makeSnapshot(folder));
  undo(() => app.stop());
  const team = await makeTeam(app.url, ["Mara", "Jonas"]);
  const proxy = await startProxy(app.port);
  undo(() => proxy.close());
  const rig = await startBrowser();
  undo(() => rig.close());
  const { page, context } = await rig.open();
  await team.people[0]!.signInto(context, proxy.url);
  // The answer to a ping: from then on the line has been silent for the shortest time that an idle one can have been.
  const pongs = new EventEmitter();
  page.on("websocket", (socket) => {
    if (!socket.url().includes("/parties/workspace/")) return;
    socket.on("framereceived", ({ payload }) => payload === PONG && pongs.emit(PONG));
  });
  const heartbeat = (): Promise<unknown> => once(pongs, PONG);
  await page.goto(new URL(channelPath(team), proxy.url).href);
  await page.evaluate(whenState, "live");

  // What the same hundred take over HTTP in one go, with nothing broken: the room's own share.
  const direct: number[] = [];
  const drained: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = performance.now();
    const texts = Array.from({ length: QUEUED }, (_, at) => `Direct ${round}.${at}`);
    await lineOf(team, 1).post(team.general, texts);
    direct.push(performance.now() - begun);
    drained.push(await drain(page, proxy, round));
  }
  const noticed = {
    "the next send": await notice(page, proxy, (page) => say(page, "Into a dead line")),
    focus: await notice(page, proxy, (page) => page.evaluate(() => void dispatchEvent(new Event("focus")))),
    online: await notice(page, proxy, (page) => page.evaluate(() => void dispatchEvent(new Event("online")))),
    nothing: await notice(page, proxy, async () => undefined, heartbeat),
    "a send that isn't heard while another talks": await beside(
      () => notice(page, proxy, (page) => say(page, "Into a deaf line"), undefined, "dropUp"),
      (at) => lineOf(team, 1).post(team.general, [`Heard ${at}`]),
    ),
  };

  const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;
  table(
    ["", "median", "goal"],
    [
      [`network back to outbox empty, ${QUEUED} queued`, seconds(median(drained)), seconds(EMPTY_WITHIN_MS)],
      [`  as many times the same ${QUEUED} over HTTP`, (median(drained) / median(direct)).toFixed(2), ""],
      ...Object.entries(noticed).map(([after, ms]) => [
        `dead line to not live, after ${after}`,
        seconds(ms),
        seconds(after === "nothing" ? NOTICED_IDLE_WITHIN_MS : NOTICED_WITHIN_MS),
      ]),
    ],
  );
  const { nothing, ...prompted } = noticed;
  return (
    median(drained) <= EMPTY_WITHIN_MS &&
    Math.max(...Object.values(prompted)) <= NOTICED_WITHIN_MS + POLL_SLACK_MS &&
    nothing <= NOTICED_IDLE_WITHIN_MS + POLL_SLACK_MS
  );
});
process.exit(isKept ? 0 : 1);

/** From the cable back in, which an operating system tells the page, to the last answer stored. */
async function drain(page: Page, proxy: Proxy, round: number): Promise<number> {
  proxy.cut();
  await page.evaluate(whenNotLive);
  const texts = Array.from({ length: QUEUED }, (_, at) => `Queued ${round}.${at}`);
  const refused = await page.evaluate(typeAll, { composer: COMPOSER_ID, texts, withinMs: GIVEN_UP_AFTER_MS });
  if (refused.length > 0) throw new Error(`${refused.length} of ${QUEUED} were not taken`);
  while ((await left(page)) < QUEUED) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  proxy.up();
  const begun = performance.now();
  await page.evaluate(() => void dispatchEvent(new Event("online")));
  while ((await left(page)) > 0) {
    if (performance.now() - begun > GIVEN_UP_AFTER_MS) throw new Error("The outbox doesn't empty");
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const ms = performance.now() - begun;
  await page.evaluate(whenState, "live");
  return ms;
}

async function left(page: Page): Promise<number> {
  return (await page.evaluate(heldAfter, { room: "", after: 0 })).left.length;
}

/** From what prompts it to a state that is no longer "live". */
async function notice(
  page: Page,
  proxy: Proxy,
  prompt: (page: Page) => Promise<unknown>,
  quiet: () => Promise<unknown> = async () => undefined,
  breaks: "hang" | "dropUp" = "hang",
): Promise<number> {
  await quiet();
  proxy[breaks]();
  const begun = performance.now();
  await prompt(page);
  await page.evaluate(whenNotLive);
  const ms = performance.now() - begun;
  proxy.up();
  await page.evaluate(() => void dispatchEvent(new Event("online")));
  await page.evaluate(whenState, "live");
  return ms;
}

/** What it comes to while something else is done once a second. */
async function beside<T>(measured: () => Promise<T>, done: (at: number) => Promise<unknown>): Promise<T> {
  const measuring = { isOver: false };
  const doing = (async () => {
    for (let at = 0; !measuring.isOver; at += 1) {
      await done(at);
      await new Promise((resolve) => setTimeout(resolve, TALKS_EVERY_MS));
    }
  })();
  try {
    return await measured();
  } finally {
    measuring.isOver = true;
    await doing;
  }
}

async function say(page: Page, text: string): Promise<void> {
  await page.evaluate(typeAll, { composer: COMPOSER_ID, texts: [text], withinMs: GIVEN_UP_AFTER_MS });
}

async function whenState(wanted: string): Promise<void> {
  const state = (): string | undefined =>
    document.querySelector<HTMLElement>('[role=status][aria-label="Connection"]')?.dataset["state"];
  while (state() !== wanted) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function whenNotLive(): Promise<void> {
  const state = (): string | undefined =>
    document.querySelector<HTMLElement>('[role=status][aria-label="Connection"]')?.dataset["state"];
  while (state() === "live") await new Promise((resolve) => setTimeout(resolve, 20));
}
