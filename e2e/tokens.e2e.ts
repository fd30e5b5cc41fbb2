/** Room tokens that run out, sessions that end and rights that are lost, in the middle of everything. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { KICK_WITHIN_MS, TOKEN_LIFETIME_S } from "#protocol/limits.ts";
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
import { Scene } from "./faults/scene.ts";
import { eventually } from "./journeys/eventually.ts";
import { plugIn } from "./journeys/network.ts";
import { channelPath, lineOf } from "./journeys/rooms.ts";
import { setStage } from "./journeys/stage.ts";
import { makeTeam, PASSWORD } from "./rig/people.ts";

const stage = setStage();

/** Much longer than it may take: a test tells whether, other tests share the machine. */
const KICKED_WITHIN_MS = 6 * KICK_WITHIN_MS;

/** What a page says to its rooms and to the authorisation endpoint, in order. */
interface Wire {
  readonly said: string[];
  readonly heard: string[];
  readonly asked: string[];
  /** The tokens it greeted with. */
  readonly tokens: string[];
  closedCount: number;
}

function tap(page: Page): Wire {
  const wire: Wire = { said: [], heard: [], asked: [], tokens: [], closedCount: 0 };
  page.on("websocket", (socket) => {
    socket.on("framesent", ({ payload }) => {
      wire.said.push(kindOf(payload));
      if (kindOf(payload) === "hello") wire.tokens.push((JSON.parse(payload.toString()) as { token: string }).token);
    });
    socket.on("framereceived", ({ payload }) => wire.heard.push(kindOf(payload)));
    socket.on("close", () => (wire.closedCount += 1));
  });
  page.on("request", (request) => {
    if (!request.url().endsWith("/api/rooms/auth")) return;
    wire.asked.push((request.postDataJSON() as { reason?: string }).reason ?? "");
  });
  return wire;
}

function kindOf(payload: string | Buffer): string {
  const text = payload.toString();
  return text.startsWith("{") ? (JSON.parse(text) as { t: string }).t : text;
}

test("[AU9] a token is renewed over the open connection before it runs out", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const ana = await stage.desk({ person: team.people[0]! });
  await ana.page.clock.install();
  const wire = tap(ana.page);
  await ana.go(channelPath(team));
  // The workspace's connection and the channel's.
  await eventually(() => wire.heard.filter((kind) => kind === "welcome").length).toBe(2);
  // The read position is answered too: a jump of the clock over an answer that is owed is a dead line.
  await eventually(() => wire.heard).toContain("ack");
  await isLive(ana.page);
  expect(wire.said).not.toContain("auth");
  await ana.page.clock.fastForward(0.96 * TOKEN_LIFETIME_S * 1_000);
  await eventually(() => wire.heard.filter((kind) => kind === "authed").length).toBeGreaterThanOrEqual(2);
  expect(wire.asked).toContain("refresh");
  await isLive(ana.page);
  await say(ana.page, "Still the same connection");
  await isDelivered(ana.page, "Still the same connection");
  expect(wire.closedCount).toBe(0);
});

test("[AU8] row 7, a token that ran out while the plug was pulled is replaced before connecting, and the outbox goes out whole", async () => {
  let wire!: Wire;
  const scene = await Scene.open(stage, {
    async prepare([{ page }]) {
      await page.clock.install();
      wire = tap(page);
    },
  });
  const { ana } = scene;
  ana.proxy.cut();
  await eventually(() => connectionState(ana.page)).not.toBe("live");
  const texts = [1, 2, 3, 4, 5].map((at) => `Written over the hour ${at}`);
  for (const text of texts) await scene.say(ana.page, text);
  await isQueued(ana.page, texts.at(-1)!);
  await ana.page.clock.fastForward(1.2 * TOKEN_LIFETIME_S * 1_000);
  const ranOut = [...wire.tokens];
  expect(ranOut.length).toBeGreaterThan(0);
  ana.proxy.up();
  await ana.page.evaluate(() => dispatchEvent(new Event("online")));
  await isDelivered(ana.page, texts.at(-1)!, 30_000);
  // The server's clock has not moved: it would have taken the old one, and only the client can know better.
  const since = wire.tokens.slice(ranOut.length);
  expect(since.length).toBeGreaterThan(0);
  expect(since.filter((token) => ranOut.includes(token))).toEqual([]);
  await scene.endsWell();
});

test("tokens taken back by an administrator are replaced at once, with a full outbox", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const [owner, member] = team.people;
  const bo = await stage.desk({ person: member! });
  await bo.go(channelPath(team));
  await isLive(bo.page);
  const wire = tap(bo.page);
  const { user } = await member!.me();
  bo.proxy.swallowDown();
  for (const at of [1, 2, 3]) await say(bo.page, `In flight ${at}`);
  await owner!.post("/api/auth/revoke", { user: user.id });
  await plugIn(bo);
  await isDelivered(bo.page, "In flight 3", 30_000);
  await isLive(bo.page);
  // The rooms hear of it one by one.
  await eventually(() => wire.asked.length, KICKED_WITHIN_MS).toBeGreaterThan(0);
  expect(await lineOf(team).texts(team.general)).toEqual([1, 2, 3].map((at) => `In flight ${at}`));
});

test("[AU3] an ended session asks to sign in again: reading goes on, the outbox waits, then all of it goes", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const [, member] = team.people;
  const bo = await stage.desk({ person: member! });
  const wire = tap(bo.page);
  await bo.go(channelPath(team));
  await isLive(bo.page);
  await say(bo.page, "While signed in");
  await isDelivered(bo.page, "While signed in");
  await member!.post("/api/auth/sign-out", {});
  await eventually(() => connectionState(bo.page)).toBe("signed-out");
  // The rooms hear of it one by one.
  await eventually(() => wire.closedCount, KICKED_WITHIN_MS).toBe(2);
  expect(await connection(bo.page).first().innerText()).toMatch(/^Sign in again/);
  expect(await message(bo.page, "While signed in").isVisible()).toBe(true);
  await say(bo.page, "While signed out");
  await isQueued(bo.page, "While signed out");
  await bo.page.reload();
  await isQueued(bo.page, "While signed out");
  await eventually(() => connectionState(bo.page)).toBe("signed-out");

  await connection(bo.page).first().getByRole("link").click();
  await bo.page.getByRole("textbox", { name: "Email" }).fill(member!.email);
  await bo.page.getByLabel("Password").fill(PASSWORD);
  await bo.page.getByRole("button", { name: "Sign in" }).click();
  await bo.page.waitForURL((url) => url.pathname !== "/sign-in");
  await bo.go(channelPath(team));
  await isDelivered(bo.page, "While signed out");
  await isLive(bo.page);
});

test("[AU4] who is removed from a private channel sees it go; what was unsent stays in the Outbox", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo", "Cy"]);
  const [, member, third] = team.people;
  const users = await Promise.all([member!, third!].map(async (person) => (await person.me()).user.id));
  const line = lineOf(team);
  const channel = await line.createChannel("crew-only", { access: "private", members: users });
  await line.post(channel, ["For the crew"]);
  const bo = await stage.desk({ person: member! });
  const cy = await stage.desk({ person: third! });
  for (const desk of [bo, cy]) {
    await desk.go(channelPath(team, channel));
    await message(desk.page, "For the crew").waitFor();
    await isLive(desk.page);
  }

  cy.proxy.cut();
  await eventually(() => connectionState(cy.page)).not.toBe("live");
  await say(cy.page, "Never sent", "crew-only");
  await isQueued(cy.page, "Never sent");

  const answers = await line.change({ op: "channel.members", args: { id: channel, add: [], remove: users } });
  expect(answers.map(({ t }) => t)).toEqual(["ack"]);
  await eventually(() => channelLink(bo.page, "crew-only").count(), KICKED_WITHIN_MS).toBe(0);
  await eventually(() => message(bo.page, "For the crew").count(), KICKED_WITHIN_MS).toBe(0);
  await eventually(() => composer(bo.page, "crew-only").count()).toBe(0);

  await plugIn(cy);
  await eventually(() => channelLink(cy.page, "crew-only").count()).toBe(0);
  await sidebar(cy.page).getByRole("link", { name: "Outbox" }).click();
  const outbox = cy.page.getByRole("region", { name: "Outbox" });
  await outbox.getByText("Never sent").waitFor();
  await outbox.getByText("You no longer have access").first().waitFor();
  expect(await line.texts(channel)).toEqual(["For the crew"]);
});
