/** Several tabs, several devices, several people of one browser: one outbox, one leader, and nobody's words under another's name. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { account, revoke, signIn } from "./journeys/account.ts";
import {
  channelLink,
  composer,
  connectionState,
  isAway,
  isDelivered,
  isLive,
  isQueued,
  message,
  say,
  shownIds,
  sidebar,
  tall,
  write,
} from "./journeys/channel.ts";
import { canStore, rowsOnDisk } from "./journeys/disk.ts";
import { eventually } from "./journeys/eventually.ts";
import { faultyDisk, hold } from "./journeys/faulty-disk.ts";
import { inspect } from "./journeys/inspect.ts";
import { plugIn, shellIsKept } from "./journeys/network.ts";
import { channelPath, lineOf } from "./journeys/rooms.ts";
import { type Desk, setStage } from "./journeys/stage.ts";
import { leads } from "./journeys/tabs.ts";
import { crash } from "./rig/browser.ts";
import { startKillable } from "./rig/killable.ts";
import type { Proxy } from "./rig/proxy.ts";
import { makeTeam, type Person, type Team } from "./rig/people.ts";

const stage = setStage();

/** Much longer than the second that a tab needs to overtake one: other tests share the machine. */
const HANGS_MS = 60_000;
/** A draft waits some seconds for the next one to replace it, and a read position a quarter of a minute. */
const LEAVES_WITHIN_MS = 45_000;

/** As somebody sees it whose session no test ends. */
const standing = (team: Team): Promise<string[]> => lineOf(team, team.people.length - 1).texts(team.general);

test("[OP8] of five tabs one has the sockets, and what each sends arrives once though leaders close and crash mid-send", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const ana = await stage.desk({ person: team.people[0]! });
  await ana.go(channelPath(team));
  await isLive(ana.page);
  const tabs = [ana.page];
  for (let at = 1; at < 5; at += 1) tabs.push(await ana.tab(channelPath(team)));
  for (const tab of tabs) await isLive(tab);
  const sockets = await Promise.all(tabs.map(leads));
  expect(sockets.filter(Boolean)).toHaveLength(1);

  const [first, second, third, fourth, fifth] = tabs as [Page, Page, Page, Page, Page];
  await Promise.all(
    [second, third].map(async (tab, who) => {
      for (const at of [1, 2, 3]) await say(tab, `Tab ${who + 2}, line ${at}`);
    }),
  );
  await isDelivered(fifth, "Tab 2, line 3");
  await isDelivered(fifth, "Tab 3, line 3");

  ana.proxy.swallowDown();
  await say(first, "Sent by the leader that closes");
  await message(second, "Sent by the leader that closes").waitFor();
  await first.close();
  ana.proxy.up();
  await second.bringToFront();
  await isLive(second);
  await say(second, "Sent by the next");
  await isDelivered(third, "Sent by the next", 30_000);

  const leader = (await leads(second)) ? second : (await leads(third)) ? third : (await leads(fourth)) ? fourth : fifth;
  const left = [second, third, fourth, fifth].filter((tab) => tab !== leader);
  ana.proxy.swallowDown();
  await say(leader, "Sent by the leader that crashes");
  await message(left[0]!, "Sent by the leader that crashes").waitFor();
  await crash(leader);
  ana.proxy.up();
  await left[0]!.bringToFront();
  await isLive(left[0]!);
  await say(left[1]!, "Sent after the crash");
  await isDelivered(left[0]!, "Sent after the crash", 30_000);

  const texts = await standing(team);
  expect(new Set(texts).size).toBe(texts.length);
  for (const who of [2, 3])
    expect(texts.filter((text) => text.startsWith(`Tab ${who}`))).toEqual(
      [1, 2, 3].map((at) => `Tab ${who}, line ${at}`),
    );
  expect(texts.slice(-4)).toEqual([
    "Sent by the leader that closes",
    "Sent by the next",
    "Sent by the leader that crashes",
    "Sent after the crash",
  ]);
});

test("[OP8] a leader that hangs is overtaken by a tab somebody looks at", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const ana = await stage.desk({ person: team.people[0]! });
  await ana.go(channelPath(team));
  await isLive(ana.page);
  const other = await ana.tab(channelPath(team));
  await isLive(other);
  // The lock is held, and nothing answers, until it is told that it has been overtaken: only a cookie reaches it.
  const hung = ana.page.evaluate((ms) => {
    const end = Date.now() + ms;
    while (Date.now() < end && !document.cookie.includes("overtaken"));
  }, HANGS_MS);
  await eventually(async () => {
    await other.evaluate(() => dispatchEvent(new Event("focus")));
    return leads(other);
  }, HANGS_MS).toBe(true);
  await say(other, "Said past the tab that hangs");
  await isDelivered(other, "Said past the tab that hangs", 30_000);
  await other.evaluate(() => (document.cookie = "overtaken=yes"));
  await hung;
  await isDelivered(ana.page, "Said past the tab that hangs");
  expect(await leads(ana.page)).toBe(false);
  expect(await standing(team)).toEqual(["Said past the tab that hangs"]);
});

interface Frozen {
  readonly first: Page;
  readonly second: Page;
  readonly cable: Proxy;
  readonly turn: (state: "frozen" | "active") => Promise<unknown>;
}

/** Two tabs, of which the first leads; Chromium freezes it, in the background. */
async function besideFrozen(team: Team, scene: (frozen: Frozen) => Promise<void>): Promise<void> {
  const cable = await stage.cable();
  const browser = startKillable(undefined, { noDefaults: true });
  try {
    const context = await browser.launch();
    await team.people[0]!.signInto(context, cable.url);
    const open = async (): Promise<Page> => {
      const page = await context.newPage();
      await page.goto(new URL(channelPath(team), cable.url).href);
      await isLive(page);
      return page;
    };
    const [first, second] = [await open(), await open()];
    await second.bringToFront();
    await eventually(() => first.evaluate(() => document.visibilityState)).toBe("hidden");
    expect(await leads(first)).toBe(true);
    await first.evaluate(() => document.addEventListener("freeze", () => document.body.classList.add("was-frozen")));
    const session = await context.newCDPSession(first);
    const turn = (state: "frozen" | "active"): Promise<unknown> => session.send("Page.setWebLifecycleState", { state });
    await turn("frozen");
    // Chromium by itself freezes nobody who is storing, and lets one go on whom others wait for.
    while (!(await canStore(second))) {
      await turn("active");
      await turn("frozen");
    }
    await scene({ first, second, cable, turn });
  } finally {
    await browser.remove();
  }
}

test("[OP8] row 21, a leader that Chromium freezes keeps nobody waiting, and has everything when it goes on, though the line died", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  await besideFrozen(team, async ({ first, second, cable, turn }) => {
    await say(second, "Written beside a frozen tab");
    // What the frozen one held half read would be given up after a minute.
    await isDelivered(second, "Written beside a frozen tab", 90_000);
    cable.cut();
    await lineOf(team, 1).post(team.general, ["While it was frozen"]);
    await isAway(second);
    cable.up();
    await turn("active");
    expect(await first.locator("body").getAttribute("class")).toContain("was-frozen");
    await first.bringToFront();
    await isDelivered(first, "Written beside a frozen tab");
    await message(first, "While it was frozen").waitFor();
    await isLive(first);
    expect(await standing(team)).toEqual(["Written beside a frozen tab", "While it was frozen"]);
  });
}, 180_000);

test("[OP11] signing out beside a tab that Chromium froze ends in words, and that tab goes on signed out, with nothing left to read", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  await besideFrozen(team, async ({ first, second, turn }) => {
    await account(second, "Sign out");
    const dialog = second.getByRole("dialog", { name: "Sign out" });
    await dialog.getByRole("button", { name: "Sign out" }).click();
    await dialog.getByText("another tab of Causeway still holds this device's copy").waitFor();
    await inspect(second, "sign-out-held");
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await second.waitForURL(/\/(welcome|sign-in)/);
    await turn("active");
    await first.bringToFront();
    await first.waitForURL(/\/(welcome|sign-in)/);
    await eventually(() => rowsOnDisk(first, "entities"), 30_000).toEqual([]);
  });
}, 180_000);

test("[OP17] a second device has the same drafts, read marks and stars", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const [laptop, phone] = await Promise.all([1, 2].map(() => stage.desk({ person: team.people[0]! })));
  const side = await lineOf(team).createChannel("side");
  await Promise.all([laptop!, phone!].map((desk) => desk.go(channelPath(team, side))));
  await Promise.all([isLive(laptop!.page), isLive(phone!.page)]);
  await lineOf(team, 1).post(team.general, ["News for Ana"]);
  const unread = ({ page }: Desk) => channelLink(page, "general").getAttribute("aria-describedby");
  for (const desk of [laptop!, phone!]) await eventually(() => unread(desk)).not.toBeNull();
  await laptop!.page.bringToFront();
  await channelLink(laptop!.page, "general").click();
  await isDelivered(laptop!.page, "News for Ana");
  await eventually(() => unread(phone!), LEAVES_WITHIN_MS).toBeNull();

  await write(laptop!.page, "Half a thought");
  await channelLink(laptop!.page, "side").click();
  await channelLink(phone!.page, "general").click();
  await eventually(() => composer(phone!.page).inputValue(), LEAVES_WITHIN_MS).toBe("Half a thought");

  await laptop!.page.getByRole("button", { name: "Channel menu" }).click();
  await laptop!.page.getByRole("menuitem", { name: "Star channel" }).click();
  await sidebar(phone!.page).getByRole("heading", { name: "Starred" }).waitFor();
});

test("drafts written apart on two devices stand beside each other on both", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const [laptop, phone] = await Promise.all([1, 2].map(() => stage.desk({ person: team.people[0]! })));
  await Promise.all([laptop!, phone!].map((desk) => desk.go(channelPath(team))));
  await Promise.all([isLive(laptop!.page), isLive(phone!.page)]);
  laptop!.proxy.cut();
  await isAway(laptop!.page);
  // Nothing is put into a composer that has the focus.
  await write(laptop!.page, "On the laptop");
  await composer(laptop!.page).blur();
  await write(phone!.page, "On the phone");
  await composer(phone!.page).blur();
  await plugIn(laptop!);
  for (const { page } of [laptop!, phone!]) {
    const lines = async (): Promise<string[]> => (await composer(page).inputValue()).split("\n").sort();
    await eventually(lines, LEAVES_WITHIN_MS).toEqual(["On the laptop", "On the phone"]);
  }
});

test("a draft sent from another device is no draft in the composer that has the focus, whichever it was typed in", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const [laptop, phone] = await Promise.all([1, 2].map(() => stage.desk({ person: team.people[0]! })));
  await Promise.all([laptop!, phone!].map((desk) => desk.go(channelPath(team))));
  await Promise.all([isLive(laptop!.page), isLive(phone!.page)]);
  for (const typedAt of [laptop!.page, phone!.page]) {
    const text = typedAt === phone!.page ? "Typed here" : "Typed there";
    await composer(laptop!.page).blur();
    await composer(phone!.page).blur();
    await write(typedAt, text);
    for (const { page } of [laptop!, phone!]) {
      await eventually(() => composer(page).inputValue(), LEAVES_WITHIN_MS).toBe(text);
    }
    await composer(phone!.page).focus();
    await composer(laptop!.page).press("Enter");
    await isDelivered(phone!.page, text);
    // Sent from here as well, it would be there twice.
    await eventually(() => composer(phone!.page).inputValue(), LEAVES_WITHIN_MS).toBe("");
  }
  expect(await lineOf(team).texts(team.general)).toEqual(["Typed there", "Typed here"]);
});

/** A draft that stands on both devices of a person and that the workspace's room has confirmed; the laptop is cut off then. */
async function draftOnBoth(text: string): Promise<{ team: Team; laptop: Desk; phone: Desk }> {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const [laptop, phone] = await Promise.all([1, 2].map(() => stage.desk({ person: team.people[0]! })));
  await Promise.all([laptop!, phone!].map((desk) => desk.go(channelPath(team))));
  await Promise.all([isLive(laptop!.page), isLive(phone!.page)]);
  await write(laptop!.page, text);
  await eventually(() => composer(phone!.page).inputValue(), LEAVES_WITHIN_MS).toBe(text);
  await eventually(async () => (await rowsOnDisk(laptop!.page, "outbox")).length).toBe(0);
  laptop!.proxy.cut();
  await isAway(laptop!.page);
  return { team, laptop: laptop!, phone: phone! };
}

test("[OP18] a draft sent from two devices, one of them without a network, is one message, with what was done to it on either", async () => {
  const { team, laptop, phone } = await draftOnBoth("Meet at six");
  await composer(laptop.page).press("Enter");
  await isQueued(laptop.page, "Meet at six");
  await composer(phone.page).press("Enter");
  await isDelivered(phone.page, "Meet at six");
  await message(laptop.page, "Meet at six").hover();
  await message(laptop.page, "Meet at six").getByRole("button", { name: "React" }).click();
  await laptop.page.getByRole("button", { name: "👍" }).click();
  await say(laptop.page, "And bring the keys");
  await plugIn(laptop);
  for (const { page } of [laptop, phone]) {
    await isDelivered(page, "And bring the keys");
    await message(page, "Meet at six").getByRole("button", { name: /👍/ }).waitFor();
    expect(await message(page, "Meet at six").count()).toBe(1);
    expect(await composer(page).inputValue()).toBe("");
  }
  expect(await lineOf(team).texts(team.general)).toEqual(["Meet at six", "And bring the keys"]);
});

test("[OP18] where the one that waits is being changed or answered while its device comes back, that goes on, and there are two", async () => {
  const { team, laptop, phone } = await draftOnBoth("Meet at six");
  await composer(laptop.page).press("Enter");
  await isQueued(laptop.page, "Meet at six");
  await composer(laptop.page).press("ArrowUp");
  const editor = laptop.page.getByRole("textbox", { name: "Edit message" });
  await editor.pressSequentially(" sharp");
  await composer(phone.page).press("Enter");
  await isDelivered(phone.page, "Meet at six");
  await plugIn(laptop);
  await eventually(() => lineOf(team).texts(team.general)).toEqual(["Meet at six", "Meet at six"]);
  await editor.pressSequentially(", at the gate");
  await editor.press("Enter");
  await eventually(() => lineOf(team).texts(team.general)).toEqual(["Meet at six", "Meet at six sharp, at the gate"]);
});

test("what another device adds to a draft while it is being sent here stands here without what was sent", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const [laptop, phone] = await Promise.all([1, 2].map(() => stage.desk({ person: team.people[0]! })));
  await laptop!.context.addInitScript(faultyDisk);
  await Promise.all([laptop!, phone!].map((desk) => desk.go(channelPath(team))));
  await Promise.all([isLive(laptop!.page), isLive(phone!.page)]);
  await write(laptop!.page, "To be sent");
  await eventually(() => composer(phone!.page).inputValue(), LEAVES_WITHIN_MS).toBe("To be sent");
  await hold(laptop!.page, { isHolding: true });
  await write(phone!.page, "To be sent\nand more");
  const draft = async (): Promise<string> => JSON.stringify(await rowsOnDisk(phone!.page, "entities"));
  await eventually(draft, LEAVES_WITHIN_MS).toContain(String.raw`To be sent\nand more`);
  // What the laptop's disk has still to store of it comes before the message.
  await composer(laptop!.page).press("Enter");
  await hold(laptop!.page, {});
  await isDelivered(laptop!.page, "To be sent");
  for (const { page } of [laptop!, phone!]) {
    await composer(page).blur();
    await eventually(() => composer(page).inputValue(), LEAVES_WITHIN_MS).toBe("and more");
  }
  await eventually(draft, LEAVES_WITHIN_MS).not.toContain("To be sent");
  expect(await lineOf(team).texts(team.general)).toEqual(["To be sent"]);
});

test("signing out with a queue: delivered first, with its progress, and then out", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const ana = await stage.desk({ person: team.people[0]! });
  await ana.go(channelPath(team));
  await isLive(ana.page);
  const other = await ana.tab(channelPath(team));
  await isLive(other);
  await shellIsKept(ana.page);
  ana.proxy.cut();
  await isAway(ana.page);
  await say(ana.page, "Before I go");
  await account(ana.page, "Sign out");
  const dialog = ana.page.getByRole("dialog", { name: "Sign out" });
  await dialog.getByText("1 change hasn't been delivered").waitFor();
  await dialog.getByRole("button", { name: "Deliver, then sign out" }).click();
  await dialog.getByText("Delivered 0 of 1").waitFor();
  await dialog.getByText("There is no network just now").waitFor();
  await say(other, "Written in another tab meanwhile");
  await dialog.getByText("Delivered 0 of 2").waitFor();
  await inspect(ana.page, "sign-out-delivering");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await isQueued(ana.page, "Before I go");
  await account(ana.page, "Sign out");
  await dialog.getByRole("button", { name: "Deliver, then sign out" }).click();
  await plugIn(ana);
  await ana.page.waitForURL(/\/welcome$/);
  expect(await standing(team)).toEqual(["Before I go", "Written in another tab meanwhile"]);
});

test("[OP11] kept at sign-out, nobody else sees or sends it, and it goes when the person is back", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const [ana, bo] = team.people as [Person, Person];
  const desk = await stage.desk({ person: ana });
  await desk.go(channelPath(team));
  await isLive(desk.page);
  await refuseSomething(desk, team);
  await account(desk.page, "Sign out");
  const dialog = desk.page.getByRole("dialog", { name: "Sign out" });
  const download = desk.page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Save a copy" }).click();
  expect((await download).suggestedFilename()).toMatch(/^causeway-unsent-.*\.ndjson$/);
  await dialog.getByRole("button", { name: "Keep and sign out" }).click();
  await desk.page.waitForURL(/\/welcome$/);

  await desk.go("/sign-in");
  await signIn(desk.page, bo);
  await desk.page.waitForURL(/\/w\//);
  await desk.go(channelPath(team));
  await isLive(desk.page);
  await say(desk.page, "Bo was here");
  await isDelivered(desk.page, "Bo was here");
  await sidebar(desk.page).getByRole("link", { name: "Outbox" }).click();
  await desk.page.getByText("Nothing waits").waitFor();
  await account(desk.page, "Sign out");
  await dialog.getByRole("button", { name: "Sign out" }).click();
  await desk.page.waitForURL(/\/welcome$/);

  await desk.go("/sign-in");
  await signIn(desk.page, ana);
  await desk.page.waitForURL(/\/w\//);
  await desk.go(`/w/${team.workspace.slug}/outbox`);
  await desk.page.getByText("Too late for this channel").waitFor();
  expect((await standing(team)).filter((text) => text !== "Bo was here")).toEqual([]);
});

/** A message that its channel wouldn't take: archived meanwhile. */
async function refuseSomething(desk: Desk, team: Team): Promise<void> {
  const id = await lineOf(team).createChannel("closing");
  await channelLink(desk.page, "closing").click();
  // All of it is here, not only its name.
  await desk.page.getByText("Nothing in #closing yet").waitFor();
  await isLive(desk.page);
  desk.proxy.cut();
  await isAway(desk.page);
  await say(desk.page, "Too late for this channel", "closing");
  await isQueued(desk.page, "Too late for this channel");
  await lineOf(team).archive(id);
  await plugIn(desk);
  await eventually(() => message(desk.page, "Too late for this channel").getAttribute("data-delivery"), 30_000).toBe(
    "refused",
  );
}

test("[AU3] a session that ended takes nothing: reading goes on, the outbox waits, and the same person's sign-in delivers", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const [ana, bo] = team.people as [Person, Person];
  const desk = await stage.desk({ person: ana });
  await desk.go(channelPath(team));
  await isLive(desk.page);
  await tall(desk.page);
  await say(desk.page, "While signed in");
  await isDelivered(desk.page, "While signed in");
  await revoke(desk, ana);
  await eventually(() => connectionState(desk.page), 30_000).toBe("signed-out");
  await message(desk.page, "While signed in").waitFor();
  await say(desk.page, "While signed out");
  await isQueued(desk.page, "While signed out");

  // Somebody else is asked first what becomes of it.
  await desk.go("/sign-in");
  await signIn(desk.page, bo);
  const asked = desk.page.getByRole("dialog", { name: "Sign in as someone else?" });
  await asked.getByText("1 change of Ana").waitFor();
  await asked.getByRole("button", { name: "Cancel" }).click();

  await signIn(desk.page, ana);
  await desk.page.waitForURL(/\/w\//);
  await desk.go(channelPath(team));
  await isDelivered(desk.page, "While signed out", 30_000);
  expect(await standing(team)).toEqual(["While signed in", "While signed out"]);
  expect(new Set(await shownIds(desk.page)).size).toBe((await shownIds(desk.page)).length);
});
