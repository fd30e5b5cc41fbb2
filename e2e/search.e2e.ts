/** What is on the device is found without a network: by words, filters and names, with the keyboard alone. */
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { act, composer, editor, isAway, isDelivered, isLive, isQueued, message, say } from "./journeys/channel.ts";
import { eventually } from "./journeys/eventually.ts";
import { plugIn, shellIsKept } from "./journeys/network.ts";
import { channelPath, lineOf } from "./journeys/rooms.ts";
import { setStage } from "./journeys/stage.ts";
import { makeTeam, type Team } from "./rig/people.ts";

const stage = setStage();
/** A filled workspace, a cold start and a dozen questions, on a busy machine. */
const WITHIN_MS = 180_000;
const DAY_MS = 24 * 3_600_000;

const field = (page: Page): Locator => page.getByRole("searchbox", { name: "Search" });
const results = (page: Page): Locator => page.getByRole("list", { name: "Search results" }).getByRole("listitem");
const searchPath = (team: Team): string => `/w/${team.workspace.slug}/search`;

/** Answers the texts found, first to last. */
async function found(page: Page): Promise<string[]> {
  return (await results(page).locator("a").allInnerTexts()).map((text) => text.replace(/\s+/g, " "));
}

async function finds(page: Page, typed: string, ...texts: readonly (string | RegExp)[]): Promise<void> {
  await field(page).fill(typed);
  await eventually(async () => {
    const shown = await found(page);
    const isEach = texts.every((text, at) =>
      typeof text === "string" ? shown[at]?.includes(text) : text.test(shown[at] ?? ""),
    );
    return shown.length === texts.length && isEach ? "as expected" : shown;
  }).toBe("as expected");
}

/** The code behind the keys comes when the rest is there, and nothing on the screen says when: who is too early presses again. */
async function leadsTo(page: Page, path: string, press: () => Promise<void>): Promise<void> {
  await eventually(async () => {
    await press();
    return page.evaluate(() => location.pathname);
  }).toBe(path);
}

/** As far as the device knows, all of every channel is on it. */
async function isFilled(page: Page, count: number): Promise<void> {
  await page.getByText(new RegExp(`^Searching ${count} messages? on this device, since`)).waitFor({ timeout: 30_000 });
}

test(
  "offline, after a cold start, words, phrases, names and filters find what is held, and a result leads to its place",
  { timeout: WITHIN_MS },
  async () => {
    const team = await makeTeam(stage.app.url, ["Ana Lima", "Bo"]);
    const [ana, bo] = [lineOf(team, 0), lineOf(team, 1)];
    const dayBefore = new Date(Date.now() - 2 * DAY_MS).toISOString().slice(0, 10);
    const [anaId] = await Promise.all(team.people.map(async (person) => (await person.me()).user.id));
    await bo.post(
      team.general,
      Array.from({ length: 150 }, (_, at) => `Tide table ${at}`),
    );
    const [root] = await ana.post(team.general, [
      "The crane is up",
      "Crème brûlée for the crew",
      "See https://example.org/lift-plan",
    ]);
    await bo.inChannel(
      team.general,
      { op: "message.post", args: { id: crypto.randomUUID(), text: `Thanks <@${anaId}>`, root, mentions: [anaId] } },
      { op: "message.post", args: { id: crypto.randomUUID(), text: "東京のクレーン" } },
      { op: "message.react", args: { id: root, emoji: "👍", on: true } },
    );
    const site = await ana.createChannel("site-b");
    await ana.post(site, ["Cranes everywhere"]);
    const profile = stage.rig.profile();
    const before = await stage.desk({ person: team.people[0]!, profile });
    await before.go(searchPath(team));
    await isFilled(before.page, 156);
    await shellIsKept(before.page);
    before.proxy.cut();
    await before.close();

    const { page, ...desk } = await stage.desk({ profile, proxy: before.proxy });
    await desk.go(channelPath(team));
    await message(page, "東京のクレーン").waitFor();
    await leadsTo(page, searchPath(team), async () => {
      await page.getByRole("log").click({ position: { x: 5, y: 5 } });
      await page.keyboard.press("/");
    });
    await isFilled(page, 156);
    expect(await field(page).evaluate((element) => element === document.activeElement)).toBe(true);

    await finds(page, "crane", "Cranes everywhere", "The crane is up");
    await finds(page, '"crane is"', "The crane is up");
    await finds(page, "creme BRULEE", "Crème brûlée");
    await finds(page, "クレ", "東京のクレーン");
    await finds(page, "ana lima", "Thanks @Ana Lima");
    await finds(page, "crane in:site", "Cranes everywhere");
    await finds(page, "from:bo -tide", "東京のクレーン", "Thanks");
    await finds(page, "has:link", "lift-plan");
    await finds(page, "has:reaction", "The crane is up");
    await finds(page, "is:thread", "Thanks", "The crane is up");
    await finds(page, "crane before:yesterday");
    await page.getByText("Nothing found").waitFor();
    // Not of today: a midnight may have passed since they were posted.
    await finds(page, `crane after:${dayBefore}`, "Cranes everywhere", "The crane is up");
    expect(await page.locator("mark").allInnerTexts()).toEqual(["Crane", "crane"]);

    await finds(page, "table 17", /Tide table 17/);
    // By this code alone Safari says that Enter ended a composition.
    const composed = { key: "Enter", keyCode: 229, bubbles: true, cancelable: true };
    expect(await field(page).evaluate((at, how) => at.dispatchEvent(new KeyboardEvent("keydown", how)), composed)).toBe(
      true,
    );
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await message(page, "Tide table 17").first().waitFor();
    expect(page.url()).toContain(`/c/${team.general}/`);
    await eventually(() => message(page, "Tide table 17").first().isVisible()).toBe(true);
    await page.goBack();
    await eventually(() => field(page).inputValue()).toBe("table 17");
    await finds(page, "tide", ...Array.from({ length: 30 }, (_, at) => `Tide table ${149 - at}`));
    await page.getByRole("button", { name: "Show more" }).click();
    await eventually(async () => (await found(page)).length).toBe(60);
  },
);

test(
  "filters are completed by keyboard, and what can't be understood is said in a line",
  { timeout: WITHIN_MS },
  async () => {
    const team = await makeTeam(stage.app.url, ["Ana Lima", "Bo"]);
    await lineOf(team, 0).post(team.general, ["The crane is up"]);
    const { page, ...desk } = await stage.desk({ person: team.people[0]! });
    await desk.go(channelPath(team));
    await isLive(page);
    await leadsTo(page, searchPath(team), async () => {
      await composer(page).focus();
      await page.keyboard.press("Control+k");
    });
    await isFilled(page, 1);

    await page.keyboard.type("crane fr");
    await page.getByRole("option", { name: /^from:/ }).waitFor();
    await page.keyboard.press("Tab");
    expect(await field(page).inputValue()).toBe("crane from:");
    await page.getByRole("option", { name: "Ana Lima" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    expect(await page.getByRole("option", { selected: true }).innerText()).toBe("Ana Lima");
    await page.keyboard.press("Enter");
    expect(await field(page).inputValue()).toBe('crane from:"Ana Lima" ');
    await eventually(async () => (await found(page)).length).toBe(1);

    for (const [typed, said] of [
      ["crane from:quentin", "Nobody here is called “quentin”."],
      ["crane before:soon", "“soon” isn't a date."],
      ["has:money", "not “money”."],
      ["in:#nowhere", "There is no channel “nowhere” here."],
      ["colour:red", "“colour:” isn't a filter"],
    ] as const) {
      await field(page).fill(typed);
      await page.getByRole("status").filter({ hasText: said }).waitFor();
    }
    await field(page).fill("crane");
    await eventually(async () => (await found(page)).length).toBe(1);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Escape");
    expect(await field(page).evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press("Escape");
    await composer(page).waitFor();
  },
);

test(
  "what changes changes the results at once: posts, edits, deletions, names, what waits, and channels one is taken out of",
  { timeout: WITHIN_MS },
  async () => {
    const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
    const ana = lineOf(team, 0);
    const [, boId] = await Promise.all(team.people.map(async (person) => (await person.me()).user.id));
    const secret = await ana.createChannel("secret", { access: "private", members: [boId] });
    await ana.post(secret, ["A secret crane"]);
    const [posted] = await ana.post(team.general, ["An open crane"]);
    const desk = await stage.desk({ person: team.people[1]! });
    const { page } = desk;
    await desk.go(channelPath(team));
    await isLive(page);
    await say(page, "My own crane");
    await isDelivered(page, "My own crane");
    const tab = await desk.tab(searchPath(team));
    await isFilled(tab, 3);
    await shellIsKept(page);
    await finds(tab, "crane", "My own crane", "An open crane", "A secret crane");

    await ana.post(team.general, ["A late crane"]);
    await eventually(async () => (await found(tab))[0]).toContain("A late crane");
    await ana.inChannel(team.general, { op: "message.edit", args: { id: posted, text: "An open barge", base: 1 } });
    await eventually(async () => (await found(tab)).length).toBe(3);
    await ana.remove(secret, boId!);
    await eventually(async () => (await found(tab)).some((text) => text.includes("secret"))).toBe(false);

    // Who is called so may be another by now.
    await finds(tab, "crane in:general", "A late crane", "My own crane");
    await ana.change({ op: "channel.update", args: { id: team.general, name: "quay" } });
    await tab.getByText("There is no channel “general” here.").waitFor();
    await ana.change({ op: "channel.update", args: { id: team.general, name: "general" } });
    // By then the device has heard it: the composer bears that name in the dark as well.
    await finds(tab, "crane in:general", "A late crane", "My own crane");
    await finds(tab, "crane", "A late crane", "My own crane");

    desk.proxy.cut();
    await isAway(page);
    await say(page, "A queued crane");
    await isQueued(page, "A queued crane");
    await eventually(async () => (await found(tab))[0]).toMatch(/queued.*A queued crane/);
    await act(page, "My own crane", "Edit");
    await editor(page).fill("My own big crane");
    await editor(page).press("Enter");
    await eventually(async () => (await found(tab)).at(-1)).toMatch(/change waiting.*My own big crane/);
    await act(page, "My own big crane", "Delete");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await eventually(async () => (await found(tab)).some((text) => text.includes("My own"))).toBe(false);
    await plugIn(desk);
    await isDelivered(page, "A queued crane");
    await eventually(async () => (await found(tab)).map((text) => text.replace(/.*\d\d /, ""))).toEqual([
      "A queued crane",
      "A late crane",
    ]);
  },
);
