/** A channel with a past: it opens at the newest, scrolls back without a jump, and leads to any message of it. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import {
  channelLink,
  composer,
  isDelivered,
  isLive,
  isQueued,
  message,
  messages,
  say,
  shown,
  shownIds,
} from "./journeys/channel.ts";
import { rowsOnDisk } from "./journeys/disk.ts";
import { eventually } from "./journeys/eventually.ts";
import { shellIsKept } from "./journeys/network.ts";
import { channelPath, lineOf } from "./journeys/rooms.ts";
import { setStage } from "./journeys/stage.ts";
import { SCREENS } from "./rig/browser.ts";
import { prepare } from "./rig/in-time.ts";
import { makeTeam, type Team } from "./rig/people.ts";

const stage = setStage();

const COUNT = 1_500;
const WRITERS = 10;
/** What happens in half of all openings happens in one of these. */
const OPENINGS = 8;
/** It is a race against the newest, which may be shown before one is led away. */
const LINKS = 4;
/** Longer than a movement after a measuring counts as its consequence. */
const LATE_MS = 600;
const WORDS =
  "the crane is up and waits for concrete from the north pier where nobody has seen a truck since nine ".split(" ");

let team: Team;

/** Of many lengths, so that no row is like the next. */
function lineAt(at: number): string {
  const words = Array.from({ length: 1 + ((at * 7) % 60) }, (_, word) => WORDS[(at + word) % WORDS.length]);
  return `Line ${at}. ${words.join(" ")}${at % 11 === 0 ? "\n\n- one\n- two\n- **three**" : ""}`;
}

prepare(async () => {
  const [first, ...others] = Array.from({ length: WRITERS }, (_, at) => `Writer ${at}`);
  team = await makeTeam(stage.app.url, [first!, ...others]);
  // Ten write at once, each within the rate of one; the room puts them in an order.
  const share = COUNT / WRITERS;
  await Promise.all(
    team.people.map((_, who) =>
      lineOf(team, who).post(
        team.general,
        Array.from({ length: share }, (_, at) => lineAt(at * WRITERS + who)),
      ),
    ),
  );
});

test("it opens at the newest message, and fetches what is older while one scrolls up, without a jump", async () => {
  const truth = await lineOf(team).history(team.general);
  const ana = await stage.desk({ person: team.people[0]! });
  await ana.go(channelPath(team));
  await isLive(ana.page);
  await eventually(async () => (await shown(ana.page)).at(-1)?.id).toBe(truth.at(-1)!.id);
  await eventually(() => fromBottom(ana.page)).toBeLessThan(2);

  let oldest = Number.POSITIVE_INFINITY;
  while (oldest > truth.length - 300) {
    expect(await jumpWhileScrollingUp(ana.page), `at place ${oldest}`).toBeLessThanOrEqual(2);
    oldest = (await shown(ana.page))[0]!.seq!;
  }
  const places = (await shown(ana.page)).map(({ seq }) => seq!);
  expect(places).toEqual(places.map((_, at) => places[0]! + at));

  await ana.page.getByRole("button", { name: "Latest" }).click();
  await eventually(() => fromBottom(ana.page)).toBeLessThan(2);
  await eventually(async () => (await shown(ana.page)).at(-1)?.id).toBe(truth.at(-1)!.id);
});

test("the first turn of the wheel after opening counts whole, also while rows are still being measured", async () => {
  const ana = await stage.desk({ person: team.people[0]! });
  for (let opening = 1; opening <= OPENINGS; opening += 1) {
    await ana.go(channelPath(team));
    await messages(ana.page).first().waitFor();
    await eventually(() => fromBottom(ana.page)).toBeLessThan(2);
    // Lists that change from text into lists change their height, too.
    await eventually(() => message(ana.page, "- one").count()).toBe(0);
    expect(await jumpWhileScrollingUp(ana.page), `opening ${opening}`).toBeLessThanOrEqual(2);
    expect(await fromBottom(ana.page), `opening ${opening}`).toBeGreaterThan(WHEEL_PX - 50);
  }
});

test("who stands at the newest stays there, however late a slow machine measures what came in the meantime", async () => {
  const ana = await stage.desk({ person: team.people[0]! });
  // Rows are measured, and heard to be, long after the list has moved.
  await ana.context.addInitScript((lateMs) => {
    const Real = ResizeObserver;
    globalThis.ResizeObserver = class Late extends Real {
      constructor(callback: ResizeObserverCallback) {
        super((entries, observer) => setTimeout(() => callback(entries, observer), lateMs));
      }
    };
  }, LATE_MS);
  await ana.go(channelPath(team));
  await isLive(ana.page);
  await eventually(() => fromBottom(ana.page)).toBeLessThan(2);
  for (let at = 0; at < 5; at += 1) {
    await lineOf(team, 1).post(team.general, [`Tall ${at}\n\n${"- one of many lines\n".repeat(12)}`]);
    await say(ana.page, `Mine ${at}`);
    await isDelivered(ana.page, `Mine ${at}`);
    await lineOf(team, 2).post(team.general, [`Tall too ${at}\n\n${"- one of many lines\n".repeat(20)}`]);
    await message(ana.page, `Tall too ${at}`).waitFor();
    await eventually(() => fromBottom(ana.page)).toBeLessThan(2);
  }
});

test("what arrives while one reads further up moves nothing, is counted, and one press leads to it", async () => {
  const [reader, writer] = await Promise.all([0, 1].map((at) => stage.desk({ person: team.people[at]! })));
  await Promise.all([reader!.go(channelPath(team)), writer!.go(channelPath(team))]);
  await Promise.all([isLive(reader!.page), isLive(writer!.page)]);
  const { page } = reader!;
  await eventually(() => fromBottom(page)).toBeLessThan(2);
  for (let step = 0; step < 6; step += 1) await jumpWhileScrollingUp(page);
  expect(await fromBottom(page)).toBeGreaterThan(1_000);
  const before = await spotAt(page, 0.5);
  await say(writer!.page, "News at the end 1");
  await say(writer!.page, "News at the end 2");
  await isDelivered(writer!.page, "News at the end 2");
  await page.getByRole("button", { name: "2 new" }).waitFor();
  const after = await spotAt(page, 0.5);
  expect(after.id).toBe(before.id);
  expect(Math.abs(after.top - before.top)).toBeLessThanOrEqual(2);
  await page.getByRole("button", { name: "2 new" }).click();
  await message(page, "News at the end 2").waitFor();
  await eventually(() => fromBottom(page)).toBeLessThan(2);
});

test("a link to a message from long ago opens there, marked, with its surroundings, and leads back to the present", async () => {
  const truth = await lineOf(team).history(team.general);
  const target = truth[300]!;
  const ana = await stage.desk({ person: team.people[2]! });
  await ana.go(`${channelPath(team)}/${target.id}`);
  const article = ana.page.locator(`article[data-message-id="${target.id}"]`);
  // It is named by its id alone: the older history has to come first.
  await article.waitFor({ timeout: 45_000 });
  await eventually(async () => {
    const box = await article.boundingBox();
    return box !== null && box.y > 0 && box.y < 700;
  }).toBe(true);
  await eventually(() => shownIds(ana.page)).toEqual(
    expect.arrayContaining([truth[299]!.id, target.id, truth[301]!.id]),
  );
  // What was shown on the way there, nobody asked for.
  expect(await channelLink(ana.page, "general").getAttribute("aria-describedby")).not.toBeNull();
  await say(ana.page, "Back to the present");
  await message(ana.page, "Back to the present").waitFor();
  await isDelivered(ana.page, "Back to the present");
  await eventually(() => fromBottom(ana.page)).toBeLessThan(2);
});

test("[OP17] a link or a search result from before what is unread leaves that unread", async () => {
  const target = (await lineOf(team).history(team.general)).find(
    (each) => !each.deleted && each.text === lineAt(COUNT - 70),
  )!;
  const ana = await stage.desk({ person: team.people[5]! });
  const { page } = ana;
  await ana.go(channelPath(team));
  await isLive(page);
  await eventually(async () => (await rowsOnDisk(page, "messages")).length, 60_000).toBeGreaterThan(300);
  await ana.go(`/w/${team.workspace.slug}/search?q="line ${COUNT - 70}"`);
  await lineOf(team, 1).post(team.general, ["Nobody has read this", "Nor this"]);
  const described = (): Promise<string | null> => channelLink(page, "general").getAttribute("aria-describedby");
  await eventually(described).not.toBeNull();
  const leadsThere = async (): Promise<void> => {
    const article = page.locator(`article[data-message-id="${target.id}"]`);
    await article.waitFor();
    await isLive(page);
    await eventually(() => article.evaluate((each) => each.getBoundingClientRect().top)).toBeLessThan(600);
    expect(await described()).not.toBeNull();
  };
  for (let time = 0; time < LINKS; time += 1) {
    await page.getByRole("list", { name: "Search results" }).getByRole("link").click();
    await leadsThere();
    await page.goBack();
  }
  await ana.go(`${channelPath(team)}/${target.id}`);
  await leadsThere();
  await page.getByRole("button", { name: "Latest" }).click();
  await message(page, "Nor this").waitFor();
  await eventually(described).toBeNull();
  // On a phone the panel that leads there covers what comes meanwhile, until that very moment.
  await lineOf(team, 1).inChannel(team.general, { op: "message.pin", args: { id: target.id, on: true } });
  await page.setViewportSize(SCREENS.phone);
  await page.getByRole("button", { name: "Channel menu" }).click();
  await page.getByRole("menuitem", { name: "Pinned messages" }).click();
  await page.getByRole("button", { name: "Go to message" }).waitFor();
  await lineOf(team, 1).post(team.general, ["Behind the pins"]);
  await eventually(() => page.title()).toContain("•");
  await page.getByRole("button", { name: "Go to message" }).click();
  await page.locator(`article[data-message-id="${target.id}"]`).waitFor();
  await page.setViewportSize(SCREENS.desktop);
  await leadsThere();
});

// What was read is three pages from there, or comes with the first page above.
test.each([
  [120, 6],
  [45, 7],
])(
  "a link to what lies behind %i unread ones leaves those unread, and the mention among them counted, until one has gone to the newest",
  async (above, who) => {
    const reader = team.people[who]!;
    const ana = await stage.desk({ person: reader });
    const { page } = ana;
    await ana.go(channelPath(team));
    await isLive(page);
    const described = (): Promise<string | null> => channelLink(page, "general").getAttribute("aria-describedby");
    await eventually(described).toBeNull();
    await ana.go(`/w/${team.workspace.slug}/search`);
    const me = (await reader.me()).user.id;
    const named = { id: uuidv7(), text: `<@${me}> please sign this`, mentions: [me] };
    await lineOf(team, 1).inChannel(team.general, { op: "message.post", args: named });
    const chatter = (name: string, length: number): string[] => Array.from({ length }, (_, at) => `${name} ${at}`);
    for (let left = above; left > 0; left -= 40) {
      await lineOf(team, 1).post(team.general, chatter("before", Math.min(left, 40)));
    }
    const needle = `The needle behind ${above}`;
    const posted = await lineOf(team, 1).post(team.general, [needle, ...chatter("behind", 40)]);
    await eventually(() => page.title()).toContain("(1)");
    // Where the needle is the newest that the device has, one is led to the newest, and all above it counts as read.
    await eventually(async () => JSON.stringify(await rowsOnDisk(page, "messages"))).toContain(posted.at(-1)!);
    await ana.go(`${channelPath(team)}/${posted[0]}`);
    await message(page, needle).waitFor();
    await isLive(page);
    await page.mouse.move(600, 300);
    await page.mouse.wheel(0, 200);
    // As long as a read position takes to be told.
    await sleep(LATE_MS * 2);
    expect(await page.title()).toContain("(1)");
    expect(await described()).not.toBeNull();
    // Whether they count as new to one who has been led there goes by what this device had heard of at that moment.
    await page.getByRole("button", { name: /^(Latest|\d+ new)$/ }).click();
    await message(page, "behind 39").last().waitFor();
    await eventually(described).toBeNull();
    expect(await page.title()).not.toContain("(1)");
  },
);

test("a link leads there, and one reads on from it, also while something of one's own waits at the end", async () => {
  const truth = await lineOf(team).history(team.general);
  const target = truth.at(-70)!;
  const ana = await stage.desk({ person: team.people[4]! });
  const { page } = ana;
  await ana.go(channelPath(team));
  await isLive(page);
  await shellIsKept(page);
  await eventually(async () => (await rowsOnDisk(page, "messages")).length, 60_000).toBeGreaterThan(300);
  ana.proxy.cut();
  await say(page, "Waits while I look");
  await isQueued(page, "Waits while I look");
  await ana.go(`${channelPath(team)}/${target.id}`);
  await page.locator(`article[data-message-id="${target.id}"]`).waitFor();
  await page.mouse.move(640, 300);
  const passed = new Set<number | null>();
  const isAtEnd = async (): Promise<boolean> =>
    (await message(page, "Waits while I look").count()) > 0 && (await fromBottom(page)) < 2;
  for (let isThere = false; !isThere; isThere = await isAtEnd()) {
    for (const { seq } of await shown(page)) passed.add(seq);
    await page.mouse.wheel(0, 400);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  for (const { seq } of await shown(page)) passed.add(seq);
  expect(truth.slice(-70).filter(({ seq }) => !passed.has(seq))).toEqual([]);
});

test("history that was scrolled to is on the device afterwards", async () => {
  const ana = await stage.desk({ person: team.people[3]! });
  await ana.go(channelPath(team));
  await isLive(ana.page);
  await shellIsKept(ana.page);
  let oldest = Number.POSITIVE_INFINITY;
  while (oldest > COUNT - 250) {
    await scrollUp(ana.page);
    oldest = (await shown(ana.page))[0]!.seq!;
  }
  ana.proxy.cut();
  await ana.page.reload();
  await messages(ana.page).first().waitFor();
  await composer(ana.page).waitFor();
  await eventually(async () => {
    await scrollUp(ana.page);
    return (await shown(ana.page))[0]!.seq!;
  }, 30_000).toBeLessThanOrEqual(COUNT - 200);
});

/** How far the timeline is from its end; px. */
function fromBottom(page: Page): Promise<number> {
  return page.getByRole("log").evaluate((log) => log.scrollHeight - log.clientHeight - log.scrollTop);
}

interface Spot {
  readonly id: string;
  readonly top: number;
}

/** The message at this share of the timeline's height, or the next one where there is a gap. */
function spotAt(page: Page, share: number): Promise<Spot> {
  return page.evaluate((share) => {
    const log = document.querySelector("[role=log]")!.getBoundingClientRect();
    const at = log.top + log.height * share;
    const articles = [...document.querySelectorAll<HTMLElement>("[role=log] article")];
    const article = articles.find((one) => one.getBoundingClientRect().bottom > at);
    return { id: article?.dataset["messageId"] ?? "", top: article?.getBoundingClientRect().top ?? Number.NaN };
  }, share);
}

const BEGINS_WITHIN_MS = 15_000;
const WHEEL_PX = 350;
const FAR_PX = 2_000;

/** Far, and until everything has come to rest; where to is not looked at. */
async function scrollUp(page: Page): Promise<void> {
  await jumpWhileScrollingUp(page, FAR_PX);
}

/**
 * Turns the wheel once and lets everything come to rest, history that loads on the way included. A message that was
 * on screen must have moved exactly as far as the wheel; answers by how much it didn't.
 */
async function jumpWhileScrollingUp(page: Page, wheel = WHEEL_PX): Promise<number> {
  await page.getByRole("log").hover();
  const before = await spotAt(page, 0.1);
  const from = await page.getByRole("log").evaluate((log) => log.scrollTop);
  await page.mouse.wheel(0, -wheel);
  return page.evaluate(
    async ({ before, from, wheel, beginsWithinMs }) => {
      const log = document.querySelector("[role=log]")!;
      // The wheel was told to the browser, which may take its time: a list that never moves is judged in the end.
      const hasBegun = (): boolean => from === 0 || log.scrollTop !== from;
      const deadline = performance.now() + beginsWithinMs;
      while (!hasBegun() && performance.now() < deadline)
        await new Promise((resolve) => requestAnimationFrame(resolve));
      const article = (): Element | null => log.querySelector(`article[data-message-id="${before.id}"]`);
      const top = (): number => article()?.getBoundingClientRect().top ?? Number.NaN;
      // At rest: nothing moved, came or went for so many frames.
      for (let still = 0, last = ""; still < 8;) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        const now = `${top()} ${log.scrollHeight} ${log.querySelectorAll("article").length}`;
        still = now === last ? still + 1 : 0;
        last = now;
      }
      // There may be none to look at; and at the very top the wheel has nowhere to go.
      if (before.id === "" || log.scrollTop === 0) return 0;
      return Math.abs(top() - before.top - wheel);
    },
    { before, from, wheel, beginsWithinMs: BEGINS_WITHIN_MS },
  );
}
