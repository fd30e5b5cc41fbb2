/** The filling in the background where bytes cost, and in a browser that ends in the midst of it: it says so, goes on, and misses nothing. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { NEWEST_DEFAULT } from "#protocol/limits.ts";
import { isLive } from "./journeys/channel.ts";
import { rowsOnDisk } from "./journeys/disk.ts";
import { eventually } from "./journeys/eventually.ts";
import { plugIn, shellIsKept } from "./journeys/network.ts";
import { channelPath, lineOf } from "./journeys/rooms.ts";
import { type Desk, setStage } from "./journeys/stage.ts";
import { prepare } from "./rig/in-time.ts";
import { makeTeam, type Team } from "./rig/people.ts";

const stage = setStage();

const WRITERS = 5;
/** Of each writer in each channel: several pages together. */
const EACH = 80;
const FILLED_WITHIN_MS = 60_000;
/** Two starts of a browser and a filling that takes its time. */
const WITHIN_MS = 240_000;
/** A page of messages takes a second or two, and so there is a midst. */
const SLOW = { kbps: 250, ms: 20 } as const;

let team: Team;
let long: readonly string[];

prepare(async () => {
  team = await makeTeam(stage.app.url, ["Ana", "Bo", "Cleo", "Dara", "Emil", "Fay", "Gil"]);
  const line = lineOf(team);
  long = [await line.createChannel("site-a"), await line.createChannel("site-b")];
  await Promise.all(
    team.people.slice(0, WRITERS).map(async (_, who) => {
      await joins(who);
      for (const channel of long) {
        await lineOf(team, who).post(
          channel,
          Array.from({ length: EACH }, (__, at) => `Line ${at} of ${who}`),
        );
      }
    }),
  );
});

async function joins(who: number): Promise<void> {
  await lineOf(team, who).change(...long.map((id) => ({ op: "channel.join" as const, args: { id } })));
}

/** Place and id of each message of these channels that lies on the device, in order. */
async function stored(page: Page, channels: readonly string[] = long): Promise<(readonly [number, string])[][]> {
  const rows = (await rowsOnDisk(page, "messages")) as {
    readonly room: string;
    readonly message: { readonly seq: number; readonly id: string };
  }[];
  return channels.map((channel) =>
    rows.flatMap(({ room, message: { seq, id } }) => (room.endsWith(`_${channel}`) ? [[seq, id] as const] : [])),
  );
}

async function storedCount(page: Page): Promise<number> {
  return (await stored(page)).flat().length;
}

/** At the page that says what is here, on a line of which the browser tells this. */
async function deskOn(line: Readonly<Record<string, unknown>>, who: number): Promise<Desk> {
  const desk = await stage.desk({ person: team.people[who]! });
  await desk.context.addInitScript((told) => {
    const connection = Object.assign(new EventTarget(), told);
    Object.defineProperty(Navigator.prototype, "connection", { configurable: true, get: () => connection });
  }, line);
  await desk.go(channelPath(team));
  await isLive(desk.page);
  await desk.go("/me/offline");
  return desk;
}

/** The page says so, and the rooms hold the very same. */
async function isWhole(page: Page): Promise<void> {
  await page.getByText("All that you keep is here.").waitFor({ timeout: FILLED_WITHIN_MS });
  const channels = [team.general, ...long];
  const held = await stored(page, channels);
  for (const [at, channel] of channels.entries()) {
    expect(held[at]).toEqual((await lineOf(team).history(channel)).map(({ seq, id }) => [seq, id]));
  }
}

test.each([
  ["whose bytes are to be saved", { saveData: true }, "Paused: data saver is on.", 0],
  ["of a mobile phone", { type: "cellular" }, "Paused: metered connection.", 1],
] as const)(
  "on a line %s nothing older is fetched by itself, which is said; “Fill now” fetches all of it all the same",
  async (_, told, says, who) => {
    const { page } = await deskOn(told, who);
    await page.getByText(says, { exact: true }).waitFor();
    await page.getByText(/^\d of 3 channels (is|are) here; about \d+ messages to go\.$/).waitFor();
    // What a link brings when it is opened, and no page more.
    await eventually(async () => Math.min(...(await stored(page)).map(({ length }) => length))).toBeGreaterThan(0);
    const before = await stored(page);
    for (const { length } of before) expect(length).toBeLessThanOrEqual(NEWEST_DEFAULT);

    // What is new comes as ever, and nothing older with it.
    const texts = ["News", "More news"];
    const news = await Promise.all(long.map((channel, at) => lineOf(team, 2).post(channel, [texts[at]!])));
    await eventually(async () => (await stored(page)).map((held) => held.at(-1)?.[1])).toEqual(news.flat());
    const since = (await stored(page)).map((held) => held.slice(0, -1));
    expect(since).toEqual(before);
    await page.getByText(says, { exact: true }).waitFor();

    await page.getByRole("button", { name: "Fill now" }).click();
    await isWhole(page);
    expect(await page.getByText("Paused").count()).toBe(0);
  },
  WITHIN_MS,
);

test("with the data saver switched off the filling goes on by itself", async () => {
  const { page } = await deskOn({ saveData: true }, 2);
  await page.getByText("Paused: data saver is on.", { exact: true }).waitFor();
  await page.evaluate(() => {
    const { connection } = navigator as unknown as { connection: EventTarget & { saveData: boolean } };
    connection.saveData = false;
    connection.dispatchEvent(new Event("change"));
  });
  await isWhole(page);
});

test.each([
  ["closed", 5],
  ["killed", 6],
] as const)(
  "a browser that is %s in the midst of the filling has what came by then, and goes on at its next start until nothing is missing",
  async (how, who) => {
    const profile = stage.rig.profile();
    const first = await stage.desk({ person: team.people[who]!, profile });
    await first.go(channelPath(team));
    await isLive(first.page);
    await shellIsKept(first.page);
    await first.close();
    // There is much to fetch only now, when the app itself needn't come over the slow line.
    await joins(who);
    first.proxy.slow(SLOW);
    const midst = await stage.desk({ profile, proxy: first.proxy });
    await midst.go(channelPath(team));
    await eventually(() => storedCount(midst.page), FILLED_WITHIN_MS).toBeGreaterThan(long.length * NEWEST_DEFAULT);
    // Nothing more comes before it ends.
    first.proxy.hang();
    const before = await storedCount(midst.page);
    await (how === "closed" ? midst.close() : profile.kill());

    first.proxy.cut();
    const last = await stage.desk({ profile, proxy: first.proxy });
    await last.go("/me/offline");
    await last.page.getByText("Paused: no connection. It goes on by itself.").waitFor();
    const left = await storedCount(last.page);
    expect(left).toBeGreaterThanOrEqual(before);
    expect(left).toBeLessThan(long.length * WRITERS * EACH);
    await plugIn(last);
    await isWhole(last.page);
  },
  WITHIN_MS,
);
