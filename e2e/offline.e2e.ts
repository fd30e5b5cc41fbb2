/** The plug is pulled, and everything goes on; it is put in again, and everything is there once. */
import type { RequestListener } from "node:http";
import { expect, test } from "vitest";
import {
  act,
  channelLink,
  composer,
  connectionState,
  editor,
  isAway,
  isDelivered,
  isLive,
  isQueued,
  message,
  say,
  sidebar,
  tall,
  write,
} from "./journeys/channel.ts";
import { Scene } from "./faults/scene.ts";
import { eventually } from "./journeys/eventually.ts";
import { FAILS_TO_SHAKE_HANDS, LOGIN_PAGE, plugIn, shellIsKept, startNoTls, startPortal } from "./journeys/network.ts";
import { channelPath, lineOf } from "./journeys/rooms.ts";
import { type Desk, setStage } from "./journeys/stage.ts";
import { makeTeam } from "./rig/people.ts";

const stage = setStage();

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
  await isAway(ana.page);
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
  await isAway(ana.page);
  await ana.go(`/w/${team.workspace.slug}`);
  await message(ana.page, "Also in the dark").waitFor();
  await ana.go("/");
  await message(ana.page, "Also in the dark").waitFor();

  await plugIn(ana);
  await isDelivered(ana.page, "Also in the dark");
  const texts = await lineOf(team).texts(team.general);
  expect(texts.slice(-2)).toEqual(["Written in the dark", "Also in the dark"]);
});

test("row 18, a cold start offline: what was done survives closing the browser, starts cold without a network, and arrives once and in order", async () => {
  const profile = stage.rig.profile();
  const scene = await Scene.open(stage, { ana: { profile } });
  const { ana: before, bo } = scene;
  await scene.say(before.page, "Stays as it is");
  await say(before.page, "Will be edited");
  scene.wrote("Ana", ["Was edited offline"]);
  await say(before.page, "Will be deleted");
  await isDelivered(before.page, "Will be deleted");
  await scene.say(bo.page, "Will be liked");
  await message(before.page, "Will be liked").waitFor();
  await shellIsKept(before.page);

  before.proxy.cut();
  await isAway(before.page);
  await scene.say(before.page, "Queued before closing");
  await isQueued(before.page, "Queued before closing");
  await before.close();

  const ana = await stage.desk({ profile, proxy: before.proxy });
  await ana.go("/");
  for (const text of ["Stays as it is", "Will be liked", "Queued before closing"])
    await message(ana.page, text).waitFor();
  await act(ana.page, "Will be edited", "Edit");
  await editor(ana.page).fill("Was edited offline");
  await editor(ana.page).press("Enter");
  await message(ana.page, "Was edited offline").waitFor();
  await act(ana.page, "Will be deleted", "Delete");
  await ana.page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await eventually(() => message(ana.page, "Will be deleted").count()).toBe(0);
  await act(ana.page, "Will be liked", "React");
  await ana.page.getByRole("button", { name: "🎉" }).first().click();
  await message(ana.page, "Will be liked").getByRole("button", { name: /🎉/ }).waitFor();
  for (const at of [1, 2, 3]) await scene.say(ana.page, `Cold start ${at}`, "Ana");
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
  await tall(ana.page);
  await scene.endsWell([ana.page, bo.page]);

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
  const scene = await Scene.open(stage);
  const { ana, bo } = scene;
  await scene.say(ana.page, "Before the hotel");
  await isDelivered(ana.page, "Before the hotel");
  await shellIsKept(ana.page);

  const portal = await startPortal();
  try {
    ana.proxy.divert(portal.port);
    await scene.say(ana.page, "Typed behind the portal");
    await scene.say(bo.page, "Outside of the hotel");
    for (const [name, answer] of PORTALS) {
      portal.answer = answer;
      portal.asked.length = 0;
      await eventually(async () => {
        await ana.page.evaluate(() => dispatchEvent(new Event("online")));
        return portal.asked.length;
      }).toBeGreaterThan(1);
      expect(await connectionState(ana.page), name).toMatch(/^(offline|reconnecting)$/);
    }
    portal.answer = PORTALS[0]![1];
    await ana.page.reload();
    await message(ana.page, "Before the hotel").waitFor();
    await isQueued(ana.page, "Typed behind the portal");
    await isAway(ana.page);
    expect(await ana.page.getByText("Accept our terms").count()).toBe(0);
  } finally {
    ana.proxy.divert();
    await portal.close();
  }
  await plugIn(ana);
  await isDelivered(ana.page, "Typed behind the portal");
  await ana.page.reload();
  await isLive(ana.page);
  await scene.endsWell();
});

/** Past the service worker, as Shift and "reload" do it; fails with the browser's own words. */
async function loadPastWorker({ context, page }: Desk): Promise<unknown> {
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setBypassServiceWorker", { bypass: true });
  try {
    return await page.reload().catch((error: unknown) => error);
  } finally {
    await session.detach();
  }
}

test("[AU2] row 17, a TLS error: everything is sent on to where no handshake succeeds, which is no network and never a sign-out", async () => {
  const scene = await Scene.open(stage);
  const { ana, bo } = scene;
  await scene.say(ana.page, "Before the hotel");
  await isDelivered(ana.page, "Before the hotel");
  await shellIsKept(ana.page);

  const [portal, noTls] = await Promise.all([startPortal(), startNoTls()]);
  /** Of sockets, apart from what is fetched. */
  let upgrades = 0;
  const sendOn =
    (status: 302 | 307): RequestListener =>
    (request, response) => {
      if (request.headers.upgrade === "websocket") upgrades += 1;
      response.writeHead(status, { location: `${noTls.url}${request.url}` }).end();
    };
  try {
    portal.answer = sendOn(302);
    ana.proxy.divert(portal.port);
    await scene.say(ana.page, "Typed behind the portal");
    await scene.say(bo.page, "Outside of the hotel");
    await write(ana.page, "Half a thought");
    // With the tokens at hand it is sockets that are opened again; a page that begins anew asks for tokens first.
    for (const status of [302, 307] as const) {
      portal.answer = sendOn(status);
      upgrades = 0;
      await eventually(async () => {
        await ana.page.evaluate(() => dispatchEvent(new Event("online")));
        return upgrades;
      }).toBeGreaterThan(1);
      expect(await connectionState(ana.page), `${status}`).toMatch(/^(offline|reconnecting)$/);
      await scene.isWaiting(ana.page, "Typed behind the portal");
    }
    for (const [name, answer] of Object.entries(FAILS_TO_SHAKE_HANDS)) {
      noTls.answer = answer;
      const before = noTls.hellos;
      expect(String(await loadPastWorker(ana))).toContain(`net::${name}`);
      expect(noTls.hellos).toBeGreaterThan(before);
      portal.asked.length = 0;
      await ana.go(scene.path);
      await message(ana.page, "Before the hotel").waitFor();
      await isQueued(ana.page, "Typed behind the portal");
      await eventually(() => composer(ana.page).inputValue()).toBe("Half a thought");
      await eventually(() => portal.asked).toContain("/api/rooms/auth");
      await isAway(ana.page);
      expect(new URL(ana.page.url()).pathname, name).toBe(scene.path);
    }
  } finally {
    ana.proxy.divert();
    await Promise.all([portal.close(), noTls.close()]);
  }
  await plugIn(ana);
  await isDelivered(ana.page, "Typed behind the portal");
  await composer(ana.page).press("Enter");
  scene.wrote("Ana", ["Half a thought"]);
  await isDelivered(ana.page, "Half a thought");
  await ana.page.reload();
  await isLive(ana.page);
  await scene.endsWell();
});
