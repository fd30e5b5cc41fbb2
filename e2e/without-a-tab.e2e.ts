/** What was written offline is delivered by the service worker when no tab is open: once, in order, whatever fails. */
import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { expect, test } from "vitest";
import {
  channelLink,
  composer,
  isAway,
  isDelivered,
  isLive,
  isQueued,
  message,
  say,
  shown,
  sidebar,
  tall,
} from "./journeys/channel.ts";
import { rowsOnDisk } from "./journeys/disk.ts";
import { eventually } from "./journeys/eventually.ts";
import { plugIn, shellIsKept, startPortal } from "./journeys/network.ts";
import { channelPath, lineOf } from "./journeys/rooms.ts";
import { setStage, type Desk, type DeskOptions } from "./journeys/stage.ts";
import { makeTeam, type Team } from "./rig/people.ts";

const stage = setStage();

/** A worker that is woken starts first, and a room takes so many ops a second. */
const DELIVERED_WITHIN_MS = 60_000;

/** What people wrote in a channel, as its room holds it. */
const textsIn = (team: Team, channel = team.general): Promise<string[]> => lineOf(team).texts(channel);

/** The browser's own way of waking a worker, on demand: what a return of the network does. */
interface Waker {
  /** Resolves when the event was sent, not when the worker is done with it. */
  wake(isLast?: boolean): Promise<void>;
}

/** From a blank tab, so that none of the app's is open. */
async function wakerOf({ context, proxy }: Pick<Desk, "context" | "proxy">): Promise<Waker> {
  const blank = await context.newPage();
  const session: CDPSession = await context.newCDPSession(blank);
  const registrationId = await new Promise<string>((resolve) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const own = registrations.find(({ scopeURL, isDeleted }) => scopeURL === `${proxy.url}/` && !isDeleted);
      if (own) resolve(own.registrationId);
    });
    void session.send("ServiceWorker.enable");
  });
  return {
    async wake(lastChance = false) {
      const tag = "outbox-test";
      await session.send("ServiceWorker.dispatchSyncEvent", { origin: proxy.url, registrationId, tag, lastChance });
    },
  };
}

/** How many times this page has asked the browser to wake the worker when there is a network. */
async function tagsAsked(): Promise<number> {
  const registration: ServiceWorkerRegistration & { readonly sync?: { readonly getTags: () => Promise<string[]> } } =
    await navigator.serviceWorker.ready;
  return (await registration.sync?.getTags())?.length ?? 0;
}

/** Firefox and Safari have no Background Sync. A blank page has no workers at all. */
function withoutBackgroundSync(): void {
  if ("ServiceWorkerRegistration" in globalThis)
    delete (ServiceWorkerRegistration.prototype as { sync?: unknown }).sync;
}

interface AtDesk extends DeskOptions {
  /** Run in every page of hers before the app. */
  readonly script?: () => void;
}

/** Ana at her desk, live, with the app kept on the device. */
async function atDesk(team: Team, { script, ...options }: AtDesk = {}): Promise<Desk> {
  const ana = await stage.desk({ person: team.people[0]!, ...options });
  if (script) await ana.context.addInitScript(script);
  await ana.go(channelPath(team));
  await isLive(ana.page);
  await shellIsKept(ana.page);
  return ana;
}

async function goOffline({ page, proxy }: Desk): Promise<void> {
  proxy.cut();
  await isAway(page);
}

/** The worker has the answers, and has stored them. Where it ended in between, the browser would wake it again. */
async function isEmptied(desk: Desk, waker: Waker): Promise<void> {
  const beside = await desk.tab("/manifest.webmanifest");
  await eventually(async () => {
    await waker.wake();
    return (await rowsOnDisk(beside, "outbox")).length;
  }, DELIVERED_WITHIN_MS).toBe(0);
}

async function closeTabs(context: BrowserContext): Promise<void> {
  const own = context.pages().filter((page: Page) => page.url() !== "about:blank");
  await Promise.all(own.map((page) => page.close()));
}

test("[OP8] what was written offline goes out when no tab is open, once and in order, and stands as sent at the next opening", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const profile = stage.rig.profile();
  const ana = await atDesk(team, { profile });
  await goOffline(ana);
  for (const at of [1, 2, 3]) await say(ana.page, `In the dark ${at}`);
  await isQueued(ana.page, "In the dark 3");
  const waker = await wakerOf(ana);
  // As where several tabs accept an update and it is in charge before the last of them.
  await ana.page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no target
    active?.postMessage({ type: "SKIP_WAITING" });
  });
  await closeTabs(ana.context);

  // Woken too early it fails, and nothing is lost by it.
  await waker.wake();
  ana.proxy.up();
  await eventually(async () => {
    await waker.wake();
    return textsIn(team);
  }, DELIVERED_WITHIN_MS).toEqual(["In the dark 1", "In the dark 2", "In the dark 3"]);
  await isEmptied(ana, waker);
  await ana.close();

  ana.proxy.cut();
  const again = await stage.desk({ profile, proxy: ana.proxy });
  await again.go(channelPath(team));
  await isDelivered(again.page, "In the dark 3");
  ana.proxy.up();
  await isLive(again.page, 40_000);
  await tall(again.page);
  expect((await shown(again.page)).filter(({ text }) => text.includes("In the dark")).length).toBe(3);
});

test("[OP17] what others wrote before it is said to be missing, and is new when it comes", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const bo = lineOf(team, 1);
  const ana = await atDesk(team);
  await bo.post(team.general, ["Seen"]);
  await message(ana.page, "Seen").waitFor();
  await goOffline(ana);
  await say(ana.page, "Mine");
  await isQueued(ana.page, "Mine");
  const waker = await wakerOf(ana);
  await closeTabs(ana.context);
  await bo.post(team.general, ["Missed", "Missed too"]);
  ana.proxy.up();
  await eventually(async () => {
    await waker.wake();
    return textsIn(team);
  }, DELIVERED_WITHIN_MS).toEqual(["Seen", "Missed", "Missed too", "Mine"]);
  await isEmptied(ana, waker);

  ana.proxy.cut();
  const page = await ana.tab(channelPath(team));
  await isDelivered(page, "Mine");
  const log = page.getByRole("log");
  await eventually(() => log.innerText()).toMatch(/Seen[^]*Older messages aren't on this device yet\.[^]*Mine/);
  await page.bringToFront();
  ana.proxy.up();
  await isLive(page, 40_000);
  await eventually(() => log.innerText()).toMatch(/Seen[^]*\nNew\n[^]*Missed\n[^]*Missed too[^]*Mine/);
  expect(await log.innerText()).not.toContain("aren't on this device");
});

test("[OP8] a tab that is closed in plain sight hands over what one read last", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const phone = await stage.desk({ person: team.people[0]! });
  await phone.go(`/w/${team.workspace.slug}/outbox`);
  await isLive(phone.page);
  const marked = (): Promise<string | null> => channelLink(phone.page, "general").getAttribute("aria-describedby");
  const ana = await atDesk(team);
  const beside = await ana.tab("/manifest.webmanifest");
  const waiting = async (): Promise<number> => (await rowsOnDisk(beside, "outbox")).length;
  await ana.page.bringToFront();
  const write = async (text: string): Promise<void> => {
    await lineOf(team, 1).post(team.general, [text]);
    await message(ana.page, text).waitFor();
  };
  await write("Read, and told");
  await eventually(marked).toBeNull();
  // The next is held back for a while.
  await write("Read, and not told yet");
  await eventually(marked).not.toBeNull();
  await eventually(waiting).toBe(1);
  await ana.page.close();
  await eventually(marked, DELIVERED_WITHIN_MS).toBeNull();
});

test("[OP8] the browser wakes the worker by itself when the network is back", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const ana = await atDesk(team);
  await ana.context.setOffline(true);
  await goOffline(ana);
  await say(ana.page, "Written before the tunnel ends");
  await isQueued(ana.page, "Written before the tunnel ends");
  await eventually(() => ana.page.evaluate(tagsAsked)).toBeGreaterThan(0);
  await ana.context.newPage();
  await closeTabs(ana.context);
  ana.proxy.up();
  await ana.context.setOffline(false);
  await eventually(() => textsIn(team), DELIVERED_WITHIN_MS).toEqual(["Written before the tunnel ends"]);
});

test("in a browser without Background Sync what was written offline waits for the next start, and goes then, once and in order", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const ana = await atDesk(team, { script: withoutBackgroundSync });
  expect(await ana.page.evaluate(() => "sync" in ServiceWorkerRegistration.prototype)).toBe(false);
  await ana.context.setOffline(true);
  await goOffline(ana);
  for (const at of [1, 2, 3]) await say(ana.page, `In the dark ${at}`);
  await isQueued(ana.page, "In the dark 3");
  await ana.context.newPage();
  await closeTabs(ana.context);
  ana.proxy.up();
  await ana.context.setOffline(false);
  // Longer than a worker takes that is woken: somebody else comes, and writes.
  const bo = await stage.desk({ person: team.people[1]! });
  await bo.go(channelPath(team));
  await isLive(bo.page);
  await say(bo.page, "Meanwhile");
  await isDelivered(bo.page, "Meanwhile");
  expect(await textsIn(team)).toEqual(["Meanwhile"]);

  const tab = await ana.tab(channelPath(team));
  await isLive(tab);
  await isDelivered(tab, "In the dark 3");
  const all = ["Meanwhile", "In the dark 1", "In the dark 2", "In the dark 3"];
  await tall(tab);
  const seen = async (): Promise<string[]> =>
    (await shown(tab)).flatMap(({ text }) => all.filter((each) => text.includes(each)));
  await eventually(seen).toEqual(all);
  expect(await textsIn(team)).toEqual(all);
});

test("[OP8] a tab that opens at that moment takes over, and nothing is doubled", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const ana = await atDesk(team);
  await goOffline(ana);
  const texts = Array.from({ length: 40 }, (_, at) => `In the dark ${at}`);
  for (const text of texts) await say(ana.page, text);
  await isQueued(ana.page, "In the dark 39");
  const waker = await wakerOf(ana);
  await closeTabs(ana.context);
  ana.proxy.up();
  const [tab] = await Promise.all([ana.tab(channelPath(team)), waker.wake()]);
  await isLive(tab);
  await isDelivered(tab, "In the dark 39");
  expect(await textsIn(team)).toEqual(texts);
});

test("[OP3] [OP8] an answer that is lost on the way back is asked for again, and what it answered is done once", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const ana = await atDesk(team);
  await goOffline(ana);
  for (const at of [1, 2, 3]) await say(ana.page, `In the dark ${at}`);
  await isQueued(ana.page, "In the dark 3");
  const waker = await wakerOf(ana);
  await closeTabs(ana.context);
  // The token and the room's acceptance arrive; the answer to the batch, which is larger, doesn't.
  ana.proxy.up();
  const cut = ana.proxy.cutAfter("down", 3_000);
  await waker.wake();
  await Promise.race([cut, eventually(async () => (await textsIn(team)).length, DELIVERED_WITHIN_MS).toBe(3)]);
  ana.proxy.cut();
  ana.proxy.up();
  const tab = await ana.tab(channelPath(team));
  await isLive(tab);
  await isDelivered(tab, "In the dark 3");
  expect(await textsIn(team)).toEqual(["In the dark 1", "In the dark 2", "In the dark 3"]);
});

test("[OP8] [OP12] 200 queued ops, over several rooms and with channels made offline, arrive in order", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const ana = await atDesk(team);
  await goOffline(ana);
  const channels = ["crane", "dock"];
  for (const name of channels) {
    await sidebar(ana.page).getByRole("button", { name: "Create channel" }).click();
    await ana.page.getByRole("textbox", { name: "Channel name" }).fill(name);
    await ana.page.getByRole("dialog").getByRole("button", { name: "Create channel" }).click();
    for (let at = 0; at < 20; at++) await say(ana.page, `${name} ${at}`, name);
  }
  await channelLink(ana.page, "general").click();
  await composer(ana.page).waitFor();
  for (let at = 0; at < 158; at++) await say(ana.page, `general ${at}`);
  await isQueued(ana.page, "general 157");
  const waker = await wakerOf(ana);
  await closeTabs(ana.context);
  ana.proxy.up();
  await waker.wake();
  await eventually(async () => (await textsIn(team)).length, DELIVERED_WITHIN_MS).toBe(158);
  expect(await textsIn(team)).toEqual(Array.from({ length: 158 }, (_, at) => `general ${at}`));
  const tab = await ana.tab(channelPath(team));
  await isLive(tab);
  for (const name of channels) {
    await channelLink(tab, name).click();
    await message(tab, `${name} 19`).waitFor();
    await isDelivered(tab, `${name} 19`);
    const id = new URL(tab.url()).pathname.split("/").at(-1) ?? "";
    expect(await textsIn(team, id)).toEqual(Array.from({ length: 20 }, (_, at) => `${name} ${at}`));
  }
  // Two hundred messages are typed one by one.
}, 180_000);

test("[AU2] [AU3] a worker woken behind a captive portal, or after the session's end, sends nothing and loses nothing", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const ana = await atDesk(team);
  await goOffline(ana);
  await say(ana.page, "Keeps");
  await isQueued(ana.page, "Keeps");
  const waker = await wakerOf(ana);
  await closeTabs(ana.context);
  const portal = await startPortal();
  ana.proxy.divert(portal.port);
  await waker.wake(true);
  await eventually(() => portal.asked.length).toBeGreaterThan(0);
  ana.proxy.divert();
  await portal.close();
  const cookies = await ana.context.cookies();
  await ana.context.clearCookies();
  ana.proxy.up();
  await waker.wake(true);
  await ana.context.addCookies(cookies);
  const tab = await ana.tab(channelPath(team));
  await plugIn(ana);
  await isLive(tab);
  await isDelivered(tab, "Keeps");
  expect(await textsIn(team)).toEqual(["Keeps"]);
});
