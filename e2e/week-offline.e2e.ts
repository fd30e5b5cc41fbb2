/** The rest of a week at sea: what is done to channels, to people and to one's own settings without a network. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { SystemLine } from "#protocol/entities/message.ts";
import {
  act,
  channelLink,
  composer,
  connection,
  isAway,
  isDelivered,
  isLive,
  isQueued,
  message,
  say,
  sidebar,
} from "./journeys/channel.ts";
import { readUpTo, rowsOnDisk } from "./journeys/disk.ts";
import { eventually } from "./journeys/eventually.ts";
import { deskOnDisk } from "./journeys/live.ts";
import { plugIn } from "./journeys/network.ts";
import { openOutbox } from "./journeys/outbox.ts";
import { channelPath, type Line, lineOf } from "./journeys/rooms.ts";
import { type Desk, setStage } from "./journeys/stage.ts";
import { makeTeam, type Team } from "./rig/people.ts";

const stage = setStage();

/** Many dialogs, several browsers and a cold start, on a busy machine. */
const WITHIN_MS = 240_000;
/** A read position leaves every quarter of a minute. */
const READ_WITHIN_MS = 45_000;

test(
  "a topic, people put in and taken out, a channel left, one joined and one brought back offline outlive a cold start, and stand once for the others",
  async () => {
    const team = await makeTeam(stage.app.url, ["Ana", "Bo", "Cleo"]);
    const [line, others] = [lineOf(team), lineOf(team, 1)];
    const [anasId = "", bosId = "", cleosId = ""] = await idsOf(team);
    const side = await line.createChannel("side-room");
    const shut = await line.createChannel("shut-down");
    const open = await others.createChannel("open-air");
    const crew = await line.createChannel("crew-only", { access: "private", members: [bosId] });
    await others.change({ op: "channel.join", args: { id: side } }, { op: "channel.join", args: { id: shut } });
    await line.archive(shut);
    const bo = await stage.desk({ person: team.people[1]! });
    const cleo = await stage.desk({ person: team.people[2]! });
    const { profile, desk } = await deskOnDisk(stage, team);
    await Promise.all([bo, cleo].map((each) => each.go(channelPath(team))));
    await Promise.all([bo, cleo].map((each) => isLive(each.page)));
    await channelLink(bo.page, "crew-only").waitFor();

    await cut(desk);
    const { page } = desk;
    await fromMenu(page, "Set topic");
    await page.getByRole("textbox", { name: "Topic" }).fill("Concrete on Monday");
    await page.getByRole("button", { name: "Save topic" }).click();
    await eventually(() => page.getByRole("dialog").count()).toBe(0);

    await channelLink(page, "crew-only").click();
    await composer(page, "crew-only").waitFor();
    await fromMenu(page, /member/);
    const panel = members(page);
    await panel.getByRole("button", { name: "Add people" }).click();
    await panel.getByRole("searchbox", { name: "Find people" }).fill("cle");
    await panel.getByRole("button", { name: "Add Cleo" }).click();
    await panel.getByRole("button", { name: "Remove Cleo" }).waitFor();
    await panel.getByRole("button", { name: "Remove Bo" }).click();
    await eventually(() => panel.getByRole("button", { name: "Remove Bo" }).count()).toBe(0);

    await channelLink(page, "side-room").click();
    await composer(page, "side-room").waitFor();
    await fromMenu(page, "Leave channel");
    await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
    await eventually(() => channelLink(page, "side-room").count()).toBe(0);

    await sidebar(page).getByRole("link", { name: "Browse channels" }).click();
    await page.getByRole("button", { name: "Join #open-air" }).click();
    await channelLink(page, "open-air").waitFor();
    await page.getByRole("checkbox", { name: "Show archived" }).check();
    await page
      .getByRole("main")
      .getByRole("link", { name: /shut-down/ })
      .click();
    await page.getByText("This channel is archived.").first().waitFor();
    await fromMenu(page, "Bring channel back");
    await say(page, "Open again", "shut-down");
    await isQueued(page, "Open again");

    const waiting = [
      "Change of a channel's topic",
      "Cleo added",
      "Bo removed",
      "Leaving of a channel",
      "Joining of a channel",
      "Bringing back of a channel",
      "Message",
    ];
    const standsSo = async (page: Page): Promise<void> => {
      await page.locator("header").getByText("Concrete on Monday").waitFor();
      await channelLink(page, "shut-down").waitFor();
      await channelLink(page, "open-air").waitFor();
      expect(await channelLink(page, "side-room").count()).toBe(0);
      await channelLink(page, "crew-only").click();
      await composer(page, "crew-only").waitFor();
      await fromMenu(page, /member/);
      await members(page).getByRole("button", { name: "Remove Cleo" }).waitFor();
      expect(await members(page).getByRole("button", { name: "Remove Bo" }).count()).toBe(0);
    };
    await listsAsWaiting(page, waiting);
    await desk.close();

    const ana = await stage.desk({ profile, proxy: desk.proxy });
    await ana.go(channelPath(team));
    await standsSo(ana.page);
    await listsAsWaiting(ana.page, waiting);
    await isAway(ana.page);
    // Of all that nobody has heard a word.
    await channelLink(bo.page, "crew-only").waitFor();
    expect(await channelLink(cleo.page, "crew-only").count()).toBe(0);

    await plugIn(ana);
    await isLive(ana.page);
    await ana.page.getByText("Nothing waits").waitFor();
    await channelLink(ana.page, "general").click();
    await standsSo(ana.page);

    // The room's own lines: each change was made once.
    const told = async (channel: string, by: Line, ...types: readonly SystemLine["type"][]): Promise<SystemLine[]> =>
      (await by.history(channel)).flatMap((each) =>
        !each.deleted && each.system && types.includes(each.system.type) ? [each.system] : [],
      );
    await eventually(() => told(team.general, line, "topic")).toEqual([{ type: "topic", topic: "Concrete on Monday" }]);
    await eventually(() => told(crew, line, "joined", "left")).toEqual([
      { type: "joined", user: cleosId },
      { type: "left", user: bosId },
    ]);
    await eventually(() => told(side, others, "left")).toEqual([{ type: "left", user: anasId }]);
    await eventually(() => told(open, others, "joined")).toEqual([{ type: "joined", user: anasId }]);
    await eventually(() => told(shut, others, "archived")).toEqual([
      { type: "archived", on: true },
      { type: "archived", on: false },
    ]);
    expect(await others.texts(shut)).toEqual(["Open again"]);

    await bo.page.getByText("Ana set the topic: Concrete on Monday").waitFor();
    await eventually(() => channelLink(bo.page, "crew-only").count()).toBe(0);
    await channelLink(bo.page, "shut-down").click();
    await message(bo.page, "Open again").waitFor();
    await composer(bo.page, "shut-down").waitFor();
    await channelLink(bo.page, "side-room").click();
    await bo.page.getByText("Ana left").waitFor();
    await channelLink(bo.page, "open-air").click();
    await bo.page.getByText("Ana joined").waitFor();
    await channelLink(cleo.page, "crew-only").click();
    await composer(cleo.page, "crew-only").waitFor();
  },
  WITHIN_MS,
);

test(
  "somebody deactivated and somebody let back in offline outlive a cold start; the one is out and the other in when it arrives, not before",
  async () => {
    const team = await makeTeam(stage.app.url, ["Ana", "Bo", "Cleo", "Dara"]);
    const [, , cleo, dara] = team.people;
    const [, , , darasId = ""] = await idsOf(team);
    await lineOf(team).change({ op: "member.activate", args: { user: darasId, on: false } });
    const [bo, cleosDesk] = [await stage.desk({ person: team.people[1]! }), await stage.desk({ person: cleo! })];
    const { profile, desk } = await deskOnDisk(stage, team);
    await Promise.all([bo, cleosDesk].map((each) => each.go(`${channelPath(team)}?panel=members`)));
    await Promise.all([bo, cleosDesk].map((each) => isLive(each.page)));
    await eventually(() => deactivated(bo.page)).toEqual(["Dara"]);

    await cut(desk);
    const { page } = desk;
    await fromMenu(page, /member/);
    await manage(page, "Cleo", "Deactivate");
    await manage(page, "Dara", "Let back in");
    // Nobody has heard of it, and so nobody will.
    await manage(page, "Bo", "Deactivate");
    await manage(page, "Bo", "Let back in");
    await eventually(() => deactivated(page)).toEqual(["Cleo"]);
    const waiting = ["Cleo deactivated", "Dara let back in"];
    await listsAsWaiting(page, waiting);
    await desk.close();

    const ana = await stage.desk({ profile, proxy: desk.proxy });
    await ana.go(`${channelPath(team)}?panel=members`);
    await eventually(() => deactivated(ana.page)).toEqual(["Cleo"]);
    await ana.page.getByRole("button", { name: "3 members", exact: true }).waitFor();
    await listsAsWaiting(ana.page, waiting);
    await say(cleosDesk.page, "Said while it waited");
    await isDelivered(cleosDesk.page, "Said while it waited");
    await expect(lineOf(team, 3).post(team.general, ["Said too early"])).rejects.toThrow(/: 40[13]\b/);

    await plugIn(ana);
    await isLive(ana.page);
    await ana.page.getByText("Nothing waits").waitFor();
    await eventually(() => deactivated(bo.page)).toEqual(["Cleo"]);
    await eventually(() => connection(cleosDesk.page).first().innerText()).toContain("not let in");
    await expect(lineOf(team, 2).post(team.general, ["Said too late"])).rejects.toThrow(/: 40[13]\b/);

    const darasDesk = await stage.desk({ person: dara! });
    await darasDesk.go(channelPath(team));
    await isLive(darasDesk.page);
    await say(darasDesk.page, "Back again");
    await message(bo.page, "Back again").waitFor();
    expect(await lineOf(team).texts(team.general)).toEqual(["Said while it waited", "Back again"]);
  },
  WITHIN_MS,
);

test(
  "[OP17] a channel muted, when it may notify, and what was marked unread offline outlive a cold start, and are so on one's other device",
  async () => {
    const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
    const quiet = await lineOf(team).createChannel("quiet");
    await lineOf(team, 1).post(team.general, ["First news", "Second news", "Third news"]);
    const other = await stage.desk({ person: team.people[0]! });
    await other.go(channelPath(team, quiet));
    await isLive(other.page);
    const { profile, desk } = await deskOnDisk(stage, team);
    const { page } = desk;
    await message(page, "Third news").waitFor();
    const [second, third] = await Promise.all(["Second news", "Third news"].map((text) => placeOf(page, text)));
    // Read here, so that what is marked unread is seen to be so there.
    await eventually(() => readUpTo(other.page), READ_WITHIN_MS).toBe(third);
    await eventually(() => marksOf(other.page, "general")).not.toContain("unread");

    await cut(desk);
    await act(page, "Second news", "More");
    await page.getByRole("menuitem", { name: "Mark unread from here" }).click();
    await eventually(() => marksOf(page, "general")).toContain("unread");
    await channelLink(page, "quiet").click();
    await composer(page, "quiet").waitFor();
    await fromMenu(page, "Mute channel");
    await page.getByRole("button", { name: "Channel menu" }).click();
    await page.getByRole("menuitemradio", { name: "Notify of mentions" }).click();
    await isSetSo(page);
    // Read positions aren't listed there.
    const waiting = ["Change of your channel settings"];
    await listsAsWaiting(page, waiting);
    await desk.close();

    const ana = await stage.desk({ profile, proxy: desk.proxy });
    await ana.go(channelPath(team, quiet));
    await isSetSo(ana.page);
    expect(await marksOf(ana.page, "general")).toContain("unread");
    await listsAsWaiting(ana.page, waiting);
    expect(await marksOf(other.page, "general")).not.toContain("unread");
    expect(await prefsOn(other.page)).toEqual([]);

    await plugIn(ana);
    await isLive(ana.page);
    await ana.page.getByText("Nothing waits").waitFor();
    await eventually(() => marksOf(other.page, "general"), READ_WITHIN_MS).toContain("unread");
    await eventually(() => readUpTo(other.page)).toBe(second! - 1);
    await isSetSo(other.page);
    expect(await prefsOn(other.page)).toMatchObject([{ channel: quiet, muted: true, level: "mentions" }]);
    await channelLink(other.page, "general").click();
    await message(other.page, "Second news").waitFor();
  },
  WITHIN_MS,
);

async function idsOf(team: Team): Promise<string[]> {
  return Promise.all(team.people.map(async (person) => (await person.me()).user.id));
}

async function cut(desk: Desk): Promise<void> {
  desk.proxy.cut();
  await isAway(desk.page);
}

async function fromMenu(page: Page, item: string | RegExp): Promise<void> {
  await page.getByRole("button", { name: "Channel menu" }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

const members = (page: Page) => page.getByRole("complementary", { name: "Members" });

async function manage(page: Page, name: string, action: "Deactivate" | "Let back in"): Promise<void> {
  await members(page)
    .getByRole("button", { name: `Manage ${name}` })
    .click();
  await page.getByRole("menuitem", { name: action }).click();
  if (action === "Deactivate") await page.getByRole("dialog").getByRole("button", { name: "Deactivate" }).click();
  await eventually(async () => (await deactivated(page)).includes(name)).toBe(action === "Deactivate");
}

/** The names in the panel of those who are deactivated. */
async function deactivated(page: Page): Promise<string[]> {
  const rows = await members(page).getByRole("listitem").allInnerTexts();
  return rows.filter((row) => row.includes("deactivated")).map((row) => /\b(Ana|Bo|Cleo|Dara)\b/.exec(row)?.[0] ?? row);
}

/** The Outbox lists these, in the order done, and says of each what it waits for. */
async function listsAsWaiting(page: Page, changes: readonly string[]): Promise<void> {
  await openOutbox(page);
  const waiting = page.getByRole("region", { name: "Outbox" }).getByRole("listitem").filter({ hasText: "waits for" });
  await eventually(() => waiting.locator("strong").allInnerTexts()).toEqual(changes);
}

/** What the sidebar says of a channel beside its name. */
async function marksOf(page: Page, channel: string): Promise<string> {
  const id = await channelLink(page, channel).getAttribute("aria-describedby");
  return id === null ? "" : page.evaluate((id) => document.getElementById(id)?.textContent ?? "", id);
}

async function placeOf(page: Page, text: string): Promise<number> {
  return Number(await message(page, text).getAttribute("data-seq"));
}

/** The menu of the channel on screen: muted, and to notify of mentions alone. */
async function isSetSo(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Channel menu" }).click();
  await page.getByRole("menuitem", { name: "Unmute channel" }).waitFor();
  await eventually(() =>
    page.getByRole("menuitemradio", { name: "Notify of mentions" }).getAttribute("aria-checked"),
  ).toBe("true");
  await page.keyboard.press("Escape");
}

/** The settings of channels that the room has confirmed to this device. */
async function prefsOn(page: Page): Promise<object[]> {
  const rows = (await rowsOnDisk(page, "entities")) as { readonly entity: { readonly kind: string } }[];
  return rows.flatMap(({ entity }) => (entity.kind === "prefs" ? [entity] : []));
}
