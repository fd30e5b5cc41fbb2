/** The whole workspace on the device: filled in the background, read without a network, kept to what one wants, and not lost with the disk. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { composer, isDelivered, isLive, message, messages, say, shown } from "./journeys/channel.ts";
import { rowsOnDisk } from "./journeys/disk.ts";
import { eventually } from "./journeys/eventually.ts";
import { inspect, SIZES, SMALLEST } from "./journeys/inspect.ts";
import { plugIn, shellIsKept } from "./journeys/network.ts";
import { channelPath, lineOf } from "./journeys/rooms.ts";
import { setStage } from "./journeys/stage.ts";
import { prepare } from "./rig/in-time.ts";
import { makeTeam, type Team } from "./rig/people.ts";

const stage = setStage();

const CHANNELS = 24;
const IN_EACH = 3;
const LONG = 450;
const WITHIN_MS = 60_000;

let team: Team;
const channels: string[] = [];

prepare(async () => {
  team = await makeTeam(stage.app.url, ["Ana", "Bo", "Cleo", "Dara", "Emil"]);
  const line = lineOf(team);
  for (let at = 0; at < CHANNELS; at += 1) channels.push(await line.createChannel(`site-${at}`));
  for (const channel of channels) {
    await line.post(
      channel,
      Array.from({ length: IN_EACH }, (_, at) => `Report ${at}`),
    );
  }
  await Promise.all(
    team.people.map((_, who) =>
      lineOf(team, who).post(
        team.general,
        Array.from({ length: LONG / team.people.length }, (__, at) => `Line ${at} of ${who}`),
      ),
    ),
  );
});

const sentence = (page: Page) => page.getByText(/on this device, complete since/);

/** The sentence says how many messages there are, and that it is done. */
async function isFilled(page: Page): Promise<void> {
  await page.getByText("All that you keep is here.").waitFor({ timeout: WITHIN_MS });
}

/** Scrolls up to this place; what stands on the screen on the way is without a hole. */
async function scrollUpTo(page: Page, first: number): Promise<void> {
  await eventually(async () => {
    await messages(page).first().hover();
    await page.mouse.wheel(0, -2_000);
    const places = (await shown(page)).flatMap(({ seq }) => (seq === null ? [] : [seq]));
    expect(places).toEqual(places.map((_, at) => places[0]! + at));
    return places[0];
  }, WITHIN_MS).toBe(first);
}

/** The places of a channel's messages as they stand on the disk. */
async function storedPlaces(page: Page, channel: string): Promise<number[]> {
  const rows = (await rowsOnDisk(page, "messages")) as { readonly room: string; readonly message: { seq: number } }[];
  return rows.filter(({ room }) => room.endsWith(`_${channel}`)).map(({ message }) => message.seq);
}

test("after the first visit every channel is on the device, also beyond twenty, for few tokens; and all of it is read with the cable out", async () => {
  const ana = await stage.desk({ person: team.people[0]! });
  let tokens = 0;
  ana.page.on("request", (request) => {
    if (request.url().endsWith("/api/rooms/auth")) tokens += 1;
  });
  await ana.go(channelPath(team));
  await isLive(ana.page);
  await shellIsKept(ana.page);
  await ana.go("/me/offline");
  await isFilled(ana.page);
  const said = (await sentence(ana.page).textContent()) ?? "";
  await ana.page.getByText("which Search leaves out").waitFor();
  expect(said).toMatch(/^25 channels, \d[\d,]* messages, .+ on this device, complete since /);
  const count = Number(/([\d,]+) messages/.exec(said)?.[1]?.replaceAll(",", ""));
  expect(count).toBeGreaterThanOrEqual(LONG + CHANNELS * IN_EACH);
  expect(tokens).toBeLessThan(12);

  ana.proxy.cut();
  await ana.go(channelPath(team));
  await messages(ana.page).first().waitFor();
  const truth = await lineOf(team).history(team.general);
  expect(await storedPlaces(ana.page, team.general)).toEqual(truth.map(({ seq }) => seq));
  // The room's own lines are no articles.
  const written = truth.find((each) => each.deleted === true || each.system === undefined);
  await scrollUpTo(ana.page, written!.seq);

  for (const channel of [channels[0]!, channels.at(-1)!]) {
    await ana.go(channelPath(team, channel));
    await message(ana.page, "Report 0").waitFor();
    await message(ana.page, "Report 2").waitFor();
  }
});

test("who wants less of a channel keeps less of it, at once, reads the rest from the room; and keeps all of it again", async () => {
  const bo = await stage.desk({ person: team.people[1]! });
  await bo.go(channelPath(team));
  await isLive(bo.page);
  await bo.go("/me/offline");
  await isFilled(bo.page);
  const general = bo.page.getByRole("listitem").filter({ hasText: "#general" });
  const held = async (): Promise<number> =>
    Number(/([\d,]+) messages/.exec((await general.textContent()) ?? "")?.[1]?.replaceAll(",", ""));
  await eventually(held).toBeGreaterThanOrEqual(LONG);
  await bo.page.getByLabel("Keep of #general").selectOption("The newest only");
  await eventually(held).toBeLessThanOrEqual(110);
  // Most of that day is missing.
  for (const said of [general, sentence(bo.page)]) {
    expect(await said.textContent()).toMatch(/complete since \d\d?:\d\d.* on \w+/i);
  }
  const truth = await lineOf(team).history(team.general);
  const written = truth.filter((each) => each.deleted === true || each.system === undefined);
  // A link to one that isn't here waits for the network, until one reads on elsewhere.
  await shellIsKept(bo.page);
  bo.proxy.cut();
  await bo.go(`${channelPath(team)}/${written[200]!.id}`);
  const waits = bo.page.getByRole("alert").filter({ hasText: "there is no connection" });
  await waits.waitFor();
  const log = bo.page.getByRole("log");
  await log.hover();
  await bo.page.mouse.wheel(0, -100);
  await waits.waitFor({ state: "detached" });
  await bo.page.reload();
  await waits.waitFor();
  // The scroll bar, which a browser without a screen hides.
  await log.dispatchEvent("pointerdown", { pointerType: "mouse" });
  await log.evaluate((each) => (each.scrollTop -= 100));
  await waits.waitFor({ state: "detached" });
  await bo.page.reload();
  await waits.waitFor();
  await say(bo.page, "Written on the way");
  await waits.waitFor({ state: "detached" });
  await bo.page.reload();
  await waits.waitFor();
  // Led away in the middle of an edit, one would type on into the composer.
  await composer(bo.page).press("ArrowUp");
  await waits.waitFor({ state: "detached" });
  await bo.page.reload();
  await waits.waitFor();
  await plugIn(bo);
  await bo.page.locator(`article[data-message-id="${written[200]!.id}"]`).waitFor();
  await waits.waitFor({ state: "detached" });
  await bo.go("/me/offline");
  await eventually(held).toBeLessThanOrEqual(110);
  await bo.go(channelPath(team));
  await messages(bo.page).first().waitFor();
  await scrollUpTo(bo.page, written[0]!.seq);
  await bo.go("/me/offline");
  await bo.page.getByLabel("Keep of #general").selectOption("As above (everything)");
  await eventually(held, WITHIN_MS).toBeGreaterThanOrEqual(LONG);
  await isFilled(bo.page);
  await inspect(bo.page, "offline-and-storage", [...SIZES, ...SMALLEST]);
});

test("[OP4] site data cleared while the app runs loses nothing that waits: it is stored again, said, and delivered once", async () => {
  const cleo = await stage.desk({ person: team.people[2]! });
  await cleo.go(channelPath(team));
  await isLive(cleo.page);
  cleo.proxy.cut();
  await say(cleo.page, "Written before the wipe 1");
  await say(cleo.page, "Written before the wipe 2");
  await composer(cleo.page).fill("Half a thought");
  const devtools = await cleo.context.newCDPSession(cleo.page);
  await devtools.send("Storage.clearDataForOrigin", {
    origin: new URL(cleo.proxy.url).origin,
    storageTypes: "indexeddb",
  });
  await cleo.page.getByText("This browser's data for Causeway was cleared.").waitFor();
  await message(cleo.page, "Written before the wipe 2").waitFor();
  await eventually(() => composer(cleo.page).inputValue()).toBe("Half a thought");
  await plugIn(cleo);
  await isDelivered(cleo.page, "Written before the wipe 1");
  await isDelivered(cleo.page, "Written before the wipe 2");
  const texts = await lineOf(team).texts(team.general);
  expect(texts.filter((text) => text.startsWith("Written before"))).toEqual([
    "Written before the wipe 1",
    "Written before the wipe 2",
  ]);
});

test("a database that another page deletes is no loss either, also with a second tab", async () => {
  const dara = await stage.desk({ person: team.people[3]! });
  await dara.go(channelPath(team));
  await isLive(dara.page);
  const second = await dara.tab(channelPath(team));
  await isLive(second);
  dara.proxy.cut();
  await say(dara.page, "Kept by the first tab");
  await message(second, "Kept by the first tab").waitFor();
  await second.evaluate(async () => {
    const { name = "" } = (await indexedDB.databases()).find((known) => known.name?.startsWith("causeway/")) ?? {};
    await new Promise((resolve) => indexedDB.deleteDatabase(name).addEventListener("success", resolve));
  });
  const notice = "This browser's data for Causeway was cleared.";
  await eventually(
    async () => (await dara.page.getByText(notice).count()) + (await second.getByText(notice).count()),
  ).toBeGreaterThan(0);
  await plugIn(dara);
  await isDelivered(dara.page, "Kept by the first tab");
  const texts = await lineOf(team).texts(team.general);
  expect(texts.filter((text) => text === "Kept by the first tab")).toHaveLength(1);
});

test("where there is no disk it says so, and works online", async () => {
  const emil = await stage.desk({ person: team.people[4]! });
  await emil.context.addInitScript(() => {
    Object.defineProperty(IDBFactory.prototype, "open", {
      value: () => {
        throw new DOMException("The user denied permission", "SecurityError");
      },
    });
  });
  await emil.go(channelPath(team));
  await emil.page.getByText("This browser keeps nothing").waitFor();
  await isLive(emil.page);
  await say(emil.page, "From a browser that keeps nothing");
  await isDelivered(emil.page, "From a browser that keeps nothing");
});

test("a browser that is set to keep no site data is told apart from a database that can't be read", async () => {
  const ana = await stage.desk({ person: team.people[0]! });
  await ana.context.addInitScript(() => {
    const refused = async (): Promise<never> => {
      // Its words, of Chromium 156 with site data blocked.
      throw new DOMException("The user denied permission to access the database.", "UnknownError");
    };
    IDBFactory.prototype.open = () => {
      const request = new EventTarget();
      void refused().catch((error: unknown) => {
        Object.defineProperty(request, "error", { value: error });
        request.dispatchEvent(new Event("error"));
        Reflect.get(request, "onerror")?.(new Event("error"));
      });
      return request as IDBOpenDBRequest;
    };
  });
  await ana.go("/");
  await ana.page.getByText("This browser keeps nothing of this site").waitFor();
  await inspect(ana.page, "storage-denied");
  expect(await ana.page.getByRole("button", { name: "Start afresh" }).count()).toBe(0);
});

test("a database that can't be opened is said, with a way out, and never a spinner", async () => {
  const ana = await stage.desk({ person: team.people[0]! });
  await ana.context.addInitScript(() => {
    const original: IDBFactory["open"] = Reflect.get(IDBFactory.prototype, "open");
    Object.defineProperty(IDBFactory.prototype, "open", {
      value(this: IDBFactory, name: string, version?: number) {
        if (name === "causeway" && version !== undefined) {
          throw new DOMException("Internal error opening backing store", "UnknownError");
        }
        return original.call(this, name, version);
      },
    });
  });
  await ana.go("/");
  await ana.page.getByText("What is stored on this device can't be opened").waitFor();
  await ana.page.getByRole("button", { name: "Export what is on this device" }).waitFor();
  await ana.page.getByRole("button", { name: "Start afresh" }).click();
  await ana.page.getByRole("button", { name: "Remove and start afresh" }).waitFor();
});
