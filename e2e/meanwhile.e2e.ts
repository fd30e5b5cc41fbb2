/** What somebody else did meanwhile is shown, and what one wrote before is kept with its reason and a way out. */
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import {
  act,
  channelLink,
  composer,
  isAway,
  isDelivered,
  isLive,
  isQueued,
  message,
  say,
  sidebar,
  write,
} from "./journeys/channel.ts";
import { rowsOnDisk } from "./journeys/disk.ts";
import { eventually } from "./journeys/eventually.ts";
import { faultyDisk, hold } from "./journeys/faulty-disk.ts";
import { inspect } from "./journeys/inspect.ts";
import { cutOff, plugIn, shellIsKept } from "./journeys/network.ts";
import { liveDesk } from "./journeys/live.ts";
import { inOutbox, openOutbox } from "./journeys/outbox.ts";
import { channelPath, lineOf } from "./journeys/rooms.ts";
import { type Desk, setStage } from "./journeys/stage.ts";
import { SCREENS } from "./rig/browser.ts";
import { makeTeam, type Team } from "./rig/people.ts";

const stage = setStage();

/** Two devices of one person, who said this. */
async function both(team: Team, said: string): Promise<readonly [laptop: Desk, phone: Desk]> {
  const laptop = await liveDesk(stage, team);
  await say(laptop.page, said);
  await isDelivered(laptop.page, said);
  const phone = await liveDesk(stage, team);
  await message(phone.page, said).waitFor();
  return [laptop, phone];
}

/** The same, with this being typed in its place on the laptop. */
async function halfEdited(
  team: Team,
  said: string,
  typed: string,
): Promise<{ readonly laptop: Desk; readonly phone: Desk; readonly editor: Locator }> {
  const [laptop, phone] = await both(team, said);
  await act(laptop.page, said, "Edit");
  const editor = laptop.page.getByRole("textbox", { name: "Edit message" });
  await editor.fill(typed);
  return { laptop, phone, editor };
}

test("edited elsewhere while an edit waited: the later stands, and both devices can read the other", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const [laptop, phone] = await both(team, "As it was");
  await cutOff(laptop);
  await edit(laptop.page, "As it was", "From the laptop");
  await message(laptop.page, "From the laptop").getByText("change waiting").waitFor();
  await edit(phone.page, "As it was", "From the phone");
  await eventually(() => lineOf(team).texts(team.general)).toEqual(["From the phone"]);
  await plugIn(laptop);
  for (const { page } of [laptop, phone]) {
    const shown = message(page, "From the laptop");
    await shown.getByText("Another edit of yours, made here or elsewhere, was replaced by this one.").waitFor();
    await shown.getByRole("button", { name: "Show the other version" }).click();
    await shown.getByText("From the phone").waitFor();
  }
  await inspect(laptop.page, "truth-edited");
  await message(phone.page, "From the laptop").getByRole("button", { name: "Use this version" }).click();
  await message(laptop.page, "From the phone").waitFor();
  await eventually(() => laptop.page.getByText("Another edit of yours").count()).toBe(0);
});

test("edited elsewhere or deleted while one is typing: it is said in the editor, and nothing typed is lost", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const { laptop, phone, editor } = await halfEdited(team, "As it was", "Half a tho");
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

test("deleted while one looks elsewhere in the middle of an edit: what one typed is still there, also in a new page", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const ana = await liveDesk(stage, team);
  await say(ana.page, "Soon deleted");
  await isDelivered(ana.page, "Soon deleted");
  const id = await message(ana.page, "Soon deleted").getAttribute("data-message-id");
  await act(ana.page, "Soon deleted", "Edit");
  const editor = ana.page.getByRole("textbox", { name: "Edit message" });
  await editor.fill("Half a thought");
  // Taken back, it is no edit.
  await editor.fill("Soon deleted");
  await openOutbox(ana.page);
  await ana.page.getByText("Nothing waits").waitFor();
  await channelLink(ana.page, "general").click();
  await act(ana.page, "Soon deleted", "Edit");
  await editor.fill("Half a thought");
  await openOutbox(ana.page);
  await inOutbox(ana.page, "Half a thought").getByRole("link", { name: "Go to the message" }).click();
  const said = message(ana.page, "Soon deleted").getByRole("button", { name: "Go on" });
  await said.waitFor();
  await inspect(ana.page, "truth-unfinished-edit");
  await said.click();
  await eventually(() => editor.inputValue()).toBe("Half a thought");
  await openOutbox(ana.page);
  await inspect(ana.page, "truth-unfinished-outbox");
  await ana.page.evaluate(() => (navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"))));
  await inOutbox(ana.page, "Half a thought").getByRole("button", { name: "Copy" }).click();
  const byHand = ana.page.getByRole("textbox", { name: "Text to copy" });
  await eventually(() => byHand.evaluate((area) => document.activeElement === area)).toBe(true);
  expect(await ana.page.evaluate(() => getSelection()?.toString())).toBe("Half a thought");
  await inspect(ana.page, "truth-not-copied");
  await ana.page.getByRole("button", { name: "Close" }).first().click();
  await eventually(() => byHand.count()).toBe(0);
  await lineOf(team).inChannel(team.general, { op: "message.delete", args: { id } });
  await channelLink(ana.page, "general").click();
  await ana.page.getByText("This message was deleted meanwhile.").waitFor();
  await eventually(() => editor.inputValue()).toBe("Half a thought");
  await ana.page.reload();
  await ana.page.getByText("This message was deleted meanwhile.").waitFor();
  await eventually(() => editor.inputValue()).toBe("Half a thought");
  await inspect(ana.page, "truth-left-edit");
  await ana.page.getByRole("button", { name: "Post as a new message" }).click();
  await isDelivered(ana.page, "Half a thought");
  await eventually(() => editor.count()).toBe(0);
});

test("Enter twice on the edit of a message that was deleted meanwhile posts its words once", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const { laptop, phone, editor } = await halfEdited(team, "Soon deleted", "Better words");
  await act(phone.page, "Soon deleted", "Delete");
  await phone.page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await laptop.page.getByText("This message was deleted meanwhile.").waitFor();
  await editor.evaluate((field) => {
    const enter = { key: "Enter", code: "Enter", bubbles: true, cancelable: true };
    for (const _ of [1, 2]) field.dispatchEvent(new KeyboardEvent("keydown", enter));
  });
  // As long as the editor stands there, its words are those of the message that was deleted.
  await eventually(() => editor.count()).toBe(0);
  await isDelivered(laptop.page, "Better words");
  expect(await lineOf(team).texts(team.general)).toEqual(["Better words"]);
});

test("the edit of a message that was deleted meanwhile, posted while the disk hangs: who looks elsewhere and comes back can't post it twice", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const { laptop, phone, editor } = await halfEdited(team, "Soon deleted", "Better words");
  await act(phone.page, "Soon deleted", "Delete");
  await phone.page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await laptop.page.getByText("This message was deleted meanwhile.").waitFor();
  await laptop.page.evaluate(faultyDisk);
  await hold(laptop.page, { isHolding: true });
  await editor.press("Enter");
  await laptop.page.getByRole("link", { name: "Browse channels" }).click();
  await eventually(() => editor.count()).toBe(0);
  await channelLink(laptop.page, "general").click();
  await eventually(() => editor.inputValue()).toBe("Better words");
  await editor.press("Enter");
  await hold(laptop.page, {});
  await eventually(() => editor.count()).toBe(0);
  await isDelivered(laptop.page, "Better words");
  expect(await lineOf(team).texts(team.general)).toEqual(["Better words"]);
});

test("[OP9] deleted meanwhile: an edit and a reaction stay with the reason, hold nothing up, and have ways out", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const ana = await liveDesk(stage, team);
  await say(ana.page, "Mine to change");
  await isDelivered(ana.page, "Mine to change");
  const [bosId, pinnedId] = await lineOf(team, 1).post(team.general, ["Bo's to like", "Bo's to unpin"]);
  await lineOf(team).inChannel(team.general, { op: "message.pin", args: { id: pinnedId, on: true } });
  await message(ana.page, "Bo's to like").waitFor();
  await message(ana.page, "Bo's to unpin").getByText("Pinned").waitFor();
  const mineId = await message(ana.page, "Mine to change").getAttribute("data-message-id");
  await cutOff(ana);
  await edit(ana.page, "Mine to change", "Better words");
  await act(ana.page, "Bo's to like", "React");
  await ana.page.getByRole("button", { name: "🎉" }).first().click();
  await act(ana.page, "Bo's to unpin", "Unpin");
  await say(ana.page, "Nothing to do with it");
  await lineOf(team).inChannel(team.general, { op: "message.delete", args: { id: mineId } });
  for (const id of [bosId, pinnedId]) {
    await lineOf(team, 1).inChannel(team.general, { op: "message.delete", args: { id } });
  }
  await plugIn(ana);
  await isDelivered(ana.page, "Nothing to do with it");
  const refused = message(ana.page, "Your edit wasn't taken. The message was deleted.");
  await refused.getByText("Better words").waitFor();
  await message(ana.page, "The reaction wasn't taken. The message was deleted.").waitFor();
  await message(ana.page, "The message wasn't unpinned. The message was deleted.").waitFor();
  await inspect(ana.page, "truth-deleted");
  await openOutbox(ana.page);
  const reaction = inOutbox(ana.page, "Reaction 🎉");
  await reaction.getByText("The message was deleted.").waitFor();
  expect(await reaction.getByRole("button", { name: "Try again" }).count()).toBe(0);
  await inspect(ana.page, "truth-outbox-deleted");
  for (const each of [reaction, inOutbox(ana.page, "Unpinning of a message")]) {
    await each.getByRole("button", { name: "Discard" }).press("Enter");
  }
  await inOutbox(ana.page, "Better words").getByRole("button", { name: "Post as a new message" }).click();
  await ana.page.getByText("Nothing waits").waitFor();
  await channelLink(ana.page, "general").click();
  await isDelivered(ana.page, "Better words");
});

test("a topic left as it was takes back nobody's, and one that is being typed stays when one presses beside it", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const { page } = await liveDesk(stage, team);
  const topic = (text: string): Locator => page.getByTitle(text, { exact: true });
  const set = async (text: string): Promise<void> => {
    await lineOf(team).change({ op: "channel.update", args: { id: team.general, topic: text } });
    await topic(text).waitFor();
  };
  const ask = async (): Promise<void> => {
    await page.getByRole("button", { name: "Channel menu" }).click();
    await page.getByRole("menuitem", { name: "Set topic" }).click();
  };
  const dialog = page.getByRole("dialog", { name: "Topic of #general" });
  const save = (): Promise<void> => dialog.getByRole("button", { name: "Save topic" }).click();
  await set("First");
  await ask();
  await dialog.waitFor();
  await set("Second");
  await save();
  await dialog.waitFor({ state: "detached" });
  // After whatever the dialog did.
  await say(page, "And on");
  await isDelivered(page, "And on");
  await topic("Second").waitFor();

  await ask();
  await dialog.getByRole("textbox").fill("Third, with much thought");
  await page.mouse.click(5, 5);
  await save();
  await topic("Third, with much thought").waitFor();
});

test("a topic whose dialog is left while it is being saved is in the Outbox where the disk then fails, and nowhere once it is saved", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const { page } = await liveDesk(stage, team);
  await page.evaluate(faultyDisk);
  const setAndLeave = async (text: string): Promise<void> => {
    await channelLink(page, "general").click();
    await page.getByRole("button", { name: "Channel menu" }).click();
    await page.getByRole("menuitem", { name: "Set topic" }).click();
    const topic = page.getByRole("textbox", { name: "Topic" });
    await topic.fill(text);
    await hold(page, { isHolding: true });
    await topic.press("Enter");
    await topic.press("Escape");
    await topic.waitFor({ state: "detached" });
  };
  await setAndLeave("Not to be saved");
  await hold(page, { isHolding: true, isFailing: true });
  await openOutbox(page);
  await inOutbox(page, "Not to be saved").getByText("Unfinished edit").waitFor();
  // Before that it is tried again, with room.
  await page.getByText("what you write can't be stored").first().waitFor();
  await hold(page, {});
  await inOutbox(page, "Not to be saved").getByRole("button", { name: "Discard" }).press("Enter");
  await page.getByText("Nothing waits").waitFor();

  await setAndLeave("Saved all the same");
  await hold(page, {});
  await page.getByTitle("Saved all the same", { exact: true }).waitFor();
  await openOutbox(page);
  await page.getByText("Nothing waits").waitFor();
});

test("a channel's name that is being typed stays when the window becomes narrow, where the sidebar goes", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const { page } = await liveDesk(stage, team);
  await sidebar(page).getByRole("button", { name: "Create channel" }).click();
  const name = page.getByRole("textbox", { name: "Channel name" });
  await name.fill("crane");
  await page.setViewportSize(SCREENS.phone);
  await page.getByRole("link", { name: "All channels" }).waitFor();
  expect(await name.inputValue()).toBe("crane");
  await name.press("Enter");
  await composer(page, "crane").waitFor();
  await eventually(() => page.getByRole("navigation", { name: "Channels", includeHidden: true }).count()).toBe(0);
});

/** What is typed while a refused text is mended is there again after one looked elsewhere, and in the page's next life. */
async function mendsOn(page: Page, item: Locator, typed: string): Promise<void> {
  const field = item.getByRole("textbox");
  const mend = (): Promise<void> => item.getByRole("button", { name: "Edit and retry" }).click();
  await mend();
  await field.fill(typed);
  await channelLink(page, "general").click();
  await composer(page, "general").waitFor();
  await openOutbox(page);
  await eventually(() => field.inputValue()).toBe(typed);
  await page.reload();
  await eventually(() => field.inputValue()).toBe(typed);
  await item.getByRole("button", { name: "Cancel" }).click();
  await mend();
  await eventually(() => field.inputValue()).not.toBe(typed);
  await item.getByRole("button", { name: "Cancel" }).click();
}

test("archived meanwhile: the message stays with the reason and goes to another channel", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const bosLine = lineOf(team, 1);
  const launch = await lineOf(team).createChannel("launch");
  await bosLine.change({ op: "channel.join", args: { id: launch } });
  const news = await lineOf(team).createChannel("news");
  await bosLine.change({ op: "channel.join", args: { id: news } });
  await lineOf(team).change({ op: "channel.update", args: { id: news, posting: "admins" } });
  const bo = await liveDesk(stage, team, 1, launch);
  await composer(bo.page, "launch").waitFor();
  await cutOff(bo);
  await say(bo.page, "Too late for this one", "launch");
  await lineOf(team).archive(launch);
  await plugIn(bo);
  await message(bo.page, "Too late for this one").getByText("#launch is archived.").waitFor();
  await inspect(bo.page, "truth-archived");
  await eventually(() => bo.page.locator("[aria-live=polite]").allInnerTexts()).toContain(
    "Not taken: #launch is archived.",
  );
  await message(bo.page, "Too late for this one").getByRole("link", { name: "Move to another channel" }).click();
  const item = inOutbox(bo.page, "Too late for this one");
  for (const way of ["Try again", "Edit and retry", "Copy", "Discard"])
    await item.getByRole("button", { name: way, exact: true }).waitFor();
  const mended = inOutbox(bo.page, "Discard");
  await mendsOn(bo.page, mended, "Half mended");
  await mended.getByRole("button", { name: "Edit and retry" }).click();
  await bo.page.keyboard.press("Control+a");
  await bo.page.keyboard.type("Not too late here");
  await mended.getByRole("button", { name: "Move to another channel" }).click();
  await mended.getByRole("combobox").selectOption({ label: "#general" });
  // In #news only admins may post.
  expect(await mended.getByRole("option").allInnerTexts()).toEqual(["#general"]);
  await mended.getByRole("button", { name: "Move", exact: true }).click();
  await bo.page.getByText("Nothing waits").waitFor();
  await channelLink(bo.page, "general").click();
  await isDelivered(bo.page, "Not too late here");
});

/** Refused, and could go by now: on screen in its channel. */
async function refused(text: string): Promise<{ team: Team; launch: string; page: Page }> {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const launch = await lineOf(team).createChannel("launch");
  await lineOf(team, 1).change({ op: "channel.join", args: { id: launch } });
  const bo = await liveDesk(stage, team, 1, launch);
  await cutOff(bo);
  await say(bo.page, text, "launch");
  await lineOf(team).archive(launch);
  await plugIn(bo);
  await message(bo.page, text).getByText("#launch is archived.").waitFor();
  await lineOf(team).archive(launch, false);
  await composer(bo.page, "launch").waitFor();
  return { team, launch, page: bo.page };
}

/** With this typed behind it in the Outbox, on a disk that hangs. */
async function halfMended(typed: string): Promise<{ team: Team; launch: string; page: Page; item: Locator }> {
  const { team, launch, page } = await refused("Too late");
  await openOutbox(page);
  const item = inOutbox(page, "Try again");
  await item.getByRole("button", { name: "Edit and retry" }).click();
  await page.keyboard.type(typed);
  await page.evaluate(faultyDisk);
  await hold(page, { isHolding: true });
  return { team, launch, page, item };
}

test("what one writes on in the place of a refused text, while that is tried again, stays when it goes", async () => {
  const { team, launch, page, item } = await halfMended(" or not");
  await item.getByRole("button", { name: "Try again" }).click();
  await channelLink(page, "general").click();
  await composer(page, "general").waitFor();
  await openOutbox(page);
  await eventually(() => item.getByRole("textbox").inputValue()).toBe("Too late or not");
  await item.getByRole("textbox").press("End");
  await page.keyboard.type(", and more");
  await hold(page, {});
  await eventually(() => lineOf(team).texts(launch)).toEqual(["Too late or not"]);
  await inOutbox(page, "Too late or not, and more").getByText("Unfinished edit").waitFor();
});

test("while a refused text moves to another channel its place takes no more, and what one writes on there stays", async () => {
  const { team, page, item } = await halfMended(" for there");
  await item.getByRole("button", { name: "Move to another channel" }).click();
  await item.getByRole("combobox").selectOption({ label: "#general" });
  await item.getByRole("button", { name: "Move", exact: true }).click();
  await item.getByRole("textbox").press("End");
  await page.keyboard.type(" nor here");
  expect(await item.getByRole("textbox").inputValue()).toBe("Too late for there");
  await channelLink(page, "general").click();
  await composer(page, "general").waitFor();
  await openOutbox(page);
  await item.getByRole("textbox").press("End");
  await page.keyboard.type(", and more");
  await hold(page, {});
  await eventually(() => lineOf(team).texts(team.general)).toEqual(["Too late for there"]);
  await inOutbox(page, "Too late for there, and more").getByText("Unfinished edit").waitFor();
});

test.each([false, true])(
  "while a refused text is tried again nothing else is made of it, nor after one looked elsewhere (%s); where the disk fails it stands there",
  async (looksElsewhere) => {
    const { team, launch, page, item } = await halfMended(" or not");
    const field = item.getByRole("textbox");
    const tryAgain = item.getByRole("button", { name: "Try again" });
    // What follows is for what a first press that was heard makes of it.
    await eventually(async () => {
      await tryAgain.click();
      return field.getAttribute("readonly");
    }).not.toBe(null);
    if (looksElsewhere) {
      await channelLink(page, "general").click();
      await composer(page, "general").waitFor();
      await openOutbox(page);
    }
    for (const name of ["Cancel", "Try again", "Discard"]) {
      await item.getByRole("button", { name, disabled: true }).waitFor();
      await item.getByRole("button", { name }).click({ force: true });
    }
    await hold(page, { isHolding: true, isFailing: true });
    await page.getByText("what you write can't be stored").first().waitFor();
    // That may be said of another write: this one has failed where its text can be changed again.
    await eventually(() => field.getAttribute("readonly")).toBe(null);
    await hold(page, {});
    expect(await field.inputValue()).toBe("Too late or not");
    await eventually(async () => {
      if (await tryAgain.isVisible()) await tryAgain.click({ timeout: 1_000 }).catch(() => undefined);
      return lineOf(team).texts(launch);
    }).toEqual(["Too late or not"]);
    await page.getByText("Nothing waits").waitFor();
  },
);

test("a refused message that is being mended doesn't go as it was refused, by whichever button, here or in the Outbox", async () => {
  const { team, launch, page } = await refused("Too late");
  const row = page.getByRole("log").getByRole("article").last();
  const editor = row.getByRole("textbox", { name: "Edit message" });
  const again = row.getByRole("button", { name: "Try again" });
  await row.getByRole("button", { name: "Edit and retry" }).click();
  await editor.press("End");
  await page.keyboard.type(" or not");
  expect(await again.count()).toBe(0);
  await inspect(page, "meanwhile-mending");
  // It stands in the Outbox as it was typed here, and what is typed on there stands here.
  await row.getByRole("link", { name: "Move to another channel" }).click();
  const item = inOutbox(page, "Discard");
  await eventually(() => item.getByRole("textbox").inputValue()).toBe("Too late or not");
  expect(await page.getByText("Unfinished edit").count()).toBe(0);
  await item.getByRole("textbox").press("End");
  await page.keyboard.type(" at all");
  await channelLink(page, "launch").click();
  await row.getByRole("button", { name: "Go on" }).waitFor();
  expect(await again.count()).toBe(0);
  await row.getByRole("button", { name: "Go on" }).click();
  await eventually(() => editor.inputValue()).toBe("Too late or not at all");
  // Given up in the timeline, it may go as it was refused; begun in another tab, it may not.
  await row.getByRole("button", { name: "Cancel" }).click();
  await again.waitFor();
  await page.evaluate(
    (place) => {
      const words = JSON.stringify([
        { id: place.id, text: "From another tab", over: "Too late", isSent: false, channel: place.launch },
      ]);
      const key = `causeway.words.${place.me}.${place.id}.999`;
      localStorage.setItem(key, words);
      dispatchEvent(new StorageEvent("storage", { key, newValue: words }));
    },
    { id: (await row.getAttribute("data-message-id")) ?? "", launch, me: (await team.people[1]!.me()).user.id },
  );
  await eventually(() => again.count()).toBe(0);
  await row.getByRole("button", { name: "Go on" }).click();
  await eventually(() => editor.inputValue()).toBe("From another tab");
  await editor.fill("Too late or not at all");
  await openOutbox(page);
  await item.getByRole("button", { name: "Try again" }).click();
  await eventually(() => lineOf(team).texts(launch)).toEqual(["Too late or not at all"]);
  await page.getByText("Nothing waits").waitFor();
});

test("what one types on in the Outbox, while a refused message that was mended in the timeline is being stored, stays", async () => {
  const { team, launch, page } = await refused("Too late");
  const row = page.getByRole("log").getByRole("article").last();
  await row.getByRole("button", { name: "Edit and retry" }).click();
  await row.getByRole("textbox", { name: "Edit message" }).press("End");
  await page.evaluate(faultyDisk);
  await hold(page, { isHolding: true });
  await page.keyboard.type(" or not");
  await page.keyboard.press("Enter");
  await openOutbox(page);
  const item = inOutbox(page, "Discard");
  await eventually(() => item.getByRole("textbox").inputValue()).toBe("Too late or not");
  await item.getByRole("textbox").press("End");
  await page.keyboard.type(", and more");
  await item.getByRole("button", { name: "Try again", disabled: true }).click({ force: true });
  await hold(page, {});
  await eventually(() => lineOf(team).texts(launch)).toEqual(["Too late or not"]);
  await inOutbox(page, "Too late or not, and more").getByText("Unfinished edit").waitFor();
  await channelLink(page, "launch").click();
  await row.getByRole("button", { name: "Go on" }).click();
  const editor = row.getByRole("textbox", { name: "Edit message" });
  await eventually(() => editor.inputValue()).toBe("Too late or not, and more");
  expect(await page.getByText("Edited elsewhere").count()).toBe(0);
  await editor.press("Enter");
  await eventually(() => lineOf(team).texts(launch)).toEqual(["Too late or not, and more"]);
});

test("discarded while it is being mended, a refused message is gone with what was typed in its place", async () => {
  const { team, launch, page } = await refused("Too late");
  const row = page.getByRole("log").getByRole("article").last();
  await row.getByRole("button", { name: "Edit and retry" }).click();
  await page.keyboard.type(" or not");
  await row.getByRole("button", { name: "Discard" }).click();
  await eventually(() => page.getByText("Too late").count()).toBe(0);
  await openOutbox(page);
  await page.getByText("Nothing waits").waitFor();
  expect(await lineOf(team).texts(launch)).toEqual([]);
});

test("what was being typed in the place of a message that waited stands at it when it is refused, also in an open Outbox", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const launch = await lineOf(team).createChannel("launch");
  await lineOf(team, 1).change({ op: "channel.join", args: { id: launch } });
  const bo = await liveDesk(stage, team, 1, launch);
  const { page } = bo;
  await cutOff(bo);
  await say(page, "Too late", "launch");
  await act(page, "Too late", "Edit");
  await page.getByRole("textbox", { name: "Edit message" }).press("End");
  await page.keyboard.type(" or not");
  await openOutbox(page);
  await inOutbox(page, "Too late or not").getByText("Unfinished edit").waitFor();
  await lineOf(team).archive(launch);
  await plugIn(bo);
  const item = inOutbox(page, "Discard");
  await item.getByText("#launch is archived.").waitFor();
  await eventually(() => item.getByRole("textbox").inputValue()).toBe("Too late or not");
  await lineOf(team).archive(launch, false);
  await item.getByRole("button", { name: "Move to another channel" }).click();
  await item.getByRole("combobox").selectOption({ label: "#general" });
  await item.getByRole("button", { name: "Move", exact: true }).click();
  await eventually(() => lineOf(team).texts(team.general)).toEqual(["Too late or not"]);
});

test("an edit that is being saved is no unfinished one, nor to be discarded; where the disk fails it is both again", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const { page } = await liveDesk(stage, team);
  await say(page, "As it was");
  await isDelivered(page, "As it was");
  await act(page, "As it was", "Edit");
  await page.getByRole("textbox", { name: "Edit message" }).fill("Better words");
  await page.evaluate(faultyDisk);
  await hold(page, { isHolding: true });
  await page.getByRole("textbox", { name: "Edit message" }).press("Enter");
  await openOutbox(page);
  const item = inOutbox(page, "Better words");
  await item.getByText("Being saved on this device").waitFor();
  expect(await item.getByText("Unfinished edit").count()).toBe(0);
  expect(await item.getByRole("button", { name: "Discard" }).count()).toBe(0);
  await inspect(page, "meanwhile-saving-edit");
  await hold(page, { isHolding: true, isFailing: true });
  await item.getByText("Unfinished edit").waitFor();
  await hold(page, {});
  await item.getByRole("button", { name: "Discard" }).click();
  await page.getByText("Nothing waits").waitFor();
  expect(await lineOf(team).texts(team.general)).toEqual(["As it was"]);
});

test("tried again in two tabs at once: it waits once, and neither says that it isn't there", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const launch = await lineOf(team).createChannel("launch");
  await lineOf(team, 1).change({ op: "channel.join", args: { id: launch } });
  const bo = await liveDesk(stage, team, 1, launch);
  const other = await bo.tab(channelPath(team, launch));
  await isLive(other);
  await shellIsKept(other);
  await cutOff(bo);
  await say(bo.page, "Too late", "launch");
  await lineOf(team).archive(launch);
  await plugIn(bo);
  await message(bo.page, "Too late").getByText("#launch is archived.").waitFor();
  for (const page of [bo.page, other]) await openOutbox(page);
  await cutOff(bo);
  const again = [bo.page, other].map((page) => inOutbox(page, "Too late").getByRole("button", { name: "Try again" }));
  const buttons = await Promise.all(again.map((button) => button.elementHandle()));
  await Promise.all(buttons.map((button) => button?.evaluate((pressed) => (pressed as HTMLButtonElement).click())));
  for (const page of [bo.page, other]) await inOutbox(page, "Too late").getByText("waits for the network").waitFor();
  await lineOf(team).archive(launch, false);
  for (const page of [bo.page, other]) expect(await inOutbox(page, "Too late").innerText()).not.toContain("isn't here");
  await plugIn(bo);
  await eventually(() => lineOf(team).texts(launch)).toEqual(["Too late"]);
});

/**
 * Clicks at the middle of this button, so many ms behind the first, by the events' clock: the later ones hit the one of
 * that name that is nearest by then.
 */
async function pressAt(button: Locator, ...afterMs: readonly number[]): Promise<void> {
  await button.evaluate(async (pressed, times) => {
    const { x, y, width, height } = pressed.getBoundingClientRect();
    const distance = (button: Element): number => {
      const box = button.getBoundingClientRect();
      return Math.hypot(box.x - x, box.y - y);
    };
    const place = { clientX: x + width / 2, clientY: y + height / 2 };
    const first = performance.now();
    const { textContent: label } = pressed;
    const next = (): Element | undefined =>
      [...document.querySelectorAll("button")]
        .filter((button) => button.textContent === label)
        .toSorted((one, other) => distance(one) - distance(other))[0];
    for (const [at, ms] of times.entries()) {
      // Behind the first it is another's, once that row has gone.
      const until = performance.now() + 20_000;
      if (at > 0) while (pressed.isConnected && performance.now() < until) await new Promise(requestAnimationFrame);
      const click = new MouseEvent("click", { ...place, detail: 1, bubbles: true, cancelable: true });
      Object.defineProperty(click, "timeStamp", { value: first + ms });
      (at === 0 ? pressed : next())?.dispatchEvent(click);
    }
  }, afterMs);
}

test("pressed twice: the row that has moved up to the place of what was discarded or taken back stays", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const launch = await lineOf(team).createChannel("launch");
  await lineOf(team, 1).change({ op: "channel.join", args: { id: launch } });
  const bo = await liveDesk(stage, team, 1, launch);
  await composer(bo.page, "launch").waitFor();
  await cutOff(bo);
  const said = ["One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight"].map((word) => `${word} too many`);
  for (const text of said) await say(bo.page, text, "launch");
  await isQueued(bo.page, said.at(-1)!);
  await openOutbox(bo.page);
  const way = (name: string, state: string): Locator => inOutbox(bo.page, state).getByRole("button", { name }).first();
  const takeBack = (): Locator => way("Take back", "waits for the network");
  // What was taken back is a draft, and stands above them.
  const discard = (): Locator => way("Discard", "#launch is archived.");
  const left = async (): Promise<readonly string[]> => {
    const ops = (await rowsOnDisk(bo.page, "outbox")) as { readonly op: string; readonly args: { text: string } }[];
    return ops.filter(({ op }) => op === "message.post").map(({ args }) => args.text);
  };
  await pressAt(takeBack(), 0, 150);
  await eventually(left).toEqual(said.slice(1));
  // Behind whatever the second did.
  await takeBack().press("Enter");
  await eventually(left).toEqual(said.slice(2));

  await lineOf(team).archive(launch);
  await plugIn(bo);
  await eventually(() => inOutbox(bo.page, "#launch is archived.").count()).toBe(6);
  await pressAt(discard(), 0, 150, 300);
  await eventually(left).toEqual(said.slice(3));
  // Meant for the next one, later.
  await pressAt(discard(), 1_000);
  await eventually(left).toEqual(said.slice(4));
  await inOutbox(bo.page, said[4]!).getByRole("link", { name: "#launch" }).click();
  // Here those above move down.
  await pressAt(message(bo.page, said[7]!).getByRole("button", { name: "Discard" }), 2_000, 2_150);
  await eventually(left).toEqual(said.slice(4, 7));
  await openOutbox(bo.page);
  await discard().press("Enter");
  await eventually(left).toEqual(said.slice(5, 7));
  // Whoever holds the key: the focus goes to no other row.
  await eventually(() => bo.page.evaluate(() => document.activeElement?.localName)).toBe("body");
});

test("pressed twice: nobody is removed or let in, no message unpinned and no reaction given but the one that was meant", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo", "Cleo", "Dan"]);
  const others = await Promise.all(team.people.slice(1).map(async (person) => (await person.me()).user.id));
  const line = lineOf(team);
  const secret = await line.createChannel("secret", { access: "private", members: others });
  const pinned = await line.post(secret, ["One", "Two", "Three"]);
  for (const id of pinned) await line.inChannel(secret, { op: "message.pin", args: { id, on: true } });
  for (const [at, emoji] of ["👍", "🎉"].entries())
    await lineOf(team, at).inChannel(secret, { op: "message.react", args: { id: pinned[2], emoji, on: true } });
  const { page } = await liveDesk(stage, team, 0, secret);
  const button = (name: string | RegExp): Locator => page.getByRole("button", { name });

  await button(/^4 members/).click();
  const members = page.getByRole("complementary", { name: "Members" });
  const removable = (): Promise<(string | null)[]> =>
    members.getByRole("button", { name: /^Remove/ }).evaluateAll((all) => all.map((each) => each.ariaLabel));
  await pressAt(button("Remove Bo"), 0, 150);
  await button("Remove Dan").press("Enter");
  // Behind whatever the second did.
  await eventually(removable).toEqual(["Remove Cleo"]);
  await button("Add people").click();
  await pressAt(button("Add Bo"), 0, 150);
  await eventually(removable).toEqual(["Remove Bo", "Remove Cleo"]);
  expect(await button("Add Dan").count()).toBe(1);

  await page.getByRole("button", { name: "Channel menu" }).click();
  await page.getByRole("menuitem", { name: "Pinned messages" }).click();
  const pins = page.getByRole("complementary", { name: "Pinned messages" }).getByRole("listitem");
  const unpin = pins.getByRole("button", { name: "Unpin" });
  await eventually(() => unpin.count()).toBe(3);
  await pressAt(unpin.first(), 0, 150);
  await unpin.last().press("Enter");
  await eventually(() => pins.count()).toBe(1);
  expect(await pins.innerText()).toContain("Two");

  const box = await button("👍 Ana").boundingBox();
  await page.mouse.move(box!.x + 5, box!.y + 5);
  for (const clickCount of [1, 2]) {
    await page.mouse.down({ clickCount });
    await page.mouse.up({ clickCount });
    await eventually(() => button("👍 Ana").count()).toBe(0);
  }
  await say(page, "And on", "secret");
  await isDelivered(page, "And on");
  expect(await button("🎉 Bo").getAttribute("aria-pressed")).toBe("false");
});

test("a press that was aimed at a row does nothing to the one that has moved under the pointer meanwhile", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const ana = await liveDesk(stage, team);
  const other = await ana.tab(channelPath(team));
  await isLive(other);
  await shellIsKept(other);
  await cutOff(ana);
  for (const text of ["Apples", "Bananas", "Cherries", "Dates"]) await say(ana.page, text);
  await openOutbox(ana.page);
  await openOutbox(other);
  const takeBack = (page: Page, text: string): Locator =>
    inOutbox(page, text).getByRole("button", { name: "Take back" });
  await takeBack(ana.page, "Bananas").hover();
  const aimed = await takeBack(ana.page, "Bananas").boundingBox();
  await takeBack(other, "Apples").press("Enter");
  await eventually(() => takeBack(ana.page, "Cherries").boundingBox()).toEqual(aimed);
  await ana.page.mouse.down();
  await ana.page.mouse.up();
  await takeBack(ana.page, "Dates").press("Enter");
  await eventually(() => inOutbox(ana.page, "Dates").count()).toBe(0);
  expect(await inOutbox(ana.page, "Bananas").count()).toBe(1);
  expect(await inOutbox(ana.page, "Cherries").count()).toBe(1);
});

test("texts taken back one after the other stand in the composer in the order they were written in", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const { page, ...desk } = await liveDesk(stage, team);
  desk.proxy.cut();
  await isAway(page);
  for (const text of ["One", "Two", "Three"]) await say(page, text);
  await isQueued(page, "Three");
  await write(page, "And what was begun");
  for (const text of ["One", "Three", "Two"]) {
    await openOutbox(page);
    await inOutbox(page, text).getByRole("button", { name: "Take back" }).press("Enter");
    await eventually(() => inOutbox(page, text).count()).toBe(0);
    // Also where the composer takes up what was put there, and stores it.
    await channelLink(page, "general").click();
    await eventually(() => composer(page).inputValue()).toContain(text);
  }
  expect(await composer(page).inputValue()).toBe("One\nTwo\nThree\nAnd what was begun");
});

test("archived while away, and open again: it says so beside the message, and that can be tried again there", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const bosLine = lineOf(team, 1);
  const launch = await lineOf(team).createChannel("launch");
  await bosLine.change({ op: "channel.join", args: { id: launch } });
  const bo = await liveDesk(stage, team, 1, launch);
  await composer(bo.page, "launch").waitFor();
  await cutOff(bo);
  await say(bo.page, "Said to a closed door", "launch");
  await lineOf(team).archive(launch);
  await plugIn(bo);
  const refused = message(bo.page, "Said to a closed door");
  await refused.getByText("#launch is archived.").waitFor();
  await lineOf(team).archive(launch, false);
  await refused.getByText("It's open now: try again.").waitFor();
  await inspect(bo.page, "truth-open-again");
  await refused.getByRole("button", { name: "Try again", exact: true }).click();
  await isDelivered(bo.page, "Said to a closed door");
});

test("[RV5] [AU4] removed from the channel meanwhile: what was sent and what was being written stay in the Outbox", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const bosId = (await team.people[1]!.me()).user.id;
  const secret = await lineOf(team).createChannel("secret", { access: "private", members: [bosId] });
  const bo = await liveDesk(stage, team, 1, secret);
  await composer(bo.page, "secret").waitFor();
  await say(bo.page, "Mine to change", "secret");
  await isDelivered(bo.page, "Mine to change");
  await act(bo.page, "Mine to change", "Edit");
  await bo.page.getByRole("textbox", { name: "Edit message" }).fill("Half an edit");
  await cutOff(bo);
  await say(bo.page, "Sent too late", "secret");
  await isQueued(bo.page, "Sent too late");
  await composer(bo.page, "secret").fill("Half a thought");
  await bo.page.getByRole("button", { name: "Channel menu" }).click();
  await bo.page.getByRole("menuitem", { name: "Set topic" }).click();
  await bo.page.getByRole("textbox", { name: "Topic" }).fill("Half a topic");
  await lineOf(team).remove(secret, bosId);
  await plugIn(bo);
  await bo.page.getByText("This channel isn't here").waitFor();
  await bo.page.getByRole("link", { name: "Outbox" }).last().click();
  await inOutbox(bo.page, "Sent too late").getByText("You no longer have access to this channel.").waitFor();
  const draft = inOutbox(bo.page, "Half a thought");
  await draft.getByText("You can't see the channel any more").waitFor();
  const edit = inOutbox(bo.page, "Half an edit");
  await edit.getByText("Unfinished edit").waitFor();
  const topic = inOutbox(bo.page, "Half a topic");
  await topic.getByText("Unfinished edit").waitFor();
  await inspect(bo.page, "truth-removed");
  // By keys: a press at the same place right after the one before would count as the same.
  await topic.getByRole("button", { name: "Discard" }).press("Enter");
  await edit.getByRole("button", { name: "Discard" }).press("Enter");
  await inOutbox(bo.page, "Sent too late").getByRole("button", { name: "Discard" }).press("Enter");
  await draft.getByRole("button", { name: "Move to another channel" }).click();
  await draft.getByRole("button", { name: "Move", exact: true }).click();
  await eventually(() => composer(bo.page).inputValue()).toBe("Half a thought");
  await openOutbox(bo.page);
  await bo.page.getByText("Nothing waits").waitFor();
});

test("removed from the channel before the next start: what a tab left of it when it ended stands in the Outbox, with ways out", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const bosId = (await team.people[1]!.me()).user.id;
  const secret = await lineOf(team).createChannel("secret", { access: "private", members: [bosId] });
  const bo = await liveDesk(stage, team, 1, secret);
  const { page } = bo;
  await composer(page, "secret").waitFor();
  await bo.go(channelPath(team));
  // Else it is missing because the page is only opening, and what lies there goes into its draft before it is out of sight.
  await channelLink(page, "secret").waitFor();
  await lineOf(team).remove(secret, bosId);
  await eventually(() => channelLink(page, "secret").count()).toBe(0);
  // As a tab leaves them behind that ends at Enter, and in the midst of a word, where the disk takes its time.
  await page.evaluate((place) => {
    const words = (id: string, text: string, isSent: boolean): object => ({ id, text, over: "", isSent });
    localStorage.setItem(
      `${place}.998`,
      JSON.stringify([words("m1", "Sent too late", true), words("m2", "And more", true)]),
    );
    localStorage.setItem(`${place}.999`, JSON.stringify([words("m3", "Half a thought", false)]));
  }, `causeway.words.${bosId}.${secret}`);
  await page.reload();
  await openOutbox(page);
  for (const text of ["Sent too late", "And more", "Half a thought"])
    await inOutbox(page, text).getByText("You can't see the channel any more").waitFor();
  await inspect(page, "meanwhile-out-of-sight");
  await inOutbox(page, "Sent too late").getByRole("button", { name: "Discard" }).press("Enter");
  await eventually(() => inOutbox(page, "Sent too late").count()).toBe(0);
  const row = inOutbox(page, "And more");
  await row.getByRole("button", { name: "Move to another channel" }).click();
  await row.getByRole("button", { name: "Move", exact: true }).click();
  await eventually(() => composer(page).inputValue()).toBe("And more");
  await openOutbox(page);
  await inOutbox(page, "Half a thought").getByRole("button", { name: "Discard" }).press("Enter");
  await page.getByText("Nothing waits").waitFor();
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => /words.*99[89]$/.test(key)))).toEqual([]);
});

test("[OP9] a name taken meanwhile: the channel says so, what was written in it waits with it, and goes when it is renamed", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const ana = await liveDesk(stage, team);
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
  const bo = await liveDesk(stage, team, 1, launch);
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
  // Of several that were refused one must know which is which.
  await item.getByRole("link", { name: "#launch" }).waitFor();
  await inspect(bo.page, "outbox-role-lost");
  await item.getByRole("button", { name: "Discard" }).click();
  await bo.page.getByText("Nothing waits").waitFor();
  await channelLink(bo.page, "launch").waitFor();
});

async function edit(page: Page, before: string, after: string): Promise<void> {
  await act(page, before, "Edit");
  await page.getByRole("textbox", { name: "Edit message" }).fill(after);
  await page.getByRole("textbox", { name: "Edit message" }).press("Enter");
}

test("discarded in the Outbox, what one writes on behind an edit that is being saved leaves that edit", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const { page } = await liveDesk(stage, team);
  await say(page, "As it was");
  await isDelivered(page, "As it was");
  await act(page, "As it was", "Edit");
  const field = page.getByRole("textbox", { name: "Edit message" });
  await field.fill("Better words");
  await page.evaluate(faultyDisk);
  await hold(page, { isHolding: true });
  await field.press("Enter");
  await composer(page).press("ArrowUp");
  await field.press("End");
  await page.keyboard.type(", and more");
  await openOutbox(page);
  await inOutbox(page, "Better words, and more").getByRole("button", { name: "Discard" }).click();
  const item = inOutbox(page, "Better words");
  await item.getByText("Being saved on this device").waitFor();
  await hold(page, { isHolding: true, isFailing: true });
  await item.getByText("Unfinished edit").waitFor();
  expect(await item.getByText("and more").count()).toBe(0);
});

test("an edit that was saved just before its tab ended is none that is unfinished, wherever its message is", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const { page } = await liveDesk(stage, team);
  for (const text of ["Saved words", "As it was"]) {
    await say(page, text);
    await isDelivered(page, text);
  }
  await act(page, "As it was", "Edit");
  await page.getByRole("textbox", { name: "Edit message" }).fill("Half an edit");
  await openOutbox(page);
  await inOutbox(page, "Half an edit").waitFor();
  const saved = (await lineOf(team).history(team.general)).find((each) => !each.deleted && each.text === "Saved words");
  await page.evaluate((id) => {
    const [place, words] = Object.entries(localStorage).find(([each]) => each.startsWith("causeway.words."))!;
    const [half] = JSON.parse(words as string) as object[];
    // As tabs leave them behind that end in the moment of Enter, and in the midst of a word.
    const left = (tab: string, text: string): void => {
      const there = place.replace(/[^.]*\.[^.]*$/, `${id}.${tab}`);
      localStorage.setItem(there, JSON.stringify([{ ...half, id, text }]));
    };
    left("dead", "Saved words");
  }, saved!.id);
  await page.reload();
  await page.getByRole("heading", { name: "Outbox" }).waitFor();
  await inOutbox(page, "Half an edit").waitFor();
  await eventually(() => inOutbox(page, "Saved words").count()).toBe(0);
  expect(await inOutbox(page, "Half an edit").count()).toBe(1);
});
