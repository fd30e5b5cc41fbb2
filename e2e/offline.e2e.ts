/** The plug is pulled, and everything goes on; it is put in again, and everything is there once. */
import type { RequestListener } from "node:http";
import { expect, test } from "vitest";
import {
  act,
  channelLink,
  composer,
  connectionState,
  isDelivered,
  isLive,
  isQueued,
  message,
  say,
  shown,
  shownIds,
  sidebar,
  standAlike,
  tall,
} from "./journeys/channel.ts";
import { eventually } from "./journeys/eventually.ts";
import { LOGIN_PAGE, plugIn, shellIsKept, startPortal } from "./journeys/network.ts";
import { channelPath, lineOf } from "./journeys/rooms.ts";
import { setStage } from "./journeys/stage.ts";
import { makeTeam } from "./rig/people.ts";

const stage = setStage();

const isAway = (state: string | null): boolean => state === "offline" || state === "reconnecting";

test("with the plug pulled the composer takes messages at once, and a reload opens the workspace from disk", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  await lineOf(team, 1).post(
    team.general,
    Array.from({ length: 12 }, (_, at) => `Before the storm ${at}`),
  );
  const ana = await stage.desk({ person: team.people[0]! });
  await ana.go(channelPath(team));
  await isLive(ana.page);
  await shellIsKept(ana.page);

  ana.proxy.cut();
  await eventually(async () => isAway(await connectionState(ana.page))).toBe(true);
  await say(ana.page, "Written in the dark");
  await isQueued(ana.page, "Written in the dark");
  expect(await composer(ana.page).inputValue()).toBe("");
  await sidebar(ana.page).getByRole("link", { name: "Outbox" }).click();
  await ana.page.getByRole("region", { name: "Outbox" }).getByText("Written in the dark").waitFor();

  await ana.go(channelPath(team));
  await message(ana.page, "Before the storm 11").waitFor();
  await isQueued(ana.page, "Written in the dark");
  await say(ana.page, "Also in the dark");
  await isQueued(ana.page, "Also in the dark");
  expect(isAway(await connectionState(ana.page))).toBe(true);
  await ana.go(`/w/${team.workspace.slug}`);
  await message(ana.page, "Also in the dark").waitFor();
  await ana.go("/");
  await message(ana.page, "Also in the dark").waitFor();

  await plugIn(ana);
  await isDelivered(ana.page, "Also in the dark");
  const texts = (await lineOf(team).history(team.general)).flatMap((entry) => (entry.deleted ? [] : [entry.text]));
  expect(texts.slice(-2)).toEqual(["Written in the dark", "Also in the dark"]);
});

test("row 18, a cold start offline: what was done survives closing the browser, starts cold without a network, and arrives once and in order", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const bo = await stage.desk({ person: team.people[1]! });
  const profile = stage.rig.profile();
  const before = await stage.desk({ person: team.people[0]!, profile });
  await Promise.all([bo.go(channelPath(team)), before.go(channelPath(team))]);
  await Promise.all([isLive(bo.page), isLive(before.page)]);
  for (const text of ["Stays as it is", "Will be edited", "Will be deleted"]) await say(before.page, text);
  await isDelivered(before.page, "Will be deleted");
  await say(bo.page, "Will be liked");
  await message(before.page, "Will be liked").waitFor();
  await shellIsKept(before.page);

  before.proxy.cut();
  await eventually(async () => isAway(await connectionState(before.page))).toBe(true);
  await say(before.page, "Queued before closing");
  await isQueued(before.page, "Queued before closing");
  await before.close();

  const ana = await stage.desk({ profile, proxy: before.proxy });
  await ana.go("/");
  for (const text of ["Stays as it is", "Will be liked", "Queued before closing"])
    await message(ana.page, text).waitFor();
  await act(ana.page, "Will be edited", "Edit");
  await ana.page.getByRole("textbox", { name: "Edit message" }).fill("Was edited offline");
  await ana.page.getByRole("textbox", { name: "Edit message" }).press("Enter");
  await message(ana.page, "Was edited offline").waitFor();
  await act(ana.page, "Will be deleted", "Delete");
  await ana.page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await eventually(() => message(ana.page, "Will be deleted").count()).toBe(0);
  await act(ana.page, "Will be liked", "React");
  await ana.page.getByRole("button", { name: "🎉" }).first().click();
  await message(ana.page, "Will be liked").getByRole("button", { name: /🎉/ }).waitFor();
  for (const at of [1, 2, 3]) await say(ana.page, `Cold start ${at}`);
  await isQueued(ana.page, "Cold start 3");

  await sidebar(ana.page).getByRole("button", { name: "Create channel" }).click();
  await ana.page.getByRole("textbox", { name: "Channel name" }).fill("made-offline");
  await ana.page.getByRole("dialog").getByRole("button", { name: "Create channel" }).click();
  await say(ana.page, "First in a channel the server hasn't heard of", "made-offline");
  await isQueued(ana.page, "First in a channel");
  await channelLink(ana.page, "general").click();

  await plugIn(ana);
  await isDelivered(ana.page, "Cold start 3");
  await message(bo.page, "Cold start 3").waitFor();
  await message(bo.page, "Was edited offline").waitFor();
  await message(bo.page, "Will be liked").getByRole("button", { name: /🎉/ }).waitFor();
  await eventually(() => message(bo.page, "Will be deleted").count()).toBe(0);
  await Promise.all([tall(ana.page), tall(bo.page)]);
  await standAlike(ana.page, bo.page);
  const texts = (await shown(bo.page)).map(({ text }) => /Queued before closing|Cold start \d/.exec(text)?.[0]);
  expect(texts.filter(Boolean)).toEqual(["Queued before closing", "Cold start 1", "Cold start 2", "Cold start 3"]);
  expect(new Set(await shownIds(bo.page)).size).toBe((await shownIds(bo.page)).length);

  await sidebar(bo.page).getByRole("link", { name: "Browse channels" }).click();
  await bo.page
    .getByRole("link", { name: /made-offline/ })
    .first()
    .click();
  await message(bo.page, "First in a channel the server hasn't heard of").waitFor();
  await eventually(() => message(bo.page, "First in a channel").count()).toBe(1);
});

const PORTALS: readonly (readonly [string, RequestListener])[] = [
  ["a page", (_request, response) => response.writeHead(200, { "content-type": "text/html" }).end(LOGIN_PAGE)],
  ["a page with 401", (_request, response) => response.writeHead(401, { "content-type": "text/html" }).end(LOGIN_PAGE)],
  ["511", (_request, response) => response.writeHead(511, { "content-type": "application/json" }).end("{}")],
  ["a redirect", (_request, response) => response.writeHead(302, { location: "http://portal.invalid/" }).end()],
  [
    "JSON without a token",
    (_request, response) => response.writeHead(200, { "content-type": "application/json" }).end("{}"),
  ],
];

test("[AU2] row 17, a captive portal is no network: never a sign-out, never data", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const ana = await stage.desk({ person: team.people[0]! });
  await ana.go(channelPath(team));
  await isLive(ana.page);
  await say(ana.page, "Before the hotel");
  await isDelivered(ana.page, "Before the hotel");
  await shellIsKept(ana.page);

  const portal = await startPortal();
  try {
    ana.proxy.divert(portal.port);
    await say(ana.page, "Typed behind the portal");
    for (const [name, answer] of PORTALS) {
      portal.answer = answer;
      portal.asked.length = 0;
      await eventually(async () => {
        await ana.page.evaluate(() => dispatchEvent(new Event("online")));
        return portal.asked.length;
      }).toBeGreaterThan(1);
      expect(isAway(await connectionState(ana.page)), name).toBe(true);
    }
    portal.answer = PORTALS[0]![1];
    await ana.page.reload();
    await message(ana.page, "Before the hotel").waitFor();
    await isQueued(ana.page, "Typed behind the portal");
    expect(isAway(await connectionState(ana.page))).toBe(true);
    expect(await ana.page.getByText("Accept our terms").count()).toBe(0);
  } finally {
    ana.proxy.divert();
    await portal.close();
  }
  await plugIn(ana);
  await isDelivered(ana.page, "Typed behind the portal");
  await ana.page.reload();
  await isLive(ana.page);
});
