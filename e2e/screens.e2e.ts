/** Every screen, light and dark, wide and narrow: it fits, it can be read by everybody, and it needs no pointer. */
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import {
  act,
  composer,
  connectionState,
  editor,
  isDelivered,
  isLive,
  isQueued,
  message,
  messages,
  say,
  sidebar,
} from "./journeys/channel.ts";
import { eventually } from "./journeys/eventually.ts";
import { inspect, type Size, SIZES, SMALLEST } from "./journeys/inspect.ts";
import { shellIsKept } from "./journeys/network.ts";
import { channelPath, lineOf } from "./journeys/rooms.ts";
import { type Desk, setStage } from "./journeys/stage.ts";
import { prepare } from "./rig/in-time.ts";
import { makeTeam, type Team } from "./rig/people.ts";

const stage = setStage();
let team: Team;
let invitation: string;

prepare(async () => {
  team = await makeTeam(stage.app.url, ["Ana Lindqvist", "Bo Okafor", "Céline Dubois-Marchetti"]);
  const [ana, bo, celine] = [0, 1, 2].map((at) => lineOf(team, at));
  const users = await Promise.all(team.people.map(async (person) => (await person.me()).user.id));
  await bo!.post(team.general, [
    "Crane is up.",
    "Need the **lift plan** before noon, see https://example.org/plans/lift-plan-rev-7.pdf",
  ]);
  await celine!.post(team.general, [
    "Checked this morning:\n\n- shackles\n- slings, *two* to replace\n- radio\n\n> anything else?\n\n`rig --check` says\n\n```\nok 14\nnot ok 2\n```",
  ]);
  const [root] = await ana!.post(team.general, ["On it. ~~Tomorrow~~ today."]);
  await bo!.inChannel(team.general, {
    op: "message.post",
    args: { id: crypto.randomUUID(), text: `Thanks <@${users[0]}>, and tell me when`, root, mentions: [users[0]] },
  });
  for (const line of [ana!, celine!]) {
    await line.inChannel(team.general, { op: "message.react", args: { id: root, emoji: "👍", on: true } });
  }
  for (const name of ["launch", "site-b", "weather-and-tides"])
    await ana!.createChannel(name, { topic: `All about ${name}` });
  await ana!.createChannel("crew-only", { access: "private", members: users.slice(1) });
  const made = await team.people[0]!.invite(team.workspace.id);
  invitation = made.code;
});

interface Screen {
  readonly name: string;
  readonly path: () => string;
  /** What is there when the screen is. */
  readonly ready: (page: Page) => Promise<unknown>;
  /** What is done first, such as opening a menu. */
  readonly open?: (page: Page) => Promise<unknown>;
  readonly isSignedOut?: boolean;
  readonly sizes?: readonly Size[];
}

const heading = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole("heading", { name }).first().waitFor();
const inGeneral = async (page: Page): Promise<void> => {
  await message(page, "Crane is up").waitFor();
  await isLive(page);
};

const SCREENS: readonly Screen[] = [
  { name: "welcome", path: () => "/welcome", ready: (page) => heading(page, "Welcome"), isSignedOut: true },
  { name: "sign-up", path: () => "/sign-up", ready: (page) => heading(page, "Create your account"), isSignedOut: true },
  { name: "sign-in", path: () => "/sign-in", ready: (page) => heading(page, "Sign in"), isSignedOut: true },
  {
    name: "sign-in-refused",
    path: () => "/sign-in",
    ready: (page) => heading(page, "Sign in"),
    open: async (page) => {
      await page.getByRole("textbox", { name: "Email" }).fill("nobody@example.org");
      await page.getByLabel("Password").fill("not a password of anyone");
      await page.getByRole("button", { name: "Sign in" }).click();
      await eventually(() => page.getByRole("alert").first().innerText()).not.toBe("");
    },
    isSignedOut: true,
  },
  { name: "first-run", path: () => "/setup", ready: (page) => heading(page, "Set up Causeway"), isSignedOut: true },
  { name: "create-workspace", path: () => "/setup", ready: (page) => heading(page, "Create a workspace") },
  {
    name: "join",
    path: () => `/join/${invitation}`,
    ready: (page) => heading(page, "Join Harbour"),
    isSignedOut: true,
  },
  {
    name: "join-bad-code",
    path: () => "/join/nonsense-code",
    ready: (page) => heading(page, /can't be used/),
    isSignedOut: true,
  },
  { name: "channel", path: () => channelPath(team), ready: inGeneral, sizes: [...SIZES, ...SMALLEST] },
  {
    name: "members",
    path: () => channelPath(team),
    ready: inGeneral,
    open: async (page) => {
      await page.getByRole("button", { name: /\d members?/ }).click();
      await page.getByRole("complementary", { name: "Members" }).waitFor();
    },
  },
  {
    name: "browse",
    path: () => `/w/${team.workspace.slug}/browse`,
    ready: (page) =>
      page
        .getByRole("link", { name: /site-b/ })
        .last()
        .waitFor(),
  },
  {
    name: "search-empty",
    path: () => `/w/${team.workspace.slug}/search`,
    ready: (page) => page.getByText(/^Searching \d+ messages/).waitFor(),
    sizes: [...SIZES, ...SMALLEST],
  },
  {
    name: "search-results",
    path: () => `/w/${team.workspace.slug}/search`,
    ready: (page) => page.getByText(/^Searching \d+ messages/).waitFor(),
    open: async (page) => {
      await page.getByRole("searchbox", { name: "Search" }).fill("the");
      await page.getByRole("list", { name: "Search results" }).getByRole("link").first().waitFor();
    },
    sizes: [...SIZES, ...SMALLEST],
  },
  {
    name: "search-completing",
    path: () => `/w/${team.workspace.slug}/search`,
    ready: (page) => page.getByText(/^Searching \d+ messages/).waitFor(),
    open: async (page) => {
      await page.getByRole("searchbox", { name: "Search" }).fill("lift from:");
      await page.getByRole("option", { name: "me", exact: true }).waitFor();
      await page.keyboard.press("ArrowDown");
    },
    sizes: [...SIZES, ...SMALLEST],
  },
  {
    name: "outbox-empty",
    path: () => `/w/${team.workspace.slug}/outbox`,
    ready: (page) => page.getByText("Nothing waits").waitFor(),
  },
  { name: "appearance", path: () => "/me/appearance", ready: (page) => heading(page, "Appearance") },
  {
    name: "not-found",
    path: () => "/nowhere/at-all",
    ready: (page) => heading(page, "There is nothing at this address"),
  },
  {
    name: "no-workspace",
    path: () => "/w/somebody-elses",
    ready: (page) => heading(page, "You aren't in this workspace"),
  },
  {
    name: "no-channel",
    path: () => channelPath(team, "0190a000-0000-7000-8000-000000000000"),
    ready: (page) => heading(page, "This channel isn't here"),
  },
];

test.for(SCREENS)(
  "$name fits in light and dark, wide and narrow, and has no serious fault of accessibility",
  async (screen) => {
    const desk = await stage.desk(screen.isSignedOut ? {} : { person: team.people[0]! });
    await desk.go(screen.path());
    await screen.ready(desk.page);
    await screen.open?.(desk.page);
    await inspect(desk.page, screen.name, screen.sizes);
  },
);

test("what is open over the channel fits too: menus, dialogs, reactions, mentions", async () => {
  const { page } = await inChannel();
  const menu = page.getByRole("menuitem").first();
  const dialog = page.getByRole("dialog");
  /** With what is there when it is open: its code may come late, and would open it over the next. */
  const openings: readonly (readonly [string, Locator, () => Promise<unknown>])[] = [
    ["channel-menu", menu, () => page.getByRole("button", { name: "Channel menu" }).click()],
    ["workspace-menu", menu, () => page.getByRole("button", { name: "Harbour" }).click()],
    ["account-menu", menu, () => page.getByRole("button", { name: /^Account of/ }).click()],
    ["create-channel", dialog, () => page.getByRole("button", { name: "Create channel" }).click()],
    [
      "invite",
      dialog,
      async () => {
        await page.getByRole("button", { name: "Harbour" }).click();
        await page.getByRole("menuitem", { name: "Invite people" }).click();
      },
    ],
    ["reactions", page.getByRole("button", { name: "🎉" }), () => act(page, "Crane is up", "React")],
    ["more-actions", menu, () => act(page, "Crane is up", "More")],
    ["edit", editor(page), () => act(page, "On it.", "Edit")],
    ["delete", dialog, () => act(page, "On it.", "Delete")],
    ["mentions", page.getByRole("listbox"), () => composer(page).pressSequentially("Ask @b")],
  ];
  for (const [name, shown, open] of openings) {
    await open();
    await shown.waitFor();
    await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== "running"));
    await inspect(page, name, [SIZES[0]]);
    await page.keyboard.press("Escape");
    await page.mouse.move(0, 0);
    await shown.waitFor({ state: "hidden" });
    await eventually(() => page.locator("dialog[open], :popover-open").count()).toBe(0);
  }
});

test("what waits and what is wrong looks right: offline, queued, outbox, sync status", async () => {
  const desk = await inChannel();
  const { page } = desk;
  await inspectStatus(page, "status-live");
  await page.goBack();
  // The other screens are on the device from then on.
  await shellIsKept(page);
  desk.proxy.cut();
  await eventually(() => connectionState(page)).not.toBe("live");
  await say(page, "Waiting for the network");
  await isQueued(page, "Waiting for the network");
  await inspect(page, "offline", [...SIZES, ...SMALLEST]);
  await sidebar(page).getByRole("link", { name: "Outbox" }).click();
  await page.getByRole("region", { name: "Outbox" }).getByText("Waiting for the network").waitFor();
  await inspect(page, "outbox");
  await inspectStatus(page, "status-offline");
});

test("an empty workspace says what to do first", async () => {
  const fresh = await makeTeam(stage.app.url, ["Dita"], "Empty quay");
  const desk = await stage.desk({ person: fresh.people[0]! });
  await desk.go(channelPath(fresh));
  await composer(desk.page).waitFor();
  await isLive(desk.page);
  expect(await messages(desk.page).count()).toBe(0);
  await inspect(desk.page, "empty");
});

test("the whole of a channel works by keyboard: write, move among messages, react, open a menu, leave it", async () => {
  const { page } = await inChannel();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await tabTo(page, () =>
    page.evaluate(() => document.activeElement?.getAttribute("aria-label") === "Message #general"),
  );
  await page.keyboard.type("Typed without a pointer");
  await page.keyboard.press("Enter");
  await isDelivered(page, "Typed without a pointer");

  await page.keyboard.press("Shift+Tab");
  await eventually(() => focusedText(page)).toContain("Typed without a pointer");
  await page.keyboard.press("ArrowUp");
  await eventually(() => focusedText(page)).toContain("tell me when");
  await page.keyboard.press("ArrowUp");
  await eventually(() => focusedText(page)).toContain("On it.");
  await page.keyboard.press("ArrowDown");
  await eventually(() => focusedText(page)).toContain("tell me when");
  await page.keyboard.press("r");
  await eventually(() => focusedText(page)).toBe("👍");
  await page.keyboard.press("ArrowRight");
  await eventually(() => focusedText(page)).toBe("❤️");
  await page.keyboard.press("Enter");
  await message(page, "tell me when").getByRole("button", { name: /❤️/ }).first().waitFor();
  await eventually(() => focusedArticle(page)).toContain("tell me when");

  await page.getByRole("button", { name: "Channel menu" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menu").waitFor();
  await eventually(() => page.evaluate(() => document.activeElement?.getAttribute("role"))).toBe("menuitem");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  await eventually(() => page.getByRole("menu").count()).toBe(0);
  await eventually(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Channel menu");
});

test.each(["keys", "Toolbar"])("a letter pressed before the code of %s has come acts when it has", async (code) => {
  const desk = await stage.desk({ person: team.people[0]! });
  // Its worker would have it at once.
  await desk.context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, "serviceWorker"));
  const { promise: isPressed, resolve: pressed } = Promise.withResolvers<void>();
  let asked = 0;
  await desk.context.route(`**/assets/${code}-*.js`, async (route) => {
    asked += 1;
    await isPressed;
    await route.continue();
  });
  await desk.go(channelPath(team));
  await inGeneral(desk.page);
  await composer(desk.page).focus();
  await desk.page.keyboard.press("Shift+Tab");
  await eventually(() => focusedArticle(desk.page)).not.toBe("");
  await desk.page.keyboard.press("r");
  await eventually(() => asked).toBe(1);
  expect(await focusedText(desk.page)).not.toBe("👍");
  pressed();
  await eventually(() => focusedText(desk.page)).toBe("👍");
});

async function inChannel(): Promise<Desk> {
  const desk = await stage.desk({ person: team.people[0]! });
  await desk.go(channelPath(team));
  await inGeneral(desk.page);
  return desk;
}

async function inspectStatus(page: Page, name: string): Promise<void> {
  await page.getByRole("status", { name: "Connection" }).getByRole("link").click();
  await heading(page, "Sync status");
  await inspect(page, name);
}

async function tabTo(page: Page, isThere: () => Promise<boolean>): Promise<void> {
  for (let press = 0; press < 60; press += 1) {
    if (await isThere()) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("Sixty presses of Tab don't lead there");
}

function focusedText(page: Page): Promise<string> {
  return page.evaluate(() => (document.activeElement instanceof HTMLElement ? document.activeElement.innerText : ""));
}

function focusedArticle(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.closest("article")?.innerText ?? "");
}
