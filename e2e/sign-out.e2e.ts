/** Signing out or in that fails says what failed, and leaves nobody before a screen that is dead. */
import type { Locator, Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { account, revoke, saveACopy, signIn } from "./journeys/account.ts";
import { act, composer, connectionState, editor, isDelivered, isLive, isQueued, say } from "./journeys/channel.ts";
import { eventually } from "./journeys/eventually.ts";
import { inspect } from "./journeys/inspect.ts";
import { cutOff, plugIn, shellIsKept } from "./journeys/network.ts";
import { openOutbox } from "./journeys/outbox.ts";
import { channelPath, lineOf } from "./journeys/rooms.ts";
import { setStage, type Desk } from "./journeys/stage.ts";
import { makeTeam, type Person, type Team } from "./rig/people.ts";

const stage = setStage();

declare global {
  interface Window {
    /** Nothing can be removed from this disk, and it takes no note of a person. */
    isDiskStuck?: boolean;
  }
}

async function someoneLive(): Promise<{ readonly team: Team; readonly desk: Desk }> {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const desk = await stage.desk({ person: team.people[0]! });
  await desk.context.addInitScript(() => {
    const { deleteDatabase: remove } = Object.getOwnPropertyDescriptors(IDBFactory.prototype);
    IDBFactory.prototype.deleteDatabase = function deleteDatabase(name) {
      if (window.isDiskStuck) throw new DOMException("A disk that fails, made up by a test.", "UnknownError");
      return remove.value!.call(this, name);
    };
    const { put } = Object.getOwnPropertyDescriptors(IDBObjectStore.prototype);
    IDBObjectStore.prototype.put = function putUnlessStuck(...given) {
      if (window.isDiskStuck && this.name === "people") throw new DOMException("Made up by a test.", "UnknownError");
      return put.value!.apply(this, given);
    };
    // It is reported, as it should be, and no fault of the test's.
    const report = window.reportError;
    window.reportError = (error) => {
      if (!window.isDiskStuck) report(error);
    };
  });
  await desk.go(channelPath(team));
  await isLive(desk.page);
  await say(desk.page, "Still here");
  await isDelivered(desk.page, "Still here");
  return { team, desk };
}

test("a device that can't remove what it holds says so; closing that leads to the beginning, where one can sign in", async () => {
  const { team, desk } = await someoneLive();
  const { page } = desk;
  await page.evaluate(() => (window.isDiskStuck = true));
  await account(page, "Sign out");
  const dialog = page.getByRole("dialog", { name: "Sign out" });
  await dialog.getByRole("button", { name: "Sign out" }).click();
  await dialog.getByText("This device couldn't finish signing you out.").waitFor();
  expect(await dialog.getByRole("button", { name: "Discard and sign out" }).count()).toBe(1);
  await dialog.getByRole("button", { name: "Close" }).first().click();
  await page.waitForURL(/\/(welcome|sign-in)/);
  await desk.go("/sign-in");
  await signIn(page, team.people[0]!);
  await page.waitForURL(/\/w\//);
  await isLive(page);
  await isDelivered(page, "Still here");
});

test("an edge that breaks is no such device: nothing is to be discarded, and cancelling leaves the screen as it was; an edit that isn't finished is asked about", async () => {
  const { desk } = await someoneLive();
  const { page } = desk;
  const problem = { code: "internal", detail: "Something broke on our side (1234)." };
  await desk.context.route("**/api/auth/sign-out", (route) =>
    route.fulfill({ status: 503, contentType: "application/problem+json", body: JSON.stringify(problem) }),
  );
  await account(page, "Sign out");
  const dialog = page.getByRole("dialog", { name: "Sign out" });
  await dialog.getByRole("button", { name: "Sign out" }).click();
  await dialog.getByText("Something broke on our side").waitFor();
  expect(await dialog.getByRole("button", { name: "Discard and sign out" }).count()).toBe(0);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await say(page, "And goes on");
  await isDelivered(page, "And goes on");
  expect(await composer(page).inputValue()).toBe("");

  await act(page, "Still here", "Edit");
  await editor(page).fill("Half an edit");
  await account(page, "Sign out");
  await dialog.getByText("1 unfinished text is on this device alone").waitFor();
  expect(await saveACopy(page)).toContain("Half an edit");
  expect(await dialog.getByRole("button", { name: "Keep and sign out" }).count()).toBe(1);
  await inspect(page, "sign-out-unfinished");
});

test("what was unread is no more once one signed out; a device that can't note who signs in says so, and takes the next try", async () => {
  const { team, desk } = await someoneLive();
  const { page } = desk;
  const icon = page.locator('link[rel="icon"]');
  await openOutbox(page);
  await lineOf(team, 1).post(team.general, ["News"]);
  await eventually(() => icon.getAttribute("href")).toBe("/icons/icon-unread.svg");
  await account(page, "Sign out");
  await page.getByRole("dialog", { name: "Sign out" }).getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL(/\/(welcome|sign-in)/);
  await eventually(() => icon.getAttribute("href")).toBe("/icons/icon.svg");
  await desk.go("/sign-in");
  await page.evaluate(() => (window.isDiskStuck = true));
  await signIn(page, team.people[0]!);
  await page.getByText("This device couldn't store that").waitFor();
  await page.evaluate(() => (window.isDiskStuck = false));
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(/\/w\//);
  await isDelivered(page, "Still here");
});

/** Signs out with "Not to be sent" in the queue, while the edge keeps its answer back; the line is good again. */
async function discarding(
  answered: (route: Route) => Promise<void> = (route) => route.continue().catch(() => undefined),
): Promise<{
  readonly team: Team;
  readonly desk: Desk;
  readonly dialog: Locator;
  readonly answer: () => void;
}> {
  const { team, desk } = await someoneLive();
  const { page } = desk;
  const answering = Promise.withResolvers<void>();
  await desk.context.route("**/api/auth/sign-out", async (route) => {
    await answering.promise;
    await answered(route);
  });
  await shellIsKept(page);
  await cutOff(desk);
  await say(page, "Not to be sent");
  await account(page, "Sign out");
  const dialog = page.getByRole("dialog", { name: "Sign out" });
  await dialog.getByRole("button", { name: "Discard and sign out" }).click();
  await plugIn(desk);
  return { team, desk, dialog, answer: answering.resolve };
}

test.each([
  ["takes its time", 200],
  ["fails", 503],
  ["doesn't answer but by a gateway", 502],
])(
  "what is discarded goes no more from that press on, though the edge %s; called off, it goes on",
  async (_how, status) => {
    const body = JSON.stringify({ code: "internal", detail: "Something broke on our side (1234)." });
    const { team, desk, dialog, answer } = await discarding(
      status === 200
        ? undefined
        : (route) =>
            route.fulfill({ status, contentType: status === 503 ? "application/problem+json" : "text/html", body }),
    );
    const { page } = desk;
    // As long as it would take to go, several times over.
    await lineOf(team, 1).post(team.general, ["Said meanwhile"]);
    await page.waitForTimeout(5_000);
    expect(await lineOf(team, 1).texts(team.general)).not.toContain("Not to be sent");
    answer();
    if (status === 200) await page.waitForURL(/\/welcome/);
    else {
      const said = status === 503 ? "Something broke on our side" : "Signing out got no answer, so nothing was removed";
      await dialog.getByText(said).waitFor();
      await dialog.getByText("None of it is sent while you decide").waitFor();
      await page.waitForTimeout(3_000);
      expect(await dialog.getByText(said).count()).toBe(1);
      expect(await lineOf(team, 1).texts(team.general)).not.toContain("Not to be sent");
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await isDelivered(page, "Not to be sent");
    }
    const texts = ["Still here", "Said meanwhile", ...(status === 200 ? [] : ["Not to be sent"])];
    expect(await lineOf(team, 1).texts(team.general)).toEqual(texts);
  },
);

test.each(["Cancel", "Escape"])(
  "called off by %s before the edge has answered, all of it goes on, and what is written then stays",
  async (way) => {
    const { team, desk, dialog, answer } = await discarding();
    const { page } = desk;
    if (way === "Escape") await page.keyboard.press("Escape");
    else await dialog.getByRole("button", { name: way }).click();
    await dialog.waitFor({ state: "detached" });
    await say(page, "Written after that");
    await isDelivered(page, "Written after that");
    answer();
    await page.waitForTimeout(1_000);
    expect(page.url()).toContain("/w/");
    const texts = ["Still here", "Not to be sent", "Written after that"];
    expect(await lineOf(team, 1).texts(team.general)).toEqual(texts);
  },
);

test("a delivery that is called off gives the focus back to where one asked to sign out", async () => {
  const { desk } = await someoneLive();
  const { page } = desk;
  await shellIsKept(page);
  await cutOff(desk);
  await say(page, "Waits");
  await isQueued(page, "Waits");
  await account(page, "Sign out");
  const dialog = page.getByRole("dialog", { name: "Sign out" });
  await dialog.getByRole("button", { name: "Deliver, then sign out" }).press("Enter");
  await dialog.getByText("Delivered 0 of 1").waitFor();
  await eventually(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Cancel");
  await page.keyboard.press("Escape");
  await eventually(() => page.getByRole("dialog").count()).toBe(0);
  const focused = (): Promise<string | null> =>
    page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? null);
  await eventually(focused).toMatch(/account/i);
});

test("what another tab sends behind that press isn't discarded: it goes when they are back", async () => {
  const { team, desk, answer } = await discarding();
  const other = await desk.tab(channelPath(team));
  await say(other, "Of another tab");
  await isQueued(other, "Of another tab");
  answer();
  await desk.page.waitForURL(/\/welcome/);
  await other.close();
  await desk.go("/sign-in");
  await signIn(desk.page, team.people[0]!);
  await isDelivered(desk.page, "Of another tab");
  expect(await lineOf(team, 1).texts(team.general)).toEqual(["Still here", "Of another tab"]);
});

test("pressed in two tabs and called off in one, what a third one sends behind both isn't discarded", async () => {
  const { team, desk, dialog, answer } = await discarding();
  const [other, third] = [await desk.tab(channelPath(team)), await desk.tab(channelPath(team))];
  await account(other, "Sign out");
  await other.getByRole("dialog").getByRole("button", { name: "Discard and sign out" }).click();
  await say(third, "Of a third tab");
  await isQueued(third, "Of a third tab");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  answer();
  await other.waitForURL(/\/welcome/);
  await Promise.all([third.close(), other.close()]);
  await desk.go("/sign-in");
  await signIn(desk.page, team.people[0]!);
  await isDelivered(desk.page, "Of a third tab");
  expect(await lineOf(team, 1).texts(team.general)).toEqual(["Still here", "Of a third tab"]);
});

test("a tab that is closed right behind that press leaves nobody here, and nothing that goes later", async () => {
  const { team, desk } = await discarding();
  await desk.context.unroute("**/api/auth/sign-out");
  const { page } = desk;
  const next = await desk.context.newPage();
  await page.close();
  await fetch(new URL("/api/auth/sign-out", desk.proxy.url), {
    method: "POST",
    headers: {
      cookie: (await desk.context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; "),
      origin: new URL(desk.proxy.url).origin,
      "content-type": "application/json",
    },
    body: "{}",
  });
  await next.goto(new URL(channelPath(team), desk.proxy.url).href);
  await next.waitForURL(/\/(welcome|sign-in)/);
  await next.goto(new URL("/sign-in", desk.proxy.url).href);
  await signIn(next, team.people[0]!);
  await isLive(next);
  await isDelivered(next, "Still here");
  expect(await next.getByText("Not to be sent").count()).toBe(0);
  expect(await lineOf(team, 1).texts(team.general)).toEqual(["Still here"]);
});

const isSignedIn = (person: Person): Promise<boolean> =>
  person.me().then(
    () => true,
    () => false,
  );

/** On a line that has just gone silent, which nobody knows yet. */
async function askedOnADeadLine(): Promise<Awaited<ReturnType<typeof someoneLive>> & { readonly dialog: Locator }> {
  const made = await someoneLive();
  const { page, proxy } = made.desk;
  await account(page, "Sign out");
  const dialog = page.getByRole("dialog", { name: "Sign out" });
  const button = dialog.getByRole("button", { name: "Sign out", exact: true });
  await button.waitFor();
  proxy.hang();
  const asked = page.waitForRequest("**/api/auth/sign-out");
  await button.click();
  await asked;
  return { ...made, dialog };
}

test("what was called off comes to nothing when the line is back", async () => {
  const { team, desk, dialog } = await askedOnADeadLine();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  desk.proxy.up();
  await say(desk.page, "Written after that");
  await isDelivered(desk.page, "Written after that");
  // By then a browser has tried again what it lost.
  await desk.page.waitForTimeout(5_000);
  expect(await isSignedIn(team.people[0]!)).toBe(true);
  await isLive(desk.page);
});

test("what a page asked for and was left with comes about when the line is back", async () => {
  const { team, desk } = await askedOnADeadLine();
  await desk.page.goto("about:blank");
  desk.proxy.up();
  await eventually(() => isSignedIn(team.people[0]!)).toBe(false);
});

test("a gateway that answers in the edge's place leaves them here, and that is said while all else is live", async () => {
  const { team, desk } = await someoneLive();
  const { page } = desk;
  const badGateway = (route: Route): Promise<void> =>
    route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" });
  await desk.context.route("**/api/auth/sign-out", badGateway);
  await account(page, "Sign out");
  const dialog = page.getByRole("dialog", { name: "Sign out" });
  await dialog.getByRole("button", { name: "Sign out" }).click();
  await dialog.getByText("Signing out got no answer, so nothing was removed").waitFor();
  await inspect(page, "sign-out-unanswered");
  await desk.context.unroute("**/api/auth/sign-out");
  await desk.context.route("**/api/auth/sign-out", (route) => route.fulfill({ status: 401, body: "No" }));
  await dialog.getByRole("button", { name: "Sign out" }).click();
  await dialog.getByRole("alert").waitFor();
  await page.waitForTimeout(1_000);
  expect(page.url()).toContain("/w/");

  // Nor is it for want of a network where the session has ended meanwhile: the edge said so.
  await revoke(desk, team.people[0]!);
  await eventually(() => connectionState(page), 60_000).toBe("signed-out");
  await desk.context.unroute("**/api/auth/sign-out");
  await desk.context.route("**/api/auth/sign-out", badGateway);
  await dialog.getByRole("button", { name: "Sign out" }).click();
  await dialog.getByText("Signing out got no answer, so nothing was removed").waitFor();
});

/** As a tab that never comes to the end of what it stores; until it is closed. */
async function hangingTab(desk: Desk): Promise<Page> {
  const tab = await desk.tab("/healthz");
  await tab.evaluate(async () => {
    const names = (await indexedDB.databases()).map(({ name = "" }) => name);
    const opening = indexedDB.open(names.find((name) => /^causeway\/[^/]+\/[^/]+$/.test(name))!);
    await new Promise((resolve) => opening.addEventListener("success", resolve));
    const tx = opening.result.transaction([...opening.result.objectStoreNames], "readwrite");
    const on = (): void => tx.objectStore("meta").count().addEventListener("success", on);
    on();
  });
  return tab;
}

test("one that hangs from then on keeps nobody here, and the dialog says why it takes long", async () => {
  const { desk } = await someoneLive();
  const { page } = desk;
  await account(page, "Sign out");
  const dialog = page.getByRole("dialog", { name: "Sign out" });
  const act = dialog.getByRole("button", { name: "Sign out" });
  await eventually(() => act.getAttribute("aria-disabled")).toBe(null);
  const other = await hangingTab(desk);
  await act.click();
  await dialog.getByText("Signing you out takes long").waitFor();
  await inspect(page, "sign-out-slow");
  // Each step waits for five seconds.
  await dialog.getByText("You're signed out, but another tab of Causeway still holds").waitFor({ timeout: 90_000 });
  await other.close();
  await dialog.getByRole("button", { name: "Close" }).first().click();
  await page.waitForURL(/\/(welcome|sign-in)/);
});

test("beside a tab that hangs while it stores, the dialog says what it waits for, and goes on with it", async () => {
  const { desk } = await someoneLive();
  const { page } = desk;
  const other = await hangingTab(desk);
  await account(page, "Sign out");
  const dialog = page.getByRole("dialog", { name: "Sign out" });
  await dialog.getByText("What is stored on this device doesn't answer yet.").waitFor();
  await inspect(page, "sign-out-late");
  await other.close();
  await eventually(() => dialog.getByText("What is stored on this device").count()).toBe(0);
  await dialog.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL(/\/welcome/);
});
