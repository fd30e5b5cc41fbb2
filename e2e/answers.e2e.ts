/** What a text that isn't sent yet answers is kept with it, whatever becomes of the page, and said when it is gone. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { account, signIn } from "./journeys/account.ts";
import {
  act,
  composer,
  editor,
  isAway,
  isDelivered,
  isLive,
  isQueued,
  message,
  say,
  sidebar,
} from "./journeys/channel.ts";
import { eventually } from "./journeys/eventually.ts";
import { inspect } from "./journeys/inspect.ts";
import { liveDesk } from "./journeys/live.ts";
import { plugIn, shellIsKept } from "./journeys/network.ts";
import { inOutbox, openOutbox } from "./journeys/outbox.ts";
import { channelPath, lineOf } from "./journeys/rooms.ts";
import { setStage, type Desk } from "./journeys/stage.ts";
import { makeTeam, type Team } from "./rig/people.ts";

const stage = setStage();

const replying = (page: Page) => page.getByText("Replying to Ana");

/** Ana said something, and Bo is at it. */
async function someoneAnswering(): Promise<{ readonly team: Team; readonly ana: Desk; readonly bo: Desk }> {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const [ana, bo] = await Promise.all(team.people.map((person) => stage.desk({ person })));
  await Promise.all([ana!.go(channelPath(team)), bo!.go(channelPath(team))]);
  await Promise.all([isLive(ana!.page), isLive(bo!.page)]);
  await say(ana!.page, "Crane is up at nine");
  await isDelivered(ana!.page, "Crane is up at nine");
  await act(bo!.page, "Crane is up", "Reply in thread");
  await replying(bo!.page).waitFor();
  return { team, ana: ana!, bo: bo! };
}

test("what a draft answers is there after a reload and in another tab, and goes with it, once", async () => {
  const { team, bo } = await someoneAnswering();
  await composer(bo.page).fill("On my way");
  await bo.page.reload();
  await eventually(() => composer(bo.page).inputValue()).toBe("On my way");
  await bo.page.getByText("Replying to Ana Crane is up at nine").waitFor();

  // One window of a screen has the focus; here every page thinks it has, and what is being typed is left alone.
  await composer(bo.page).blur();
  const other = await bo.tab(channelPath(team));
  await eventually(() => composer(other).inputValue()).toBe("On my way");
  await replying(other).waitFor();
  await composer(other).press("Enter");
  await isDelivered(other, "On my way");
  await message(other, "On my way")
    .getByRole("button", { name: /Ana Crane is up at nine/ })
    .waitFor();
  await eventually(() => replying(other).count()).toBe(0);
  await bo.page.bringToFront();
  await eventually(() => replying(bo.page).count()).toBe(0);
  await bo.page.reload();
  await isDelivered(bo.page, "On my way");
  expect(await replying(bo.page).count()).toBe(0);
  expect(await composer(bo.page).inputValue()).toBe("");
});

test("two tabs answer two messages of a channel, each the one that its own bar names", async () => {
  const { team, ana, bo } = await someoneAnswering();
  await say(ana.page, "Lunch at noon");
  await isDelivered(ana.page, "Lunch at noon");
  await composer(bo.page).fill("On my way");
  const other = await bo.tab(channelPath(team));
  await message(other, "Lunch at noon").waitFor();
  await act(other, "Lunch at noon", "Reply in thread");
  await other.getByText("Replying to Ana Lunch at noon").waitFor();
  await bo.page.bringToFront();
  await composer(bo.page).press("Enter");
  await isDelivered(bo.page, "On my way");
  await message(ana.page, "On my way")
    .getByRole("button", { name: /Ana Crane is up at nine/ })
    .waitFor();
  await other.bringToFront();
  await other.getByText("Replying to Ana Lunch at noon").waitFor();
  await composer(other).fill("Hungry");
  await composer(other).press("Enter");
  await message(ana.page, "Hungry")
    .getByRole("button", { name: /Ana Lunch at noon/ })
    .waitFor();
});

test("a tab that was away while its answer was sent in another one answers nothing any more", async () => {
  const { team, bo } = await someoneAnswering();
  await composer(bo.page).fill("On my way");
  const other = await bo.tab(channelPath(team));
  await eventually(() => composer(other).inputValue()).toBe("On my way");
  await bo.page.goto("about:blank");
  await replying(other).waitFor();
  await composer(other).press("Enter");
  await isDelivered(other, "On my way");
  await bo.go(channelPath(team));
  await isDelivered(bo.page, "On my way");
  expect(await replying(bo.page).count()).toBe(0);
  await say(bo.page, "Something else");
  await isDelivered(bo.page, "Something else");
  const held = (await lineOf(team).history(team.general)).slice(-2);
  expect(held.map((each) => !each.deleted && [each.text, each.root !== undefined])).toEqual([
    ["On my way", true],
    ["Something else", false],
  ]);
});

test("a draft that is an answer is one for who signs out and in again, too", async () => {
  const { team, bo } = await someoneAnswering();
  await composer(bo.page).fill("On my way");
  await account(bo.page, "Sign out");
  const dialog = bo.page.getByRole("dialog", { name: "Sign out" });
  await dialog.getByRole("button", { name: "Sign out", exact: true }).click();
  await bo.page.waitForURL(/\/(welcome|sign-in)/);
  await bo.go("/sign-in");
  await signIn(bo.page, team.people[1]!);
  await bo.page.waitForURL(/\/w\//);
  await bo.go(channelPath(team));
  await eventually(() => composer(bo.page).inputValue()).toBe("On my way");
  await replying(bo.page).waitFor();
  await composer(bo.page).press("Enter");
  await isDelivered(bo.page, "On my way");
  expect((await lineOf(team).history(team.general)).at(-1)).toMatchObject({
    text: "On my way",
    root: expect.any(String),
  });
});

test("an answer taken back from the Outbox is an answer in the composer", async () => {
  const { team, ana, bo } = await someoneAnswering();
  await shellIsKept(bo.page);
  bo.proxy.cut();
  await isAway(bo.page);
  await say(bo.page, "On my way");
  await isQueued(bo.page, "On my way");
  await sidebar(bo.page).getByRole("link", { name: "Outbox" }).click();
  await bo.page.getByRole("button", { name: "Take back" }).click();
  await eventually(() => bo.page.getByText("Nothing waits").count()).toBe(1);
  await bo.page.goBack();
  await eventually(() => composer(bo.page).inputValue()).toBe("On my way");
  await replying(bo.page).waitFor();
  expect(await lineOf(team).texts(team.general)).toEqual(["Crane is up at nine"]);

  // What has a number may stand there already, as this one does: it is deleted besides.
  await plugIn(bo);
  await isLive(bo.page);
  bo.proxy.swallowDown();
  await composer(bo.page).press("Enter");
  await message(ana.page, "On my way").waitFor();
  bo.proxy.cut();
  await isAway(bo.page);
  await sidebar(bo.page).getByRole("link", { name: "Outbox" }).click();
  await bo.page.getByText("it may have been delivered already, and taking it back deletes it there").waitFor();
  await inspect(bo.page, "take-back-numbered");
  await bo.page.getByRole("button", { name: "Take back" }).click();
  await bo.page.getByText("Deletion of a message").waitFor();
  expect(await bo.page.getByRole("button", { name: "Take back" }).count()).toBe(1);
  await bo.page.goBack();
  await eventually(() => composer(bo.page).inputValue()).toBe("On my way");
  await plugIn(bo);
  await eventually(() => message(ana.page, "On my way").count(), 60_000).toBe(0);
  expect(await lineOf(team).texts(team.general)).toEqual(["Crane is up at nine"]);
  expect(await composer(bo.page).inputValue()).toBe("On my way");
});

test("what is taken back answers what it did only where nothing stands in the composer, and leaves what does as it was", async () => {
  const { team, bo } = await someoneAnswering();
  const takeBack = async (text: string): Promise<void> => {
    await openOutbox(bo.page);
    await inOutbox(bo.page, text).getByRole("button", { name: "Take back" }).click();
    await inOutbox(bo.page, text).waitFor({ state: "detached" });
    await bo.page.goBack();
  };
  await shellIsKept(bo.page);
  bo.proxy.cut();
  await isAway(bo.page);
  await say(bo.page, "An answer");
  await isQueued(bo.page, "An answer");
  await say(bo.page, "By itself");
  await isQueued(bo.page, "By itself");

  // An answer that was begun, and isn't written: what comes back is none.
  await act(bo.page, "Crane is up", "Reply in thread");
  await replying(bo.page).waitFor();
  await takeBack("By itself");
  await eventually(() => composer(bo.page).inputValue()).toBe("By itself");
  expect(await replying(bo.page).count()).toBe(0);
  // What is written is none either, though an answer comes to stand in it.
  await takeBack("An answer");
  await eventually(() => composer(bo.page).inputValue()).toBe("An answer\nBy itself");
  expect(await replying(bo.page).count()).toBe(0);
  await plugIn(bo);
  await isLive(bo.page);
  await composer(bo.page).press("Enter");
  await isDelivered(bo.page, "By itself");
  const held = await lineOf(team).history(team.general);
  const texts = held.flatMap((each) => (each.deleted || each.system ? [] : [[each.text, each.root !== undefined]]));
  expect(texts).toEqual([
    ["Crane is up at nine", false],
    ["An answer\nBy itself", false],
  ]);
});

test("what was begun in answer to a message that is taken back stays, answers nothing, and goes", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const { page, ...desk } = await liveDesk(stage, team);
  desk.proxy.cut();
  await isAway(page);
  await say(page, "Crane at nine");
  await isQueued(page, "Crane at nine");
  await act(page, "Crane at nine", "Reply in thread");
  await composer(page).fill("With the long hook");
  await replying(page).waitFor();
  await openOutbox(page);
  await page.getByRole("button", { name: "Take back" }).click();
  await page.getByText("Nothing waits").waitFor();
  await page.goBack();
  await eventually(() => composer(page).inputValue()).toBe("Crane at nine\nWith the long hook");
  expect(await page.getByText("Replying to").count()).toBe(0);
  await composer(page).press("Enter");
  await plugIn(desk);
  await isDelivered(page, "With the long hook");
});

test("a draft whose message was deleted meanwhile says so, keeps its words and answers nothing", async () => {
  const { team, ana, bo } = await someoneAnswering();
  await composer(bo.page).fill("On my way");
  await bo.page.goto("about:blank");
  await act(ana.page, "Crane is up", "Delete");
  await ana.page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await eventually(() => message(ana.page, "Crane is up").count()).toBe(0);

  await bo.go(channelPath(team));
  await bo.page.getByRole("alert").getByText("The message you were replying to was deleted.").waitFor();
  expect(await replying(bo.page).count()).toBe(0);
  await eventually(() => composer(bo.page).inputValue()).toBe("On my way");
  await composer(bo.page).press("Enter");
  await message(ana.page, "On my way").waitFor();
  await eventually(() => bo.page.getByText("The message you were replying to was deleted.").count()).toBe(0);
  expect(await message(ana.page, "On my way").getByText("that is gone").count()).toBe(0);
});

test("what a text answers, and an edit that was begun, outlive the clearing of the browser's data under their tab", async () => {
  const { bo } = await someoneAnswering();
  await say(bo.page, "As it was");
  await isDelivered(bo.page, "As it was");
  await act(bo.page, "Crane is up", "Reply in thread");
  await composer(bo.page).fill("On my way");
  await act(bo.page, "As it was", "Edit");
  await editor(bo.page).fill("Half an edit");
  const session = await bo.context.newCDPSession(bo.page);
  const storageTypes = "indexeddb,local_storage";
  await session.send("Storage.clearDataForOrigin", { origin: bo.proxy.url, storageTypes });
  await bo.page.getByText("This browser's data for Causeway was cleared.").waitFor();
  await isLive(bo.page);
  await bo.page.reload();
  await eventually(() => composer(bo.page).inputValue()).toBe("On my way");
  await bo.page.getByText("Replying to Ana Crane is up at nine").waitFor();
  await message(bo.page, "As it was").getByRole("button", { name: "Go on" }).click();
  await eventually(() => editor(bo.page).inputValue()).toBe("Half an edit");
});

test("what was to answer a message that was refused, and is discarded, answers nothing, and what waited for it can be posted anew", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const second = await lineOf(team).createChannel("second");
  await lineOf(team, 1).change({ op: "channel.join", args: { id: second } });
  const bo = await stage.desk({ person: team.people[1]! });
  const { page } = bo;
  await bo.go(channelPath(team, second));
  await isLive(page);
  await shellIsKept(page);
  bo.proxy.cut();
  await isAway(page);
  await say(page, "Shall we pour?", "second");
  await isQueued(page, "Shall we pour?");
  await act(page, "Shall we pour?", "Reply in thread");
  await say(page, "At noon", "second");
  await isQueued(page, "At noon");
  await act(page, "Shall we pour?", "Reply in thread");
  await composer(page, "second").fill("Or later");
  await lineOf(team).archive(second);
  await plugIn(bo);
  await isLive(page, 60_000);
  const refused = page.locator("article").filter({ hasText: "archived" }).filter({ hasText: "Shall we pour?" });
  await refused.getByRole("button", { name: "Discard" }).click();
  const reply = message(page, "At noon");
  await reply.getByText("What it answers isn't in this channel.").waitFor();
  await lineOf(team).archive(second, false);
  await eventually(() => composer(page, "second").inputValue()).toBe("Or later");
  expect(await page.getByText(/Replying to/).count()).toBe(0);
  expect(await reply.getByRole("button", { name: "Edit and retry" }).count()).toBe(0);
  await inspect(page, "answers-nothing-left");
  await reply.getByRole("button", { name: "Post as a new message" }).click();
  await isDelivered(page, "At noon");
  await composer(page, "second").press("Enter");
  await isDelivered(page, "Or later");
  expect((await lineOf(team).history(second)).flatMap((each) => (each.deleted ? [] : [each.text]))).toEqual(
    expect.arrayContaining(["At noon", "Or later"]),
  );
});
