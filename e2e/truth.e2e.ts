/** The truth, always: what the connection is, how old what one sees may be, and what became of what one wrote. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { account, signIn } from "./journeys/account.ts";
import {
  channelLink,
  composer,
  connection,
  connectionState,
  isDelivered,
  isLive,
  isQueued,
  message,
  say,
  sidebar,
} from "./journeys/channel.ts";
import { rowsOnDisk } from "./journeys/disk.ts";
import { eventually } from "./journeys/eventually.ts";
import { inspect } from "./journeys/inspect.ts";
import { cutOff, plugIn, shellIsKept } from "./journeys/network.ts";
import { liveDesk } from "./journeys/live.ts";
import { inOutbox, openOutbox } from "./journeys/outbox.ts";
import { channelPath, lineOf } from "./journeys/rooms.ts";
import { type Desk, setStage } from "./journeys/stage.ts";
import { makeTeam, Person } from "./rig/people.ts";

const stage = setStage();

/** With the day, if a midnight has passed since. */
const AS_OF = /^Up to date as of (?:.+ )?\d\d:\d\d$/;

/** As long as it is sure not to try by itself. */
const PRESSES_WITHIN_MS = 4_000;

/** Time to press "Try now" before it tries by itself: pauses grow, to half a minute. */
async function isLongUntilNextTry(page: Page): Promise<void> {
  await eventually(() => page.getByRole("button", { name: "Try now" }).innerText(), 60_000).toMatch(/([5-9]|\d\d) s$/);
}

/** The line is good again, and one presses; where it has tried by itself before that, once more. */
async function triesByHand(desk: Desk): Promise<void> {
  const again = desk.page.getByRole("button", { name: "Try now" });
  for (let isPressed = false; !isPressed;) {
    await isLongUntilNextTry(desk.page);
    desk.proxy.up();
    isPressed = await again.click({ timeout: PRESSES_WITHIN_MS }).then(
      () => true,
      () => false,
    );
    if (!isPressed) await cutOff(desk);
  }
}

/** Every state the pill is in from now on, each once where it stays. */
async function watchStates(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const states: string[] = [];
    const note = (): void => {
      const state = document.querySelector<HTMLElement>("[role=status][data-state]")?.dataset["state"];
      if (state !== undefined && states.at(-1) !== state) states.push(state);
    };
    note();
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, attributes: true });
    Object.assign(globalThis, { states });
  });
  return () => page.evaluate(() => (globalThis as unknown as { states: string[] }).states);
}

test("in another time zone the days begin at its midnights, though no message comes; and what can't be seen isn't sent in silence", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  await lineOf(team).post(team.general, ["Before that midnight"]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await lineOf(team).post(team.general, ["Behind it"]);
  const second = (await lineOf(team).history(team.general)).at(-1)!.createdAt;
  const desk = await stage.desk({ person: team.people[0]! });
  await desk.context.addInitScript(() => {
    const day = 86_400_000;
    const at = (): number | undefined => (globalThis as unknown as { midnight?: number }).midnight;
    const { setHours, getTimezoneOffset } = Object.getOwnPropertyDescriptors(Date.prototype);
    // oxlint-disable-next-line no-extend-native -- another time zone, made up
    Date.prototype.setHours = function toMidnight(...given: [number]) {
      const midnight = at();
      if (midnight === undefined) return setHours.value!.apply(this, given);
      return midnight + Math.floor((this.getTime() - midnight) / day) * day;
    };
    // oxlint-disable-next-line no-extend-native -- as above
    Date.prototype.getTimezoneOffset = function moved() {
      return getTimezoneOffset.value!.call(this) + (at() === undefined ? 0 : 1);
    };
    // It is looked for every minute.
    const later = globalThis.setTimeout;
    Object.assign(globalThis, {
      setTimeout: (run: () => void, ms?: number) => later(run, ms === 60_000 ? 200 : ms),
    });
  });
  const { page } = desk;
  await desk.go(channelPath(team));
  await isLive(page);
  const log = page.getByRole("log");
  await message(page, "Behind it").waitFor();
  expect(await log.getByText("Yesterday").count()).toBe(0);
  await page.evaluate((midnight) => Object.assign(globalThis, { midnight }), second);
  await log.getByText("Yesterday").waitFor();
  await eventually(() => log.getByText("Today").count()).toBe(1);

  await composer(page).fill("\u200B\u2800");
  await page.getByText("Nothing of it can be seen").waitFor();
  await composer(page).press("Enter");
  await composer(page).fill(" ");
  await eventually(() => page.getByText("Nothing of it can be seen").count()).toBe(0);
});

test("offline says since when, counts down to the next try, and goes back by hand; also after a start without a network", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const ana = await liveDesk(stage, team);
  await cutOff(ana);
  const { page } = ana;
  await page.getByText(AS_OF).waitFor();
  await eventually(() => page.getByRole("button", { name: "Try now" }).innerText()).toMatch(/\d s$/);
  // What ticks is not in what a screen reader is told.
  expect(await connection(page).first().innerText()).toBe("Offline");
  await inspect(page, "truth-offline");

  await page.reload();
  await composer(page).waitFor();
  await eventually(() => connectionState(page)).toBe("offline");
  await page.getByText(AS_OF).waitFor();

  await triesByHand(ana);
  await isLive(page);
  await eventually(() => page.getByText(/^Up to date as of/).count()).toBe(0);
});

test("the pill never flickers: offline stays offline through tries that fail, and goes once something answered, never back", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const ana = await liveDesk(stage, team);
  const states = await watchStates(ana.page);
  await cutOff(ana);
  const again = ana.page.getByRole("button", { name: "Try now" });
  for (let times = 0; times < 4; times += 1) {
    // While a try is under way there is nothing to count down to.
    await eventually(() => again.innerText()).toMatch(/\d s/);
    await again.click();
  }
  await plugIn(ana);
  await isLive(ana.page);
  const course = (await states()).join(" ");
  expect(course).toMatch(/^live (reconnecting )?offline (reconnecting )?(catching-up )?live$/);
});

test("work offline: no socket, no call, in any tab, through a reload; and back", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const ana = await liveDesk(stage, team);
  const other = await ana.tab(channelPath(team));
  await isLive(other);
  await ana.page.getByRole("button", { name: /^Account of/ }).click();
  await ana.page.getByRole("menuitem", { name: "Work offline" }).click();
  for (const page of [ana.page, other]) {
    await eventually(() => connection(page).first().innerText()).toBe("Offline: you chose to work offline");
  }
  const asked: string[] = [];
  ana.context.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/(api|parties|config\.json)/.test(pathname)) asked.push(pathname);
  });
  const sockets: string[] = [];
  for (const page of [ana.page, other]) page.on("websocket", (socket) => sockets.push(socket.url()));
  await say(ana.page, "Written in the quiet");
  await isQueued(ana.page, "Written in the quiet");
  await inspect(ana.page, "truth-chosen");
  await ana.page.reload();
  await isQueued(ana.page, "Written in the quiet");
  await ana.page.evaluate(() => dispatchEvent(new Event("online")));
  await eventually(() => connection(ana.page).first().innerText()).toBe(
    "Offline: you chose to work offline, 1 waiting",
  );
  await openOutbox(ana.page);
  await inOutbox(ana.page, "Written in the quiet").getByText("waits until you go back online").waitFor();
  await account(ana.page, "Sign out");
  const dialog = ana.page.getByRole("dialog", { name: "Sign out" });
  await dialog.getByRole("button", { name: "Deliver, then sign out" }).click();
  await dialog.getByText("You chose to work offline. Cancel and go back online first").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await lineOf(team, 1).post(team.general, ["Nobody here hears this yet"]);
  await connection(ana.page).first().getByRole("link").click();
  const offSwitch = ana.page.getByRole("switch", { name: "Work offline" });
  await eventually(() => offSwitch.isChecked()).toBe(true);
  expect(asked).toEqual([]);
  expect(sockets).toEqual([]);

  await offSwitch.click();
  await eventually(() => ana.page.getByText("Live", { exact: true }).count()).toBeGreaterThan(0);
  await isLive(other);
  await message(other, "Nobody here hears this yet").waitFor();
  await isDelivered(other, "Written in the quiet");
});

test("where it can't be kept that one works offline, it is said, and nothing changes", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const ana = await liveDesk(stage, team);
  const { page } = ana;
  await page.evaluate(() => {
    const { put } = Object.getOwnPropertyDescriptors(IDBObjectStore.prototype);
    IDBObjectStore.prototype.put = function putUnlessFull(...given) {
      if (given[0]?.key === "workOffline") throw new DOMException("Made up by a test.", "QuotaExceededError");
      return put.value!.apply(this, given);
    };
  });
  const said = "This device is out of space. Whether you work offline can't be kept here, so nothing was changed.";
  await account(page, "Work offline");
  const dialog = page.getByRole("dialog", { name: "Work offline" });
  await dialog.getByText(said).waitFor();
  await inspect(page, "truth-not-chosen-menu");
  await dialog.getByRole("button", { name: "Close" }).first().click();
  expect(await connectionState(page)).toBe("live");
  await connection(page).first().getByRole("link").click();
  const offSwitch = page.getByRole("switch", { name: "Work offline" });
  await offSwitch.click();
  await page.getByRole("alert").filter({ hasText: said }).waitFor();
  expect(await offSwitch.isChecked()).toBe(false);
  await inspect(page, "truth-not-chosen");
  await page.getByRole("link", { name: "Choose what to keep" }).first().click();
  await page.waitForURL(/\/me\/offline$/);
});

test("the event log tells what happened, and neither it nor the report holds a text, a name or a token", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const ana = await liveDesk(stage, team);
  await ana.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await cutOff(ana);
  await say(ana.page, "A secret of mine");
  await isQueued(ana.page, "A secret of mine");
  await plugIn(ana);
  await isDelivered(ana.page, "A secret of mine");
  await isLive(ana.page);
  await connection(ana.page).first().getByRole("link").click();
  const lines = ana.page.getByRole("list", { name: "Events" }).getByRole("listitem");
  const happened = ["Offline: nothing answers", "1 change queued", "1 change sent", "1 change delivered"];
  for (const line of happened) await lines.filter({ hasText: line }).first().waitFor();
  await ana.page.reload();
  for (const line of happened) await lines.filter({ hasText: line }).first().waitFor();
  await inspect(ana.page, "truth-status");
  await ana.page.getByLabel("Show").selectOption("outbox");
  await eventually(() => lines.filter({ hasText: "Live: everything" }).count()).toBe(0);
  await lines.filter({ hasText: "delivered" }).first().waitFor();
  await ana.page.getByRole("button", { name: "Copy report" }).click();
  const copied = (): Promise<string> => ana.page.evaluate(() => navigator.clipboard.readText());
  await eventually(copied).toContain('"delivered"');
  const report = await copied();
  for (const secret of ["secret of mine", "general", "Ana", "Harbour", "eyJ"]) expect(report).not.toContain(secret);
});

test("what was written long before it was delivered says both times, to everybody, and stands by its place", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const bo = await liveDesk(stage, team, 1);
  const ana = await stage.desk({ person: team.people[0]! });
  await ana.context.addInitScript(() => {
    const now = Date.now;
    Date.now = () => now() - Number(Reflect.get(globalThis, "agoMs") ?? 0);
  });
  await ana.go(channelPath(team));
  await isLive(ana.page);
  await say(bo.page, "Before it");
  await message(ana.page, "Before it").waitFor();
  await cutOff(ana);
  // Three hours without a network, of which only the ends are played.
  await ana.page.evaluate(() => Reflect.set(globalThis, "agoMs", 3 * 3_600_000));
  await say(ana.page, "Written at sea");
  await isQueued(ana.page, "Written at sea");
  await ana.page.evaluate(() => Reflect.set(globalThis, "agoMs", 0));
  await plugIn(ana);
  for (const { page } of [ana, bo]) {
    await isDelivered(page, "Written at sea");
    const late = message(page, "Written at sea").getByText(/^written .*\d\d:\d\d offline, delivered .*\d\d:\d\d$/);
    await late.waitFor();
    const named = await message(page, "Written at sea").getAttribute("aria-labelledby");
    expect(named?.split(" ")).toContain(await late.getAttribute("id"));
  }
  await inspect(bo.page, "truth-late");
  expect(await lineOf(team).texts(team.general)).toEqual(["Before it", "Written at sea"]);
});

test("nobody is asked to write where they can't, nor told that they can come back, or create, where they can't", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const launch = await lineOf(team).createChannel("launch");
  const ana = await liveDesk(stage, team, 0, launch);
  await ana.page.getByText("Write the first message.").waitFor();
  await lineOf(team).change({ op: "channel.archive", args: { id: launch, on: true } });
  await ana.page.getByText("This channel is archived.").waitFor();
  await eventually(() => ana.page.getByText("Write the first message.").count()).toBe(0);

  const gus = await Person.signUp(stage.app.url, "Gus");
  const { code } = await team.people[0]!.invite(team.workspace.id, { role: "guest" });
  await gus.join(code);
  const { user } = await gus.me();
  await lineOf(team).change({ op: "channel.members", args: { id: team.general, add: [user.id], remove: [] } });
  const { page } = await liveDesk(stage, { ...team, people: [gus] });
  await page.getByRole("button", { name: "Channel menu" }).click();
  await page.getByRole("menuitem", { name: "Leave channel" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Somebody in it has to add you again.").waitFor();
  await dialog.getByRole("button", { name: "Leave" }).click();
  await page.getByText("As a guest you see the channels that somebody adds you to.").waitFor();
});

test("a channel whose history never came says that, and why; it never looks empty", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const elsewhere = await lineOf(team).createChannel("elsewhere");
  await lineOf(team).post(elsewhere, ["Something was said here"]);
  const bo = await liveDesk(stage, team, 1);
  await sidebar(bo.page).getByRole("link", { name: "Browse channels" }).click();
  await bo.page
    .getByRole("link", { name: /elsewhere/ })
    .first()
    .waitFor();
  await cutOff(bo);
  await bo.go(`/w/${team.workspace.slug}/c/${elsewhere}`);
  await bo.page.getByRole("heading", { name: "Not on this device yet" }).waitFor();
  await bo.page.getByText("comes when you're back online").waitFor();
  expect(await bo.page.getByText(/Nothing in #elsewhere yet/).count()).toBe(0);
  await bo.page.getByRole("main").getByRole("button", { name: /^Join/ }).click();
  await say(bo.page, "Said before it came", "elsewhere");
  await isQueued(bo.page, "Said before it came");
  await bo.page.getByText("comes when you're back online").waitFor();
  await inspect(bo.page, "truth-not-here");
  await plugIn(bo);
  await message(bo.page, "Something was said here").waitFor();
  await cutOff(bo);
  await say(bo.page, "Said after the end", "elsewhere");
  const { user } = await team.people[1]!.me();
  await lineOf(team).change({ op: "member.activate", args: { user: user.id, on: false } });
  // With the token at hand it could still go before the channel's room has heard of it.
  // Asked on the way which workspaces one is in, it would hear that it isn't in this one, and show another screen.
  const hasAsked = bo.page.waitForEvent("requestfailed", (request) => new URL(request.url()).pathname === "/api/me");
  await bo.page.reload();
  await isQueued(bo.page, "Said after the end");
  await hasAsked;
  await plugIn(bo);
  await bo.page.getByText("You aren't let in. What was written here comes if you are again.").waitFor();
  // Whether it was tried before, as by the service worker, is another matter.
  await message(bo.page, "Said after the end").getByText("You no longer have access to this workspace.").waitFor();
  expect(await bo.page.getByText("Older messages").count()).toBe(0);
  await inspect(bo.page, "truth-not-let-in");
  await connection(bo.page).first().getByRole("link").click();
  await bo.page.getByText("You no longer have access to this workspace.", { exact: true }).waitFor();
  const row = bo.page.getByRole("row").filter({ has: bo.page.getByRole("rowheader", { name: "workspace" }) });
  await row.getByText("refused: You no longer have access to this workspace.").waitFor();
});

test("cut off before a channel beyond the sockets was read again: it doesn't pass for up to date", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const [ana, bo] = [lineOf(team), lineOf(team, 1)];
  const names = Array.from({ length: 24 }, (_, at) => `c${at}`);
  const ids: string[] = [];
  for (const name of names) ids.push(await bo.createChannel(name));
  for (const id of ids) await ana.change({ op: "channel.join", args: { id } });
  const desk = await liveDesk(stage, team);
  const { page } = desk;
  await shellIsKept(page);
  const last = channelLink(page, "c23");
  await last.waitFor();
  await bo.post(ids[23]!, ["The plan is A"]);
  await eventually(async () =>
    (await rowsOnDisk(page, "messages")).some((row) => JSON.stringify(row).includes("The plan is A")),
  ).toBe(true);
  // Else that is done ten seconds after the last time, however far this has come by then.
  const readAgain = new RegExp(`_${ids[23]}/changes`);
  await desk.context.route(readAgain, () => undefined);
  await bo.post(ids[23]!, ["No, it is B"]);
  const heads = async (): Promise<boolean> =>
    (await rowsOnDisk(page, "heads")).some(
      (row) => JSON.stringify(row).includes(ids[23]!) && JSON.stringify(row).includes('"top":4'),
    );
  await eventually(heads).toBe(true);
  await cutOff(desk);
  await last.click();
  await message(page, "The plan is A").waitFor();
  await page.getByText("Newer messages aren't on this device yet.").waitFor();
  await inspect(page, "truth-behind");
  await desk.context.unroute(readAgain);
  await plugIn(desk);
  await message(page, "No, it is B").waitFor();
  await eventually(() => page.getByText("Newer messages aren't on this device yet.").count()).toBe(0);
});

test("[AU3] the session's end is said without a flicker; reading goes on and the outbox waits", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const bo = await liveDesk(stage, team, 1);
  await say(bo.page, "Before the end");
  await isDelivered(bo.page, "Before the end");
  await team.people[1]!.post("/api/auth/sign-out", {});
  await eventually(() => connectionState(bo.page), 30_000).toBe("signed-out");
  const states = await watchStates(bo.page);
  await bo.page.evaluate(() => dispatchEvent(new Event("focus")));
  await say(bo.page, "Waits for me");
  await isQueued(bo.page, "Waits for me");
  await eventually(() => connection(bo.page).first().innerText()).toBe("Sign in again, 1 waiting");
  await message(bo.page, "Before the end").waitFor();
  await bo.page.evaluate(() => dispatchEvent(new Event("focus")));
  await inspect(bo.page, "truth-signed-out");
  expect(await states()).toEqual(["signed-out"]);

  // Nor does it promise to deliver by itself what only they can let go.
  await account(bo.page, "Sign out");
  const dialog = bo.page.getByRole("dialog", { name: "Sign out" });
  await dialog.getByText("Your session has ended, so nothing can be sent.").waitFor();
  expect(await dialog.getByRole("button", { name: "Deliver, then sign out" }).count()).toBe(0);
  await inspect(bo.page, "truth-signed-out-leaving");
  await dialog.getByRole("button", { name: "Sign in again" }).click();
  await bo.page.waitForURL(/\/sign-in/);
  await signIn(bo.page, team.people[1]!);
  await bo.page.waitForURL(/\/w\//);
  await isDelivered(bo.page, "Waits for me");
});

test("who works offline by choice is told so where a network is needed, and is online again by signing in", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const ana = team.people[0]!;
  const desk = await liveDesk(stage, team);
  const { page } = desk;
  await ana.post("/api/auth/sign-out", {});
  await eventually(() => connectionState(page)).toBe("signed-out");
  await account(page, "Work offline");
  await eventually(() => connection(page).first().innerText()).toBe("Offline: you chose to work offline");
  await say(page, "Waits for me");
  await isQueued(page, "Waits for me");
  await desk.go("/join/none");
  await page.getByText("You chose to work offline, and this needs the network.").waitFor();
  await inspect(page, "truth-chosen-join");
  await desk.go("/sign-in");
  await signIn(page, ana);
  await page.waitForURL(/\/w\//);
  await isDelivered(page, "Waits for me");
});

test("where somebody's session has ended who works offline by choice, another person gets in", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const [ana, bo] = team.people;
  const desk = await liveDesk(stage, team);
  const { page } = desk;
  await ana!.post("/api/auth/sign-out", {});
  await eventually(() => connectionState(page)).toBe("signed-out");
  await account(page, "Work offline");
  await say(page, "Of Ana");
  await isQueued(page, "Of Ana");
  await desk.go("/sign-in");
  await signIn(page, bo!);
  await page.getByRole("button", { name: "Keep them and sign in" }).click();
  await page.waitForURL(/\/w\//);
  await isLive(page);
  expect(await lineOf(team, 1).texts(team.general)).toEqual([]);
});

test("[AU3] whose session ends while they deliver before signing out isn't told that they will be signed out", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const ana = await liveDesk(stage, team);
  await shellIsKept(ana.page);
  await cutOff(ana);
  await say(ana.page, "Before I go");
  await isQueued(ana.page, "Before I go");
  // With the token at hand it could still go.
  await ana.page.reload();
  await isQueued(ana.page, "Before I go");
  await account(ana.page, "Sign out");
  const dialog = ana.page.getByRole("dialog", { name: "Sign out" });
  await dialog.getByRole("button", { name: "Deliver, then sign out" }).click();
  await dialog.getByText("You're signed out when all is through").waitFor();
  await team.people[0]!.post("/api/auth/sign-out", {});
  await plugIn(ana);
  await dialog.getByText("Your session has ended, so nothing can be sent.").waitFor();
  expect(await dialog.getByText("You're signed out when all is through").count()).toBe(0);
  await dialog.getByRole("button", { name: "Sign in again" }).click();
  await ana.page.waitForURL(/\/sign-in/);
});

test("[AU6] a misconfigured endpoint is shown with its detail, and asked again", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const ana = await stage.desk({ person: team.people[0]! });
  await ana.context.route("**/api/rooms/auth", (route) =>
    route.fulfill({ status: 404, json: { message: "no route" } }),
  );
  await ana.go(channelPath(team));
  await eventually(() => connection(ana.page).first().innerText()).toBe("Offline: sign-in is misconfigured");
  await connection(ana.page).first().getByRole("link").click();
  // The event log quotes it a moment later.
  await ana.page.getByText("The authorisation endpoint is misconfigured: it answered 404.", { exact: true }).waitFor();
  await ana.page.getByText(/^Next try in \d+ seconds?$/).waitFor();
  await inspect(ana.page, "truth-misconfigured");
  // A minute lies between two tries: time to press before it tries by itself.
  await ana.page.getByText(/^Next try in [3-6]\d seconds$/).waitFor({ timeout: 60_000 });
  await ana.context.unroute("**/api/rooms/auth");
  await ana.page.getByRole("button", { name: "Try now" }).click();
  // The pill and the screen say it, each in its moment.
  await ana.page.getByText("Live", { exact: true }).first().waitFor();
});

/** As a browser's translator does: what may be translated, now or later, gives way to words of its own. */
function translate(): void {
  const within = (root: Node): void => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts = root instanceof Text ? [root] : [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      const parent = text.parentElement;
      if (parent === null || !parent.translate || parent.closest("font, textarea, title") !== null) continue;
      const words = document.createElement("font");
      words.textContent = text.data.toUpperCase();
      text.replaceWith(words);
    }
  };
  within(document.body);
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const added of addedNodes) within(added);
  }).observe(document.body, { subtree: true, childList: true });
}

test("a browser that translates pages leaves this one alone: its words would stand where the app's should change", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const ana = await liveDesk(stage, team);
  const { page } = ana;
  await page.evaluate(translate);
  await cutOff(ana);
  for (const text of ["One", "Two"]) await say(page, text);
  await eventually(() => connection(page).first().innerText()).toBe("Offline, 2 waiting");
  await plugIn(ana);
  await isDelivered(page, "Two");
  await eventually(() => connection(page).first().innerText()).toBe("Live");
});
