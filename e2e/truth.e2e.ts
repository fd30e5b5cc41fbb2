/** The truth, always: what the connection is, how old what one sees may be, and what became of what one wrote. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import {
  act,
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
import { eventually } from "./journeys/eventually.ts";
import { inspect } from "./journeys/inspect.ts";
import { plugIn, shellIsKept } from "./journeys/network.ts";
import { channelPath, lineOf } from "./journeys/rooms.ts";
import { type Desk, setStage } from "./journeys/stage.ts";
import { makeTeam, type Team } from "./rig/people.ts";

const stage = setStage();

async function live(team: Team, who = 0, channel?: string): Promise<Desk> {
  const desk = await stage.desk({ person: team.people[who]! });
  await desk.go(channel === undefined ? channelPath(team) : `/w/${team.workspace.slug}/c/${channel}`);
  await isLive(desk.page);
  await shellIsKept(desk.page);
  return desk;
}

/** Two devices of one person, who said this. */
async function both(team: Team, said: string): Promise<readonly [laptop: Desk, phone: Desk]> {
  const laptop = await live(team);
  await say(laptop.page, said);
  await isDelivered(laptop.page, said);
  const phone = await live(team);
  await message(phone.page, said).waitFor();
  return [laptop, phone];
}

async function cutOff(desk: Desk): Promise<void> {
  desk.proxy.cut();
  await eventually(() => connectionState(desk.page)).toBe("offline");
}

const inOutbox = (page: Page, text: string) =>
  page.getByRole("region", { name: "Outbox" }).getByRole("listitem").filter({ hasText: text });

async function openOutbox(page: Page): Promise<void> {
  await sidebar(page).getByRole("link", { name: "Outbox" }).click();
  await page.getByRole("region", { name: "Outbox" }).waitFor();
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

test("offline says since when, counts down to the next try, and goes back by hand; also after a start without a network", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const ana = await live(team);
  await cutOff(ana);
  const { page } = ana;
  await page.getByText(/^Up to date as of \d\d:\d\d$/).waitFor();
  await eventually(() => page.getByRole("button", { name: "Try now" }).innerText()).toMatch(/\d s$/);
  // What ticks is not in what a screen reader is told.
  expect(await connection(page).first().innerText()).toBe("Offline");
  await inspect(page, "truth-offline");

  await page.reload();
  await composer(page).waitFor();
  await eventually(() => connectionState(page)).toBe("offline");
  await page.getByText(/^Up to date as of \d\d:\d\d$/).waitFor();

  ana.proxy.up();
  await page.getByRole("button", { name: "Try now" }).click();
  await isLive(page);
  await eventually(() => page.getByText(/^Up to date as of/).count()).toBe(0);
});

test("the pill never flickers: offline stays offline through tries that fail, and goes by catching up or live alone", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const ana = await live(team);
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
  expect(course).toMatch(/^live (reconnecting )?offline (catching-up )?live$/);
});

test("work offline: no socket, no call, in any tab, through a reload; and back", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const ana = await live(team);
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

test("the event log tells what happened, and neither it nor the report holds a text, a name or a token", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const ana = await live(team);
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
  const report = await ana.page.evaluate(() => navigator.clipboard.readText());
  expect(report).toContain('"delivered"');
  for (const secret of ["secret of mine", "general", "Ana", "Harbour", "eyJ"]) expect(report).not.toContain(secret);
});

test("what was written long before it was delivered says both times, to everybody, and stands by its place", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const bo = await live(team, 1);
  const ana = await stage.desk({ person: team.people[0]! });
  // A device whose clock is three hours behind: what it writes now says so.
  await ana.context.addInitScript(() => {
    const now = Date.now;
    Date.now = () => now() - 3 * 3_600_000;
  });
  await ana.go(channelPath(team));
  await isLive(ana.page);
  await say(bo.page, "Before it");
  await message(ana.page, "Before it").waitFor();
  await say(ana.page, "Written at sea");
  for (const { page } of [ana, bo]) {
    await isDelivered(page, "Written at sea");
    const late = message(page, "Written at sea").getByText(/^written .*\d\d:\d\d offline, delivered .*\d\d:\d\d$/);
    await late.waitFor();
    const named = await message(page, "Written at sea").getAttribute("aria-labelledby");
    expect(named?.split(" ")).toContain(await late.getAttribute("id"));
  }
  await inspect(bo.page, "truth-late");
  const texts = (await lineOf(team).history(team.general)).flatMap((entry) => (entry.deleted ? [] : [entry.text]));
  expect(texts.slice(-2)).toEqual(["Before it", "Written at sea"]);
});

test("edited elsewhere while an edit waited: the later stands, and both devices can read the other", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const [laptop, phone] = await both(team, "As it was");
  await cutOff(laptop);
  await edit(laptop.page, "As it was", "From the laptop");
  await message(laptop.page, "From the laptop").waitFor();
  await edit(phone.page, "As it was", "From the phone");
  await eventually(() => message(phone.page, "From the phone").getByText("change waiting").count()).toBe(0);
  await plugIn(laptop);
  for (const { page } of [laptop, phone]) {
    const shown = message(page, "From the laptop");
    await shown.getByText("Edited elsewhere meanwhile").waitFor();
    await shown.getByRole("button", { name: "Show the other version" }).click();
    await shown.getByText("From the phone").waitFor();
  }
  await inspect(laptop.page, "truth-edited");
  await message(phone.page, "From the laptop").getByRole("button", { name: "Use this version" }).click();
  await message(laptop.page, "From the phone").waitFor();
  await eventually(() => laptop.page.getByText("Edited elsewhere meanwhile").count()).toBe(0);
});

test("edited elsewhere or deleted while one is typing: it is said in the editor, and nothing typed is lost", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const [laptop, phone] = await both(team, "As it was");
  await act(laptop.page, "As it was", "Edit");
  const editor = laptop.page.getByRole("textbox", { name: "Edit message" });
  await editor.fill("Half a tho");
  await edit(phone.page, "As it was", "From the phone");
  await laptop.page.getByText("Edited elsewhere meanwhile. It now says:").waitFor();
  await laptop.page.getByText("From the phone").first().waitFor();
  await act(phone.page, "From the phone", "Delete");
  await phone.page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await laptop.page.getByText("This message was deleted meanwhile.").waitFor();
  await editor.fill("A whole thought");
  await laptop.page.getByRole("button", { name: "Post as a new message" }).click();
  await isDelivered(laptop.page, "A whole thought");
  await message(phone.page, "A whole thought").waitFor();
});

test("Enter twice on the edit of a message that was deleted meanwhile posts its words once", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const [laptop, phone] = await both(team, "Soon deleted");
  await act(laptop.page, "Soon deleted", "Edit");
  const editor = laptop.page.getByRole("textbox", { name: "Edit message" });
  await editor.fill("Better words");
  await act(phone.page, "Soon deleted", "Delete");
  await phone.page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await laptop.page.getByText("This message was deleted meanwhile.").waitFor();
  await editor.evaluate((field) => {
    const enter = { key: "Enter", code: "Enter", bubbles: true, cancelable: true };
    for (const _ of [1, 2]) field.dispatchEvent(new KeyboardEvent("keydown", enter));
  });
  await isDelivered(laptop.page, "Better words");
  await eventually(() => editor.count()).toBe(0);
  const history = await lineOf(team, 1).history(team.general);
  expect(history.flatMap((entry) => (entry.deleted || entry.system ? [] : [entry.text]))).toEqual(["Better words"]);
});

test("[OP9] deleted meanwhile: an edit and a reaction stay with the reason, hold nothing up, and have ways out", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const ana = await live(team);
  await say(ana.page, "Mine to change");
  await isDelivered(ana.page, "Mine to change");
  const [bosId] = await lineOf(team, 1).post(team.general, ["Bo's to like"]);
  await message(ana.page, "Bo's to like").waitFor();
  const mineId = await message(ana.page, "Mine to change").getAttribute("data-message-id");
  await cutOff(ana);
  await edit(ana.page, "Mine to change", "Better words");
  await act(ana.page, "Bo's to like", "React");
  await ana.page.getByRole("button", { name: "🎉" }).first().click();
  await say(ana.page, "Nothing to do with it");
  await lineOf(team).inChannel(team.general, { op: "message.delete", args: { id: mineId } });
  await lineOf(team, 1).inChannel(team.general, { op: "message.delete", args: { id: bosId } });
  await plugIn(ana);
  await isDelivered(ana.page, "Nothing to do with it");
  const refused = message(ana.page, "Your edit wasn't taken. The message was deleted.");
  await refused.getByText("Better words").waitFor();
  await inspect(ana.page, "truth-deleted");
  await openOutbox(ana.page);
  const reaction = inOutbox(ana.page, "Reaction 🎉");
  await reaction.getByText("The message was deleted.").waitFor();
  expect(await reaction.getByRole("button", { name: "Try again" }).count()).toBe(0);
  await inspect(ana.page, "truth-outbox-deleted");
  await reaction.getByRole("button", { name: "Discard" }).click();
  await inOutbox(ana.page, "Better words").getByRole("button", { name: "Post as a new message" }).click();
  await ana.page.getByText("Nothing waits").waitFor();
  await channelLink(ana.page, "general").click();
  await isDelivered(ana.page, "Better words");
});

test("archived meanwhile: the message stays with the reason and goes to another channel", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const bosLine = lineOf(team, 1);
  const launch = await lineOf(team).createChannel("launch");
  await bosLine.change({ op: "channel.join", args: { id: launch } });
  const bo = await live(team, 1, launch);
  await composer(bo.page, "launch").waitFor();
  await cutOff(bo);
  await say(bo.page, "Too late for this one", "launch");
  await lineOf(team).change({ op: "channel.archive", args: { id: launch, on: true } });
  await plugIn(bo);
  await message(bo.page, "Too late for this one").getByText("#launch is archived.").waitFor();
  await inspect(bo.page, "truth-archived");
  await message(bo.page, "Too late for this one").getByRole("link", { name: "Move to another channel" }).click();
  const item = inOutbox(bo.page, "Too late for this one");
  for (const way of ["Try again", "Edit and retry", "Copy", "Discard"])
    await item.getByRole("button", { name: way, exact: true }).waitFor();
  await item.getByRole("button", { name: "Move to another channel" }).click();
  await item.getByRole("combobox").selectOption({ label: "#general" });
  await item.getByRole("button", { name: "Move", exact: true }).click();
  await channelLink(bo.page, "general").click();
  await isDelivered(bo.page, "Too late for this one");
});

test("[RV5] [AU4] removed from the channel meanwhile: what was sent and what was being written stay in the Outbox", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const bosId = (await team.people[1]!.me()).user.id;
  const secret = await lineOf(team).createChannel("secret", { access: "private", members: [bosId] });
  const bo = await live(team, 1, secret);
  await composer(bo.page, "secret").waitFor();
  await cutOff(bo);
  await say(bo.page, "Sent too late", "secret");
  await isQueued(bo.page, "Sent too late");
  await composer(bo.page, "secret").fill("Half a thought");
  await lineOf(team).change({ op: "channel.members", args: { id: secret, add: [], remove: [bosId] } });
  await plugIn(bo);
  await bo.page.getByText("This channel isn't here").waitFor();
  await bo.page.getByRole("link", { name: "Outbox" }).last().click();
  await inOutbox(bo.page, "Sent too late").getByText("You no longer have access to this channel.").waitFor();
  const draft = inOutbox(bo.page, "Half a thought");
  await draft.getByText("You can't see the channel any more").waitFor();
  await inspect(bo.page, "truth-removed");
  await inOutbox(bo.page, "Sent too late").getByRole("button", { name: "Discard" }).click();
  await draft.getByRole("button", { name: "Move to another channel" }).click();
  await draft.getByRole("button", { name: "Move", exact: true }).click();
  await eventually(() => composer(bo.page).inputValue()).toBe("Half a thought");
  await openOutbox(bo.page);
  await bo.page.getByText("Nothing waits").waitFor();
});

test("[OP9] a name taken meanwhile: the channel says so, what was written in it waits with it, and goes when it is renamed", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const ana = await live(team);
  await cutOff(ana);
  await sidebar(ana.page).getByRole("button", { name: "Create channel" }).click();
  await ana.page.getByRole("textbox", { name: "Channel name" }).fill("crane");
  await ana.page.getByRole("dialog").getByRole("button", { name: "Create channel" }).click();
  await say(ana.page, "First words", "crane");
  await isQueued(ana.page, "First words");
  await lineOf(team, 1).createChannel("crane");
  await plugIn(ana);
  await ana.page.getByText("#crane couldn't be created. That name is taken.").waitFor();
  await inspect(ana.page, "truth-taken");
  await ana.page.getByRole("link", { name: "Mend it in the Outbox" }).click();
  await inOutbox(ana.page, "First words").getByText("which needs attention; it goes when that is mended").waitFor();
  await inspect(ana.page, "truth-outbox-taken");
  const creation = inOutbox(ana.page, "That name is taken.");
  await creation.getByRole("button", { name: "Rename channel" }).first().click();
  expect(await ana.page.getByRole("textbox", { name: "Channel name" }).inputValue()).toBe("crane-2");
  await ana.page.getByRole("textbox", { name: "Channel name" }).press("Enter");
  await ana.page.getByText("Nothing waits").waitFor();
  await channelLink(ana.page, "crane-2").click();
  await isDelivered(ana.page, "First words");
});

test("a role lost meanwhile: what only an admin may do stays in the Outbox with the reason", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const bosId = (await team.people[1]!.me()).user.id;
  const asOwner = lineOf(team);
  await asOwner.change({ op: "member.role", args: { user: bosId, role: "admin" } });
  const launch = await asOwner.createChannel("launch");
  await lineOf(team, 1).change({ op: "channel.join", args: { id: launch } });
  const bo = await live(team, 1, launch);
  await bo.page.getByRole("button", { name: "Channel menu" }).click();
  await bo.page.getByRole("menuitem", { name: "Archive channel" }).waitFor();
  await bo.page.keyboard.press("Escape");
  await cutOff(bo);
  await bo.page.getByRole("button", { name: "Channel menu" }).click();
  await bo.page.getByRole("menuitem", { name: "Archive channel" }).click();
  await bo.page.getByRole("dialog").getByRole("button", { name: "Archive" }).click();
  await asOwner.change({ op: "member.role", args: { user: bosId, role: "member" } });
  await plugIn(bo);
  await isLive(bo.page);
  await openOutbox(bo.page);
  const item = inOutbox(bo.page, "Archiving of a channel");
  await item.getByText("Only admins may archive a channel.").waitFor();
  await item.getByRole("button", { name: "Discard" }).click();
  await bo.page.getByText("Nothing waits").waitFor();
  await channelLink(bo.page, "launch").waitFor();
});

test("a channel whose history never came says that, and why; it never looks empty", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const elsewhere = await lineOf(team).createChannel("elsewhere");
  await lineOf(team).post(elsewhere, ["Something was said here"]);
  const bo = await live(team, 1);
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
  await inspect(bo.page, "truth-not-here");
  await plugIn(bo);
  await message(bo.page, "Something was said here").waitFor();
});

test("[AU3] the session's end is said without a flicker; reading goes on and the outbox waits", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const bo = await live(team, 1);
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
  await ana.page.getByText("The authorisation endpoint is misconfigured: it answered 404.").waitFor();
  await ana.page.getByText(/^Next try in \d+ seconds?$/).waitFor();
  await inspect(ana.page, "truth-misconfigured");
  await ana.context.unroute("**/api/rooms/auth");
  await ana.page.getByRole("button", { name: "Try now" }).click();
  await ana.page.getByText("Live", { exact: true }).waitFor();
});

async function edit(page: Page, before: string, after: string): Promise<void> {
  await act(page, before, "Edit");
  await page.getByRole("textbox", { name: "Edit message" }).fill(after);
  await page.getByRole("textbox", { name: "Edit message" }).press("Enter");
}
