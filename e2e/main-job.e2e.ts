/** Two people talk: from an empty deployment to a conversation, with everything one does in a channel. */
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import {
  act,
  channelLink,
  composer,
  connection,
  isDelivered,
  isLive,
  message,
  messages,
  say,
  shown,
  sidebar,
  standAlike,
} from "./journeys/channel.ts";
import { readUpTo, rowsOnDisk } from "./journeys/disk.ts";
import { eventually } from "./journeys/eventually.ts";
import { channelPath, lineOf } from "./journeys/rooms.ts";
import { type Desk, setStage } from "./journeys/stage.ts";
import { makeTeam, PASSWORD, type Team } from "./rig/people.ts";

const stage = setStage();

/** A read position leaves every quarter of a minute. */
const READ_WITHIN_MS = 45_000;

/** Two people of one team in #general, both live. */
async function twoDesks(): Promise<{ team: Team; ana: Desk; bo: Desk }> {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const [ana, bo] = await Promise.all(team.people.map((person) => stage.desk({ person })));
  await Promise.all([ana!.go(channelPath(team)), bo!.go(channelPath(team))]);
  await Promise.all([isLive(ana!.page), isLive(bo!.page)]);
  return { team, ana: ana!, bo: bo! };
}

test("an empty deployment becomes a conversation of two, live both ways", async () => {
  const [ana, bo] = await Promise.all([stage.desk(), stage.desk()]);
  await ana.go("/");
  await ana.page.getByRole("link", { name: "Create a workspace" }).click();
  await ana.page.getByRole("textbox", { name: "Name" }).fill("Ana");
  await ana.page.getByRole("textbox", { name: "Email" }).fill("ana@example.org");
  await ana.page.getByLabel("Password").fill(PASSWORD);
  await ana.page.getByRole("button", { name: "Create account" }).click();
  await ana.page.getByRole("textbox", { name: "Workspace name" }).fill("North pier");
  await ana.page.getByRole("button", { name: "Create workspace" }).click();
  await composer(ana.page).waitFor();
  await isLive(ana.page);
  expect(await messages(ana.page).count()).toBe(0);

  await ana.page.getByRole("button", { name: "Invite people" }).click();
  await ana.page.getByRole("button", { name: "Make a link" }).click();
  const shownLink = ana.page.getByRole("textbox", { name: "Invitation link" });
  const link = await shownLink.inputValue();

  await bo.go(new URL(link).pathname);
  await bo.page.getByRole("heading", { name: "Join North pier" }).waitFor();
  await bo.page.getByText("Ana invites you.").waitFor();
  await bo.page.getByRole("button", { name: "Join" }).click();
  await bo.page.getByRole("textbox", { name: "Name" }).fill("Bo");
  await bo.page.getByRole("textbox", { name: "Email" }).fill("bo@example.org");
  await bo.page.getByLabel("Password").fill(PASSWORD);
  await bo.page.getByRole("button", { name: "Create account" }).click();
  await isLive(bo.page);
  await say(bo.page, "The first line");
  await message(ana.page, "The first line").waitFor();
  // Which is shown once, and not taken out of her hands.
  expect(await shownLink.inputValue()).toBe(link);
  await ana.page.keyboard.press("Escape");

  await say(bo.page, "Hello from Bo");
  await message(ana.page, "Hello from Bo").waitFor();
  // Who was there first hears of who came.
  await ana.page.getByRole("button", { name: "2 members, 2 here" }).waitFor();
  await say(ana.page, "Hello from Ana");
  await message(bo.page, "Hello from Ana").waitFor();
  await standAlike(ana.page, bo.page);
  const last = (await shown(bo.page)).at(-1)!;
  expect(last.text).toMatch(/Ana\s+\d{1,2}:\d{2}/);
});

test("a mention is completed while typing and stands out for whom it names", async () => {
  const { ana, bo } = await twoDesks();
  await composer(ana.page).pressSequentially("Lift plan is with @b");
  await ana.page.getByRole("option", { name: "Bo" }).waitFor();
  await composer(ana.page).press("Enter");
  await composer(ana.page).pressSequentially("now");
  await composer(ana.page).press("Enter");
  await message(bo.page, "Lift plan is with @Bo now").waitFor();
  await isDelivered(ana.page, "Lift plan is with @Bo now");
  const background = (desk: Desk): Promise<string> =>
    message(desk.page, "Lift plan is with").evaluate((article) => getComputedStyle(article).backgroundColor);
  await ana.page.mouse.move(0, 0);
  expect(await background(bo)).not.toBe(await background(ana));
});

test("what looks like a mention and names nobody stands there as it was written, in code too", async () => {
  const { ana, bo } = await twoDesks();
  await say(ana.page, "A `List<@NonNull>` for <@nobody> there");
  for (const { page } of [ana, bo]) await message(page, "A List<@NonNull> for <@nobody> there").waitFor();
});

test("whose name is completed is named by the next Enter, though somebody else's begins with it", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo", "Bo Smith"]);
  const desk = await stage.desk({ person: team.people[0]! });
  const { page } = desk;
  await desk.go(channelPath(team));
  await isLive(page);
  const options = page.getByRole("option");
  await composer(page).pressSequentially("Thanks @bo");
  await eventually(() => options.count()).toBe(2);
  await composer(page).press("Enter");
  await eventually(() => composer(page).inputValue()).toBe("Thanks @Bo ");
  expect(await options.count()).toBe(0);
  // Whoever goes back into the name is offered both again.
  await composer(page).press("Backspace");
  await eventually(() => options.count()).toBe(2);
  await composer(page).press("Enter");
  // And in a second one.
  await composer(page).pressSequentially("and @bo");
  await eventually(() => options.count()).toBe(2);
  await composer(page).press("ArrowDown");
  await composer(page).press("Enter");
  await composer(page).press("Enter");
  await isDelivered(page, "Thanks @Bo and @Bo Smith");
});

test("of two people of one name the one who was picked is named, also after a reload and an edit", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Sam Lee", "Sam Lee"]);
  const [, ...sams] = await Promise.all(team.people.map(async (person) => (await person.me()).user.id));
  const desk = await stage.desk({ person: team.people[0]! });
  const { page } = desk;
  await desk.go(channelPath(team));
  await isLive(page);
  await composer(page).pressSequentially("Thanks @sa");
  await eventually(() => page.getByRole("option", { name: /^Sam Lee/ }).count()).toBe(2);
  await composer(page).press("ArrowDown");
  await composer(page).press("Enter");
  const typed = await composer(page).inputValue();
  const picked = sams.filter((user) => typed === `Thanks @Sam Lee#${user.slice(-6)} `);
  expect(picked).toHaveLength(1);

  await page.reload();
  await eventually(() => composer(page).inputValue()).toBe(typed);
  await composer(page).press("Enter");
  await isDelivered(page, "Thanks @Sam Lee");
  expect(await lineOf(team).texts(team.general)).toEqual([`Thanks <@${picked[0]}>`]);

  await composer(page).press("ArrowUp");
  const editor = page.getByRole("textbox", { name: "Edit message" });
  await editor.press("End");
  await editor.pressSequentially("!");
  await editor.press("Enter");
  await eventually(() => lineOf(team).texts(team.general)).toEqual([`Thanks <@${picked[0]}>!`]);
});

test("a message is edited, reacted to, answered with a quote and deleted, for both", async () => {
  const { ana, bo } = await twoDesks();
  await say(ana.page, "Crane is up at nein");
  await message(bo.page, "Crane is up at nein").waitFor();

  await act(ana.page, "Crane is up", "Edit");
  await ana.page.getByRole("textbox", { name: "Edit message" }).fill("Crane is up at nine");
  await ana.page.getByRole("textbox", { name: "Edit message" }).press("Enter");
  await message(bo.page, "Crane is up at nine").getByText("(edited)").waitFor();

  await act(bo.page, "Crane is up", "React");
  await bo.page.getByRole("button", { name: "👍" }).first().click();
  await message(ana.page, "Crane is up at nine").getByRole("button", { name: "👍 Bo" }).click();
  await message(bo.page, "Crane is up at nine")
    .getByRole("button", { name: /👍 Bo and Ana/ })
    .waitFor();
  await message(bo.page, "Crane is up at nine").getByRole("button", { name: /👍/ }).click();
  await message(ana.page, "Crane is up at nine").getByRole("button", { name: "👍 Ana" }).waitFor();

  await act(bo.page, "Crane is up", "Reply in thread");
  await bo.page.getByText("Replying to Ana").waitFor();
  await say(bo.page, "On my way");
  await message(ana.page, "On my way")
    .getByRole("button", { name: /Ana Crane is up at nine/ })
    .waitFor();
  expect(await bo.page.getByText("Replying to Ana").count()).toBe(0);

  await composer(ana.page).press("ArrowUp");
  await ana.page.getByRole("textbox", { name: "Edit message" }).press("Escape");
  await act(ana.page, "Crane is up at nine", "Delete");
  await ana.page.getByText("A line remains that says so.").waitFor();
  await ana.page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await messages(bo.page).first().getByText("This message was deleted.").waitFor();
  await eventually(() => message(bo.page, "Crane is up at nine").count()).toBe(0);
  await message(bo.page, "On my way").getByText("a message that is gone").waitFor();
  await standAlike(ana.page, bo.page);
});

test("a channel is created, found, joined, given a topic, renamed, archived and left", async () => {
  const { ana, bo } = await twoDesks();
  await sidebar(ana.page).getByRole("button", { name: "Create channel" }).click();
  await ana.page.getByRole("textbox", { name: "Channel name" }).fill("Site B");
  await ana.page.getByRole("dialog").getByRole("button", { name: "Create channel" }).click();
  await composer(ana.page, "site-b").waitFor();
  await say(ana.page, "Anyone here?", "site-b");
  await isDelivered(ana.page, "Anyone here?");

  await sidebar(bo.page).getByRole("link", { name: "Browse channels" }).click();
  await bo.page.getByRole("button", { name: "Join #site-b" }).click();
  await channelLink(bo.page, "site-b").click();
  await message(bo.page, "Anyone here?").waitFor();
  await ana.page.getByText("Bo joined").waitFor();
  await say(bo.page, "Me", "site-b");
  await message(ana.page, "Me").waitFor();

  const choose = async (item: string): Promise<void> => {
    await ana.page.getByRole("button", { name: "Channel menu" }).click();
    await ana.page.getByRole("menuitem", { name: item }).click();
  };
  await choose("Set topic");
  await ana.page.getByRole("textbox", { name: "Topic" }).fill("Concrete on Monday");
  await ana.page.getByRole("button", { name: "Save topic" }).click();
  await bo.page.getByText("Ana set the topic: Concrete on Monday").waitFor();
  await bo.page.getByRole("banner").or(bo.page.locator("header")).getByText("Concrete on Monday").first().waitFor();

  await choose("Rename channel");
  await ana.page.getByRole("textbox", { name: "Channel name" }).fill("site-c");
  await ana.page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
  await bo.page.getByText("Ana renamed this channel from #site-b to #site-c").waitFor();
  await channelLink(bo.page, "site-c").waitFor();

  await choose("Archive channel");
  await ana.page.getByRole("dialog").getByRole("button", { name: "Archive" }).click();
  await bo.page.getByText("This channel is archived.").first().waitFor();
  await eventually(() => composer(bo.page, "site-c").count()).toBe(0);
  await choose("Bring channel back");
  await composer(bo.page, "site-c").waitFor();

  await bo.page.getByRole("button", { name: "Channel menu" }).click();
  await bo.page.getByRole("menuitem", { name: "Leave channel" }).click();
  await bo.page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
  await eventually(() => channelLink(bo.page, "site-c").count()).toBe(0);
  await ana.page.getByText("Bo left").waitFor();
});

test("one goes to another workspace and comes back; each composer keeps its own words", async () => {
  const { team, ana } = await twoDesks();
  const { page } = ana;
  await team.people[0]!.createWorkspace("Quay");
  await page.reload();
  await composer(page).fill("For the harbour");
  const go = async (from: string, to: string): Promise<void> => {
    await sidebar(page).getByRole("button", { name: from }).click();
    await page.getByRole("menuitem", { name: `Go to ${to}` }).click();
    await eventually(() => page.title()).toContain(`· ${to}`);
  };
  await go("Harbour", "Quay");
  await eventually(() => composer(page).inputValue()).toBe("");
  await say(page, "For the quay");
  await isDelivered(page, "For the quay");
  await go("Quay", "Harbour");
  await eventually(() => composer(page).inputValue()).toBe("For the harbour");
  expect(await lineOf(team).texts(team.general)).toEqual([]);
});

test("what is unread is marked in the sidebar and the title, and reading on one device clears the other", async () => {
  const { team, ana, bo } = await twoDesks();
  const other = await lineOf(team).createChannel("site-b");
  await lineOf(team, 1).change({ op: "channel.join", args: { id: other } });
  await channelLink(bo.page, "site-b").click();
  await composer(bo.page, "site-b").waitFor();
  // That he came is news, too, until he has seen it.
  const calm = "#site-b · Harbour";
  await eventually(() => bo.page.title()).toBe(calm);

  await say(ana.page, "Plain news");
  await eventually(() => channelLink(bo.page, "general").getAttribute("aria-describedby")).not.toBeNull();
  const described = async (desk: Desk): Promise<string> => {
    const id = await channelLink(desk.page, "general").getAttribute("aria-describedby");
    return id === null ? "" : desk.page.evaluate((id) => document.getElementById(id)?.textContent ?? "", id);
  };
  await eventually(() => described(bo)).toContain("unread");
  await eventually(() => bo.page.title()).not.toBe(calm);
  await eventually(() => bo.page.locator("link[rel=icon]").getAttribute("href")).toContain("unread");
  await say(ana.page, "And @Bo this is for you");
  await eventually(() => described(bo)).toContain("1 mention");
  await eventually(() => bo.page.title()).toContain("1");
  // Beside the workspace too.
  const status = await bo.tab("/status");
  for (const [link, screen] of [
    ["/status", "Sync status"],
    ["/me/appearance", "Appearance"],
    ["/me/offline", "Offline and storage"],
  ] as const) {
    await status.goto(new URL(link, bo.proxy.url).href);
    await eventually(() => status.title()).toBe(`(1) ${screen} · Harbour`);
  }
  await status.close();

  const phone = await stage.desk({ person: team.people[1]!, size: "phone" });
  await phone.go(channelPath(team));
  await message(phone.page, "And @Bo this is for you").waitFor();
  await eventually(() => described(bo), READ_WITHIN_MS).not.toContain("unread");
  await eventually(() => bo.page.title()).toBe(calm);
  // Else it reads on, and a quarter of a minute later nothing is unread here either.
  await phone.close();

  // Marked unread by whom it is for, it stays so while one looks on, whatever comes.
  await channelLink(bo.page, "general").click();
  await act(bo.page, "Plain news", "More");
  await bo.page.getByRole("menuitem", { name: "Mark unread from here" }).click();
  await eventually(() => described(bo)).toContain("unread");
  for (const text of ["News while one looks", "And more"]) {
    await say(ana.page, text);
    await message(bo.page, text).waitFor();
  }
  await channelLink(bo.page, "site-b").click();
  await composer(bo.page, "site-b").waitFor();
  expect(await described(bo)).toContain("unread");
  await channelLink(bo.page, "general").click();
  await eventually(() => described(bo)).not.toContain("unread");

  // Named in a reply, which makes no channel unread: the mark is all that a pinned tab shows.
  await channelLink(bo.page, "site-b").click();
  await composer(bo.page, "site-b").waitFor();
  await eventually(() => bo.page.title()).toBe(calm);
  const me = (await team.people[1]!.me()).user.id;
  const answered = (await lineOf(team).history(team.general)).find(
    (each) => !each.deleted && each.text === "Plain news",
  )!;
  const reply = { id: uuidv7(), root: answered.id, text: `<@${me}> can you come?`, mentions: [me] };
  await lineOf(team).inChannel(team.general, { op: "message.post", args: reply });
  await eventually(() => described(bo)).toBe("1 mention");
  await eventually(() => bo.page.title()).toBe(`(1) ${calm}`);
  await eventually(() => bo.page.locator("link[rel=icon]").getAttribute("href")).toContain("unread");
});

test("the New line stands before what came while away", async () => {
  const { team, ana, bo } = await twoDesks();
  await say(ana.page, "Seen by both");
  await message(bo.page, "Seen by both").waitFor();
  await isDelivered(ana.page, "Seen by both");
  // It is on the screen a moment before it counts as read.
  const place = Number(await message(bo.page, "Seen by both").getAttribute("data-seq"));
  await eventually(() => readUpTo(bo.page)).toBe(place);
  await sidebar(bo.page).getByRole("link", { name: "Outbox" }).click();
  await bo.page.getByRole("region", { name: "Outbox" }).waitFor();
  await say(ana.page, "Came while away");
  await isDelivered(ana.page, "Came while away");
  await bo.go(channelPath(team));
  await message(bo.page, "Came while away").waitFor();
  const lines = (): Promise<string[]> =>
    bo.page
      .getByRole("log")
      .evaluate((log) =>
        [...log.querySelectorAll("*")].flatMap((node) => (node.children.length === 0 ? [node.textContent] : [])),
      );
  const told = ["Seen by both", "New", "Came while away"];
  await eventually(async () => (await lines()).filter((line) => told.includes(line))).toEqual(told);
});

test("a draft survives a reload, per channel, and one goes on writing behind it", async () => {
  const { team, ana } = await twoDesks();
  const other = await lineOf(team).createChannel("site-b");
  await channelLink(ana.page, "site-b").waitFor();
  // Slowly enough for each letter to be stored, and to come back from the store, while the next ones are typed.
  await composer(ana.page).pressSequentially("Half", { delay: 255 });
  await composer(ana.page).pressSequentially(" a thought");
  await channelLink(ana.page, "site-b").click();
  await composer(ana.page, "site-b").fill("Another");
  await channelLink(ana.page, "general").click();
  await eventually(() => composer(ana.page).inputValue()).toBe("Half a thought");
  await ana.page.keyboard.type(" and more");
  await eventually(() => composer(ana.page).inputValue()).toBe("Half a thought and more");
  await ana.page.reload();
  await eventually(() => composer(ana.page).inputValue()).toBe("Half a thought and more");
  await ana.go(channelPath(team, other));
  await eventually(() => composer(ana.page, "site-b").inputValue()).toBe("Another");
});

test("on a phone the sidebar and the channel are levels of a stack, and one can talk", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const phone = await stage.desk({ person: team.people[0]!, size: "phone" });
  const bo = await stage.desk({ person: team.people[1]! });
  await phone.go(`/w/${team.workspace.slug}`);
  await bo.go(channelPath(team));
  await isLive(bo.page);
  await composer(phone.page).or(channelLink(phone.page, "general")).first().waitFor();
  if (await channelLink(phone.page, "general").isVisible()) await channelLink(phone.page, "general").tap();
  await isLive(phone.page);
  await eventually(() => sidebar(phone.page).isVisible()).toBe(false);
  await composer(phone.page).fill("From the phone");
  await phone.page.getByRole("button", { name: "Send" }).tap();
  await message(bo.page, "From the phone").waitFor();
  await say(bo.page, "To the phone");
  await message(phone.page, "To the phone").waitFor();
  await phone.page.getByRole("link", { name: "All channels" }).tap();
  await sidebar(phone.page).waitFor();
  await eventually(() => composer(phone.page).isVisible()).toBe(false);
  await connection(phone.page).first().waitFor();
  await channelLink(phone.page, "general").tap();
  await message(phone.page, "To the phone").waitFor();

  // A panel covers the channel as a whole: what comes behind it isn't seen until it is closed.
  const panel = phone.page.getByRole("complementary", { name: "Members" });
  await phone.page.getByRole("button", { name: "2 members" }).tap();
  await panel.waitFor();
  const before = await readUpTo(phone.page);
  for (const text of ["Behind the panel", "And more"]) {
    await say(bo.page, text);
    await eventually(async () => JSON.stringify(await rowsOnDisk(phone.page, "messages"))).toContain(text);
  }
  await eventually(() => phone.page.title()).toContain("•");
  expect(await readUpTo(phone.page)).toBe(before);
  await panel.getByRole("button", { name: "Close" }).tap();
  await message(phone.page, "And more").waitFor();
  await eventually(() => phone.page.title()).not.toContain("•");
});
