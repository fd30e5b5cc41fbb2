/**
 * The whole browser is killed. It writes its own storage (`localStorage`) to disk when it likes, and has it at the next start
 * as it was then: what composers and editors hold is what was typed last all the same, from the first moment on.
 */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { account, signIn } from "./journeys/account.ts";
import { act, channelLink, composer, editor, isDelivered, isLive, isQueued, message, say } from "./journeys/channel.ts";
import { isCopied, isKept } from "./journeys/disk.ts";
import { eventually } from "./journeys/eventually.ts";
import { fillUp, limit } from "./journeys/full-disk.ts";
import { inspect } from "./journeys/inspect.ts";
import { deskOnDisk, opened } from "./journeys/live.ts";
import { cutOff, plugIn, shellIsKept } from "./journeys/network.ts";
import { inOutbox, openOutbox } from "./journeys/outbox.ts";
import { channelPath, lineOf } from "./journeys/rooms.ts";
import { setStage } from "./journeys/stage.ts";
import { makeTeam, type Team } from "./rig/people.ts";

const stage = setStage();

/** What comes back, or is noted, a moment later. */
const SETTLES_WITHIN_MS = 1_000;
/** What seems lost may turn up for so long; then it is said (sync/watch-waiting.ts). */
const SAID_WITHIN_MS = 12_000;

test("an edit that is begun and what a text answers outlive a browser that is killed a moment later, and nothing given up comes back", async () => {
  const profile = stage.rig.profile();
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const [person] = team.people;
  await lineOf(team).post(team.general, ["First words", "Other words"]);
  await lineOf(team, 1).post(team.general, ["Who comes?"]);
  const desk = await stage.desk({ profile, person: person! });
  await opened(desk.page, desk, team);
  await editing(desk.page, "Other words", "Other words, given up");
  await editor(desk.page).press("Escape");
  await act(desk.page, "Who comes?", "Reply in thread");
  await composer(desk.page).pressSequentially("I do");
  await editing(desk.page, "First words", "First words, mended");
  // What a browser brings back by itself with a tab is older than this: Firefox notes it every 15 s, of such fields not.
  for (const field of [composer(desk.page), editor(desk.page)])
    expect(await field.getAttribute("autocomplete")).toBe("off");
  await isCopied(desk.page);
  await profile.kill();

  const again = await stage.desk({ profile, proxy: desk.proxy, person: person! });
  await again.go(channelPath(team));
  await isLive(again.page);
  await eventually(() => composer(again.page).inputValue()).toBe("I do");
  await again.page.getByText("Replying to Bo Who comes?").waitFor();
  await again.page.getByRole("button", { name: "Go on" }).click();
  await eventually(() => editor(again.page).inputValue()).toBe("First words, mended");
  await editor(again.page).press("Enter");
  await isDelivered(again.page, "First words, mended");
  await composer(again.page).press("Enter");
  await isDelivered(again.page, "I do");
  await isCopied(again.page);
  await profile.kill();

  const last = await stage.desk({ profile, proxy: desk.proxy, person: person! });
  await opened(last.page, last, team);
  await message(last.page, "I do").waitFor();
  await last.page.waitForTimeout(SETTLES_WITHIN_MS);
  expect(await last.page.getByRole("button", { name: "Go on" }).count()).toBe(0);
  expect(await last.page.getByText("Replying to").count()).toBe(0);
  expect(await composer(last.page).inputValue()).toBe("");
  const held = await lineOf(team).history(team.general);
  const texts = held.flatMap((each) => (each.deleted || each.system ? [] : [[each.text, each.root !== undefined]]));
  expect(texts).toEqual([
    ["First words, mended", false],
    ["Other words", false],
    ["Who comes?", false],
    ["I do", true],
  ]);
}, 180_000);

test("a draft that was rewritten or given up since the browser last wrote its storage is as it was typed last, though it is killed", async () => {
  const profile = stage.rig.profile();
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const [person] = team.people;
  const desk = await stage.desk({ profile, person: person! });
  const { page } = desk;
  await opened(page, desk, team);
  // So long that the browser writes its storage in the middle of it.
  await composer(page).pressSequentially("A text that takes ten seconds to write, as most do, a key at a time", {
    delay: 140,
  });
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("Sorry, I can't come");
  await isKept(page);
  await isCopied(page);
  await profile.kill();

  const again = await stage.desk({ profile, proxy: desk.proxy, person: person! });
  await opened(again.page, again, team);
  await again.page.waitForTimeout(1_500);
  expect(await composer(again.page).inputValue()).toBe("Sorry, I can't come");
  await composer(again.page).press("Enter");
  await isDelivered(again.page, "Sorry, I can't come");
  await isKept(again.page);
  await isCopied(again.page);
  await profile.kill();

  const last = await stage.desk({ profile, proxy: desk.proxy, person: person! });
  await opened(last.page, last, team);
  await last.page.waitForTimeout(1_500);
  expect(await composer(last.page).inputValue()).toBe("");
  expect(await textsOf(team)).toEqual(["Sorry, I can't come"]);
}, 180_000);

test("what is begun, rewritten and given up on a full disk is as it was last, though the browser is killed", async () => {
  const profile = stage.rig.profile();
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const [person] = team.people;
  await lineOf(team).post(team.general, ["First words", "Other words", "More words"]);
  await lineOf(team, 1).post(team.general, ["Who comes?"]);
  const desk = await stage.desk({ profile, person: person! });
  await limit(desk);
  await opened(desk.page, desk, team);
  await shellIsKept(desk.page);
  await act(desk.page, "Who comes?", "Reply in thread");
  await composer(desk.page).pressSequentially("I do");
  await editing(desk.page, "First words", "First words, mended");
  await editing(desk.page, "Other words", "Other words, given up");
  await isCopied(desk.page);

  await fillUp(desk);
  await desk.page.bringToFront();
  await editor(desk.page).press("Escape");
  await desk.page.getByRole("button", { name: "Don't reply" }).click();
  await editing(desk.page, "First words", "First words, rewritten ".repeat(20));
  await editing(desk.page, "More words", "Begun on a full disk ".repeat(20));
  await isCopied(desk.page);
  await profile.kill();

  const again = await stage.desk({ profile, proxy: desk.proxy, person: person! });
  await again.go(channelPath(team));
  await isLive(again.page);
  await eventually(() => composer(again.page).inputValue()).toBe("I do");
  expect(await again.page.getByText("Replying to").count()).toBe(0);
  await goesOn(again.page, "First words", "First words, rewritten ".repeat(20));
  await goesOn(again.page, "More words", "Begun on a full disk ".repeat(20));
  expect(await again.page.getByRole("button", { name: "Go on" }).count()).toBe(0);
}, 180_000);

test("what is sent in the first moment after a browser was killed is still an answer", async () => {
  const profile = stage.rig.profile();
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const [person] = team.people;
  const [asked] = await lineOf(team, 1).post(team.general, ["Who comes?"]);
  const desk = await stage.desk({ profile, person: person! });
  await opened(desk.page, desk, team);
  await act(desk.page, "Who comes?", "Reply in thread");
  await composer(desk.page).pressSequentially("I do");
  await isCopied(desk.page);
  await profile.kill();

  const again = await stage.desk({ profile, proxy: desk.proxy, person: person! });
  // As soon as there is a composer with the text in it, whatever is loaded by then.
  await again.context.addInitScript(() => {
    new MutationObserver((_, watching) => {
      const area = document.querySelector("textarea");
      if (area?.value !== "I do") return;
      watching.disconnect();
      area.focus();
      area.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
    }).observe(document, { childList: true, subtree: true, attributes: true });
  });
  await again.go(channelPath(team));
  await isLive(again.page);
  await isDelivered(again.page, "I do");
  const answered = (await lineOf(team).history(team.general)).at(-1);
  expect(answered).toMatchObject({ text: "I do", root: asked });
}, 180_000);

test("what was delivered before one signed out isn't called lost by a browser that is killed right after", async () => {
  const profile = stage.rig.profile();
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const [person] = team.people;
  const first = await stage.desk({ profile, person: person! });
  await opened(first.page, first, team);
  await say(first.page, "Before");
  await isDelivered(first.page, "Before");
  await shellIsKept(first.page);
  await cutOff(first);
  await say(first.page, "Waits");
  await isQueued(first.page, "Waits");
  await act(first.page, "Before", "React");
  await first.page.getByRole("button", { name: "🎉" }).first().click();
  await first.page.waitForTimeout(SETTLES_WITHIN_MS);
  await first.close();
  first.proxy.up();

  // Its storage is on disk, with a note of what waits.
  const desk = await stage.desk({ profile, proxy: first.proxy, person: person! });
  await desk.go(channelPath(team));
  await isLive(desk.page);
  await isDelivered(desk.page, "Waits");
  await signOut(desk.page, "Sign out");
  await profile.kill();

  const again = await stage.desk({ profile, proxy: first.proxy });
  await again.go(channelPath(team));
  await signIn(again.page, person!);
  await isDelivered(again.page, "Waits");
  await again.page.waitForTimeout(SAID_WITHIN_MS);
  expect(await again.page.getByRole("alert").count()).toBe(0);
  await openOutbox(again.page);
  await again.page.getByText("Nothing waits").waitFor();
  expect(await inOutbox(again.page, "Waits").count()).toBe(0);
}, 180_000);

test("what was discarded with signing out doesn't come back with a browser that is killed right after", async () => {
  const profile = stage.rig.profile();
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const [person] = team.people;
  const [soonDeleted] = await lineOf(team).post(team.general, ["Soon deleted", "Still here"]);
  const first = await stage.desk({ profile, person: person! });
  await opened(first.page, first, team);
  await editing(first.page, "Still here", "Half an edit");
  await cutOff(first);
  await editing(first.page, "Soon deleted", "Never stored");
  await editor(first.page).press("Enter");
  await message(first.page, "Never stored").getByText("change waiting").waitFor();
  await lineOf(team).inChannel(team.general, { op: "message.delete", args: { id: soonDeleted } });
  await first.close();
  first.proxy.up();

  // Its storage is on disk, as it was at the end.
  const desk = await stage.desk({ profile, proxy: first.proxy, person: person! });
  await desk.go(channelPath(team));
  await isLive(desk.page);
  await openOutbox(desk.page);
  await inOutbox(desk.page, "Never stored").waitFor();
  await inOutbox(desk.page, "Half an edit").waitFor();
  await signOut(desk.page, "Discard and sign out");
  await profile.kill();

  for (const start of ["signs in anew", "killed once more before the browser wrote anything, cookies neither"]) {
    const again = await stage.desk({ profile, proxy: first.proxy });
    await again.go(channelPath(team));
    if (start === "signs in anew") {
      await signIn(again.page, person!);
      await isLive(again.page);
    }
    await again.page.waitForTimeout(SAID_WITHIN_MS);
    await message(again.page, "Still here").waitFor();
    expect(await again.page.getByRole("alert").count()).toBe(0);
    expect(await again.page.getByRole("button", { name: "Go on" }).count()).toBe(0);
    await openOutbox(again.page);
    await again.page.getByText("Nothing waits").waitFor();
    expect(await inOutbox(again.page, "Never stored").count()).toBe(0);
    await profile.kill();
  }
}, 240_000);

test("what was kept with a sign-out is counted at the door, also where the browser is killed before its own storage says so", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const { profile, desk } = await deskOnDisk(stage, team);
  const closing = await lineOf(team).createChannel("closing");
  await channelLink(desk.page, "closing").click();
  await desk.page.getByText("Nothing in #closing yet").waitFor();
  await cutOff(desk);
  for (const text of ["Kept one", "Kept two"]) {
    await say(desk.page, text, "closing");
    await isQueued(desk.page, text);
  }
  await lineOf(team).archive(closing);
  await plugIn(desk);
  await eventually(() => message(desk.page, "Kept two").getAttribute("data-delivery"), 30_000).toBe("refused");
  await signOut(desk.page, "Keep and sign out");
  desk.proxy.cut();
  await profile.kill();

  const again = await stage.desk({ profile, proxy: desk.proxy });
  await again.go("/sign-in");
  await again.page.getByText("2 texts that haven't been delivered are kept in this browser").waitFor();
  await inspect(again.page, "door-kept");
  again.proxy.up();
  await signIn(again.page, team.people[0]!);
  await again.page.waitForURL(/\/w\//);
  await openOutbox(again.page);
  for (const text of ["Kept one", "Kept two"]) await inOutbox(again.page, text).waitFor();
}, 180_000);

/** And all that belongs to it is done. */
async function signOut(page: Page, how: string): Promise<void> {
  await account(page, "Sign out");
  await page.getByRole("dialog", { name: "Sign out" }).getByRole("button", { name: how, exact: true }).click();
  await page.waitForURL(/\/(welcome|sign-in)/);
  await page.waitForTimeout(SETTLES_WITHIN_MS);
}

/** The edit of that message was begun, says this, and is left. */
async function goesOn(page: Page, text: string, typed: string): Promise<void> {
  await message(page, text).getByRole("button", { name: "Go on" }).click();
  await eventually(() => editor(page).inputValue()).toBe(typed);
  await editor(page).press("Escape");
}

async function editing(page: Page, text: string, typed: string): Promise<void> {
  await act(page, text, "Edit");
  await editor(page).fill("");
  await editor(page).pressSequentially(typed);
}

const textsOf = (team: Team): Promise<string[]> => lineOf(team).texts(team.general);
