/** In and out by every door: whose words are whose, what stands in a composer, and where one wanted to go. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { account, revoke, saveACopy, signIn, signUp } from "./journeys/account.ts";
import { composer, connectionState, isDelivered, isLive, isQueued, say, sidebar } from "./journeys/channel.ts";
import { isKept } from "./journeys/disk.ts";
import { eventually } from "./journeys/eventually.ts";
import { inspect, SIZES, SMALLEST } from "./journeys/inspect.ts";
import { cutOff, plugIn, shellIsKept } from "./journeys/network.ts";
import { inOutbox } from "./journeys/outbox.ts";
import { channelPath, lineOf } from "./journeys/rooms.ts";
import { type Desk, setStage } from "./journeys/stage.ts";
import { makeTeam, PASSWORD, type Person, type Team } from "./rig/people.ts";

// Whether an account is there yet is asked by signing in to it, as often as it takes.
const stage = setStage({ SIGN_IN_TRIES: "1000" });
/** An address may ask for anything but so often in a minute. */
const ASKED_EVERY_MS = 500;

/** As Bo sees it, whose session no test ends. */
const standing = (team: Team): Promise<string[]> => lineOf(team, 1).texts(team.general);

interface Left {
  readonly team: Team;
  readonly ana: Person;
  readonly desk: Desk;
}

/** Ana's session has ended, and something of hers waits on the device. */
async function leftWithAQueue(): Promise<Left> {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const [ana] = team.people as [Person, Person];
  const desk = await stage.desk({ person: ana });
  await desk.go(channelPath(team));
  await isLive(desk.page);
  await revoke(desk, ana);
  await eventually(() => connectionState(desk.page), 60_000).toBe("signed-out");
  await say(desk.page, "Ana's own words");
  await isQueued(desk.page, "Ana's own words");
  return { team, ana, desk };
}

/** With nothing to be asked about. */
async function signOut(page: Page): Promise<void> {
  await account(page, "Sign out");
  await page.getByRole("dialog", { name: "Sign out" }).getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL(/\/welcome$/);
}

/** Signs in, and waits until one is in. */
async function backAs(desk: Desk, person: Person, team: Team): Promise<void> {
  await desk.go("/sign-in");
  await signIn(desk.page, person);
  await desk.page.waitForURL(/\/w\//);
  await desk.go(channelPath(team));
  await isLive(desk.page);
}

test("[OP11] a new account over somebody's queue: it is asked, saved and thrown away, and nobody sends it", async () => {
  const { team, ana, desk } = await leftWithAQueue();
  const { page } = desk;
  await desk.go("/sign-up");
  await signUp(page, "Cy");
  const asked = page.getByRole("dialog", { name: "Sign in as someone else?" });
  await asked.getByText("1 change of Ana on this device hasn't been delivered").waitFor();
  await asked.getByRole("button", { name: "Cancel" }).click();
  expect(new URL(page.url()).pathname).toBe("/sign-up");

  await desk.go("/setup");
  await page.getByRole("textbox", { name: "Workspace name" }).fill("Lighthouse");
  await signUp(page, "Cy", "Create workspace");
  await inspect(page, "setup-over-a-queue");
  expect(await saveACopy(page)).toContain("Ana's own words");
  await asked.getByRole("button", { name: "Discard them and sign in" }).click();
  await page.waitForURL(/\/w\/lighthouse/);
  await isLive(page);
  await signOut(page);

  await backAs(desk, ana, team);
  await say(page, "Ana is back");
  await isDelivered(page, "Ana is back");
  expect(await standing(team)).toEqual(["Ana is back"]);
});

test("[OP11] joining by a link over somebody's queue: it is asked and kept, sent by nobody else, and goes when its person is back", async () => {
  const { team, ana, desk } = await leftWithAQueue();
  const { page } = desk;
  const { code } = await (team.people[1] as Person)
    .createWorkspace("Lighthouse")
    .then(async ({ workspace }) => (team.people[1] as Person).invite(workspace.id));
  await shellIsKept(page);
  desk.proxy.cut();
  await desk.go(`/join/${code}`);
  await page.getByRole("heading", { name: "This invitation couldn't be looked up" }).waitFor();
  await plugIn(desk);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("button", { name: "Join" }).click();
  await signUp(page, "Cy");
  const asked = page.getByRole("dialog", { name: "Sign in as someone else?" });
  expect(await saveACopy(page)).toContain("Ana's own words");
  await asked.getByRole("button", { name: "Keep them and sign in" }).click();
  await page.waitForURL(/\/w\/lighthouse/);
  await isLive(page);
  await sidebar(page).getByRole("link", { name: "Outbox" }).click();
  await page.getByText("Nothing waits").waitFor();
  await signOut(page);
  expect(await standing(team)).toEqual([]);

  await backAs(desk, ana, team);
  await isDelivered(page, "Ana's own words", 60_000);
  expect(await standing(team)).toEqual(["Ana's own words"]);
});

test("words that stand in the composer at sign-out are nobody else's, and are there when their person is back", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const [ana, bo] = team.people as [Person, Person];
  const desk = await stage.desk({ person: ana });
  const { page } = desk;
  await desk.go(channelPath(team));
  await isLive(page);
  await composer(page).fill("Half a thought of Ana's");
  // What is nowhere but in the composer would be asked about.
  await isKept(page);
  await signOut(page);
  await backAs(desk, bo, team);
  expect(await composer(page).inputValue()).toBe("");
  await signOut(page);
  await backAs(desk, ana, team);
  await eventually(() => composer(page).inputValue()).toBe("Half a thought of Ana's");
  expect(await standing(team)).toEqual([]);
});

test("taken out of the workspace with something unsent: it is said where no Outbox opens, and all is there when let in again", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const bo = team.people[1] as Person;
  const boIs = async (on: boolean): Promise<void> => {
    await lineOf(team).change({ op: "member.activate", args: { user: (await bo.me()).user.id, on } });
  };
  const desk = await stage.desk({ person: bo });
  const { page } = desk;
  await desk.go(channelPath(team));
  await isLive(page);
  await shellIsKept(page);
  await cutOff(desk);
  await say(page, "Bo's own words");
  await isQueued(page, "Bo's own words");
  await boIs(false);
  // With the token at hand it could still go before the channel's room has heard of it.
  await page.reload();
  await isQueued(page, "Bo's own words");
  await plugIn(desk);
  const out = page.getByText("You aren't in this workspace");
  await eventually(async () => (await bo.me()).workspaces.length).toBe(0);
  await page.reload();
  await desk.go(`/w/${team.workspace.slug}/outbox`);
  await out.waitFor();
  await page.getByText("1 change of yours hasn't been delivered.").waitFor();
  await inspect(page, "doors-taken-out", [...SIZES, ...SMALLEST]);
  expect(await saveACopy(page)).toContain("Bo's own words");
  await boIs(true);
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await inOutbox(page, "Bo's own words").getByRole("button", { name: "Try again" }).click();
  await eventually(() => standing(team)).toEqual(["Bo's own words"]);
});

test("a link to a search leads there, with its words, by way of the door", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const desk = await stage.desk();
  await desk.go(`/w/${team.workspace.slug}/search?q=${encodeURIComponent("from:Ana beacon & lamp")}`);
  await desk.page.waitForURL(/\/sign-in/);
  await signIn(desk.page, team.people[0]!);
  const field = desk.page.getByRole("searchbox", { name: "Search" });
  await eventually(() => field.inputValue()).toBe("from:Ana beacon & lamp");
  expect(new URL(desk.page.url()).searchParams.get("q")).toBe("from:Ana beacon & lamp");
});

test("joining whose answer was lost: the way to signing in keeps what was typed, and says nothing of the form before", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const { code } = await team.people[0]!.invite(team.workspace.id);
  const dee = await stage.desk();
  const { page, proxy } = dee;
  await dee.go(`/join/${code}`);
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Dee");
  await page.getByRole("textbox", { name: "Email" }).fill("dee@people.example");
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  proxy.swallowDown();
  const asked = page.waitForRequest(/sign-up/);
  await page.getByRole("button", { name: "Create account" }).click();
  await asked;
  const there = { email: "dee@people.example", password: PASSWORD };
  const mayEnter = async (): Promise<boolean> =>
    (
      await fetch(new URL("/api/auth/sign-in/email", stage.app.url), {
        method: "POST",
        headers: { "content-type": "application/json", origin: new URL(stage.app.url).origin },
        body: JSON.stringify(there),
      })
    ).ok;
  await eventually(mayEnter, undefined, ASKED_EVERY_MS).toBe(true);
  proxy.cut();
  await page.getByText("You're offline, and this needs the network").waitFor();
  proxy.up();
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByText("There is an account with this email").waitFor();
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("There is an account with this email").waitFor({ state: "detached" });
  expect(await page.getByRole("textbox", { name: "Email" }).inputValue()).toBe(there.email);
  await page.getByRole("button", { name: "Sign in" }).click();
  await isLive(page);
});
