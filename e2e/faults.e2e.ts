/** The rows of the fault matrix that need a real browser, in short: nothing lost, nothing doubled, nothing out of order. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Message } from "#protocol/entities/message.ts";
import { seeded } from "../web/test/sim/seeded.ts";
import {
  composer,
  connectionState,
  isDelivered,
  isLive,
  isQueued,
  message,
  say,
  shown,
  standAlike,
  tall,
} from "./journeys/channel.ts";
import { eventually } from "./journeys/eventually.ts";
import { plugIn, shellIsKept } from "./journeys/network.ts";
import { channelPath, lineOf } from "./journeys/rooms.ts";
import { type Desk, setStage } from "./journeys/stage.ts";
import { makeTeam, type Team } from "./rig/people.ts";

const stage = setStage();

async function twoDesks(): Promise<{ team: Team; ana: Desk; bo: Desk }> {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const [ana, bo] = await Promise.all(team.people.map((person) => stage.desk({ person })));
  await Promise.all([ana!.go(channelPath(team)), bo!.go(channelPath(team))]);
  await Promise.all([isLive(ana!.page), isLive(bo!.page)]);
  await Promise.all([tall(ana!.page), tall(bo!.page)]);
  return { team, ana: ana!, bo: bo! };
}

/** The texts that stand in the room, in its order. */
async function standing(team: Team): Promise<string[]> {
  return textsOf(await lineOf(team).history(team.general));
}

function textsOf(history: readonly Message[]): string[] {
  return history.flatMap((entry) => (entry.deleted || entry.system ? [] : [entry.text]));
}

test("row 1: a connection reset before or within the frame of a message sends it once, in its place", async () => {
  const { team, ana, bo } = await twoDesks();
  const sent: string[] = [];
  for (const bytes of [1, 30, 120]) {
    const cut = ana.proxy.cutAfter("up", bytes);
    for (const part of ["first", "second"]) {
      sent.push(`${bytes} bytes, ${part}`);
      await say(ana.page, `${bytes} bytes, ${part}`);
    }
    await cut;
    await isQueuedOrSending(ana.page, `${bytes} bytes, second`);
    await plugIn(ana);
    await isDelivered(ana.page, `${bytes} bytes, second`);
  }
  await standAlike(ana.page, bo.page);
  expect(await standing(team)).toEqual(sent);
});

test("row 2: what was sent into a dead line is noticed, stays queued, and is sent again", async () => {
  const { team, ana, bo } = await twoDesks();
  ana.proxy.dropUp();
  await say(ana.page, "Into the void");
  // Ten seconds without an answer, and the link is dead.
  await eventually(() => connectionState(ana.page), 15_000).not.toBe("live");
  await isQueuedOrSending(ana.page, "Into the void");
  await plugIn(ana);
  await isDelivered(ana.page, "Into the void", 30_000);
  await standAlike(ana.page, bo.page);
  expect(await standing(team)).toEqual(["Into the void"]);
});

test("row 3: an answer that never came back doubles nothing, and the place stays the same", async () => {
  const { team, ana, bo } = await twoDesks();
  ana.proxy.swallowDown();
  await say(ana.page, "Acknowledged to nobody");
  await message(bo.page, "Acknowledged to nobody").waitFor();
  const [before] = await shown(bo.page);
  expect((await shown(ana.page))[0]?.delivery).not.toBe("sent");
  ana.proxy.cut();
  await plugIn(ana);
  await isDelivered(ana.page, "Acknowledged to nobody");
  await standAlike(ana.page, bo.page);
  expect((await shown(ana.page))[0]).toMatchObject({ id: before!.id, seq: before!.seq });
  expect(await standing(team)).toEqual(["Acknowledged to nobody"]);
});

test("row 6: a server killed between a message and its answer forgets nothing it acknowledged", async () => {
  const { team, ana, bo } = await twoDesks();
  for (const round of [1, 2]) {
    await say(ana.page, `Round ${round}, acknowledged`);
    await isDelivered(ana.page, `Round ${round}, acknowledged`);
    await say(ana.page, `Round ${round}, in flight`);
    await stage.app.kill();
    await say(ana.page, `Round ${round}, while it is down`);
    await isQueued(ana.page, `Round ${round}, while it is down`);
    await stage.app.start();
    await Promise.all([plugIn(ana), plugIn(bo)]);
    await isDelivered(ana.page, `Round ${round}, while it is down`, 30_000);
  }
  await isLive(bo.page, 30_000);
  await standAlike(ana.page, bo.page);
  expect(await standing(team)).toEqual(
    [1, 2].flatMap((round) =>
      ["acknowledged", "in flight", "while it is down"].map((what) => `Round ${round}, ${what}`),
    ),
  );
});

test("row 9: two tabs send at once and the leading one is closed in the middle: one outbox, no double, both orders kept", async () => {
  const { team, ana, bo } = await twoDesks();
  const second = await ana.tab(channelPath(team));
  await tall(second);
  await isLive(second);
  const first = [1, 2, 3, 4].map((at) => `First tab ${at}`);
  const other = [1, 2, 3, 4].map((at) => `Second tab ${at}`);
  await Promise.all([sayAll(ana.page, first), sayAll(second, other)]);
  await isDelivered(second, "First tab 4");
  await isDelivered(second, "Second tab 4");
  await standAlike(ana.page, second);

  ana.proxy.swallowDown();
  await say(ana.page, "Written in the tab that closes");
  await message(second, "Written in the tab that closes").waitFor();
  await ana.page.close();
  await say(second, "Written in the tab that stays");
  ana.proxy.up();
  await second.evaluate(() => dispatchEvent(new Event("online")));
  await isDelivered(second, "Written in the tab that stays", 30_000);
  await standAlike(second, bo.page);
  const texts = await standing(team);
  expect(texts.filter((text) => text.startsWith("First"))).toEqual(first);
  expect(texts.filter((text) => text.startsWith("Second"))).toEqual(other);
  expect(texts.slice(-2)).toEqual(["Written in the tab that closes", "Written in the tab that stays"]);
});

test("row 10: a tab that crashes after Enter has its message on disk, before Enter its draft", async () => {
  const { team, ana } = await twoDesks();
  await shellIsKept(ana.page);
  ana.proxy.cut();
  await say(ana.page, "Entered before the crash");
  await isQueued(ana.page, "Entered before the crash");
  await composer(ana.page).fill("Not entered yet");
  // A draft is on the device at every pause in typing; the second tab tells when.
  const witness = await ana.tab(channelPath(team));
  await eventually(() => composer(witness).inputValue()).toBe("Not entered yet");
  await witness.close();
  await crash(ana.page);

  const after = await ana.tab(channelPath(team));
  await isQueued(after, "Entered before the crash");
  await eventually(() => composer(after).inputValue()).toBe("Not entered yet");
  ana.proxy.up();
  await after.evaluate(() => dispatchEvent(new Event("online")));
  await isDelivered(after, "Entered before the crash", 30_000);
  expect(await standing(team)).toEqual(["Entered before the crash"]);
});

test("a seeded campaign of cuts: 0 lost, 0 doubled, 0 out of order, both screens alike", async () => {
  const { team, ana, bo } = await twoDesks();
  const chance = seeded(20_261_121);
  const desks = [ana, bo];
  const written: string[][] = [[], []];
  const faults = chance.shuffled(["cut", "swallow", "hang", "cut-after", "cut", "swallow"]);
  for (let at = 0; at < 40; at += 1) {
    const who = chance.below(2);
    const desk = desks[who]!;
    if (at % 6 === 3) {
      const fault = faults.pop();
      if (fault === "cut") desk.proxy.cut();
      else if (fault === "swallow") desk.proxy.swallowDown();
      else if (fault === "hang") desk.proxy.hang();
      else void desk.proxy.cutAfter("up", 1 + chance.below(400));
    }
    const text = `${["Ana", "Bo"][who]} writes line ${at}`;
    written[who]!.push(text);
    await say(desk.page, text);
    if (at % 6 === 5) for (const { proxy } of desks) proxy.cut();
    if (at % 6 === 5) await Promise.all(desks.map(plugIn));
  }
  await Promise.all(desks.map(plugIn));
  for (const [who, desk] of desks.entries()) await isDelivered(desk.page, written[who]!.at(-1)!, 45_000);
  await standAlike(ana.page, bo.page, 30_000);
  const texts = await standing(team);
  const verdict = {
    lost: written.flat().filter((text) => !texts.includes(text)),
    doubled: texts.filter((text, at) => texts.indexOf(text) !== at),
    orders: ["Ana", "Bo"].map((name) => texts.filter((text) => text.startsWith(name))),
  };
  expect(verdict).toEqual({ lost: [], doubled: [], orders: written });
});

async function sayAll(page: Page, texts: readonly string[]): Promise<void> {
  for (const text of texts) await say(page, text);
}

async function isQueuedOrSending(page: Page, text: string): Promise<void> {
  await eventually(() => message(page, text).last().getAttribute("data-delivery")).toMatch(/^(queued|sending)$/);
}

/** Kills the tab's process, as running out of memory would. */
async function crash(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const crashed = new Promise((resolve) => page.once("crash", resolve));
  void session.send("Page.crash").catch(() => undefined);
  await crashed;
  await page.close();
}
