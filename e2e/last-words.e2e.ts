/**
 * What is typed outlives the tab (fault matrix, row 10): whenever it dies, the text is in the timeline or in the
 * composer, once. Never in both, never in neither.
 */
import type { CDPSession, Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import {
  act,
  channelLink,
  composer,
  connection,
  editor,
  isDelivered,
  isLive,
  message,
  sidebar,
} from "./journeys/channel.ts";
import { isKept, rowsOnDisk } from "./journeys/disk.ts";
import { eventually } from "./journeys/eventually.ts";
import { diskCounts, faultyDisk, hold } from "./journeys/faulty-disk.ts";
import { inspect, SIZES, SMALLEST } from "./journeys/inspect.ts";
import { opened } from "./journeys/live.ts";
import { plugIn, shellIsKept } from "./journeys/network.ts";
import { inOutbox, openOutbox } from "./journeys/outbox.ts";
import { channelPath, lineOf } from "./journeys/rooms.ts";
import { setStage, type Desk } from "./journeys/stage.ts";
import { crash } from "./rig/browser.ts";
import { makeTeam, type Team } from "./rig/people.ts";

const stage = setStage();

/** How a tab ends: closed by its person, or its process gone. */
const ENDINGS = {
  closed: (page: Page) => page.close({ runBeforeUnload: false }),
  crashed: crash,
} as const;
const WAYS = Object.keys(ENDINGS) as (keyof typeof ENDINGS)[];

const EPISODES = 8;
/** A commit takes a few milliseconds; the moments around it are tried. */
const LATEST_MS = 40;
/** A draft waits some seconds for the next one to replace it. */
const LEAVES_WITHIN_MS = 45_000;
/** Each of them opens the app anew. */
const EPISODES_WITHIN_MS = 150_000;

test.each(WAYS)("sent, and %s before it is on disk: it is in the composer", async (way) => {
  const { team, desk, page } = await someoneWriting();
  await type(page, "Not stored yet");
  await hold(page, { isHolding: true });
  await page.keyboard.press("Enter");
  expect(await composer(page).inputValue()).toBe("");
  await saving(page, "Not stored yet").waitFor();
  await ENDINGS[way](page);

  const next = await reopened(desk, team);
  await eventually(() => composer(next).inputValue()).toBe("Not stored yet");
  expect(await message(next, "Not stored yet").count()).toBe(0);
  await sendsOnce(next, team, "Not stored yet");
});

test.each(WAYS)(
  "sent, corrected and %s before it is on disk: it is in the composer as corrected, and nowhere else",
  async (way) => {
    const { team, desk, page } = await someoneWriting();
    await type(page, "Not stored");
    await hold(page, { isHolding: true });
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowUp");
    await editor(page).waitFor();
    await page.keyboard.type(" yet");
    await ENDINGS[way](page);

    const next = await reopened(desk, team);
    await eventually(() => composer(next).inputValue()).toBe("Not stored yet");
    await sendsOnce(next, team, "Not stored yet");
    await openOutbox(next);
    await next.getByText("Nothing waits").waitFor();
    expect(await next.getByText("Not stored").count()).toBe(0);
  },
);

test("sent while the disk hangs: it stands beside the composer, one writes on, and then it is in the timeline alone", async () => {
  const { team, page } = await someoneWriting();
  await hold(page, { isHolding: true });
  await type(page, "Stored late");
  await page.keyboard.press("Enter");
  await saving(page, "Stored late").waitFor();
  await type(page, "And this");
  await page.keyboard.press("Enter");
  await type(page, "Half a thought");
  await saving(page, "And this").waitFor();
  expect(await message(page, "Stored late").count()).toBe(0);
  await inspect(page, "last-words-saving", [...SIZES, ...SMALLEST]);
  await hold(page, {});
  await isDelivered(page, "And this");
  await eventually(() => page.getByText("Being saved on this device").count()).toBe(0);
  expect(await composer(page).inputValue()).toBe("Half a thought");
  expect(await textsOf(team)).toEqual(["Stored late", "And this"]);
});

test("sent while the disk hangs: the Outbox names it as being saved, and it is counted wherever what waits is", async () => {
  const { team, desk, page } = await someoneWriting();
  await shellIsKept(page);
  desk.proxy.cut();
  await connection(page).getByText("Offline").waitFor();
  await hold(page, { isHolding: true });
  await type(page, "Stored late");
  await page.keyboard.press("Enter");
  await saving(page, "Stored late").waitFor();
  await connection(page).getByText("1 waiting").waitFor();
  await openOutbox(page);
  await inOutbox(page, "Stored late").getByText("Being saved on this device").waitFor();
  expect(await page.getByText("Nothing waits").count()).toBe(0);
  const lead = page.getByText("1 waits. What you did that the server hasn't confirmed yet.");
  await lead.waitFor();
  await sidebar(page).getByRole("link", { name: "Outbox", description: "1 waiting" }).waitFor();
  await connection(page).getByRole("link").click();
  await page.getByRole("link", { name: "1 waiting, 0 refused" }).click();
  await hold(page, {});
  await inOutbox(page, "Stored late").getByText("waits for the network").waitFor();
  await lead.waitFor();
  await connection(page).getByText("1 waiting").waitFor();
  await plugIn(desk);
  await page.getByText("Nothing waits").waitFor();
  expect(await textsOf(team)).toEqual(["Stored late"]);
});

test("sent right behind a draft that the disk stores late: another tab shows none of it, to be sent again", async () => {
  const { team, desk, page } = await someoneWriting();
  await type(page, "Hel");
  await eventually(() => waiting(page, "draft.set")).toEqual(["Hel"]);
  const other = await desk.tab(channelPath(team));
  await eventually(() => composer(other).inputValue()).toBe("Hel");
  await composer(other).focus();
  await hold(page, { isHolding: true });
  await composer(page).focus();
  await page.keyboard.type("lo there");
  await eventually(async () => (await diskCounts(page)).held).toBeGreaterThan(0);
  const since = await page.evaluate(() => performance.now());
  await page.keyboard.press("Enter");
  await saving(page, "Hello there").waitFor();
  const { ended } = await diskCounts(page);
  await hold(page, { isHolding: true, since });
  await eventually(async () => (await diskCounts(page)).ended).toBeGreaterThan(ended);
  expect(await composer(other).inputValue()).toBe("");
  await composer(other).press("Enter");
  await hold(page, {});
  for (const each of [page, other]) {
    await isDelivered(each, "Hello there");
    await eventually(() => composer(each).inputValue()).toBe("");
  }
  expect(await textsOf(team)).toEqual(["Hello there"]);
});

test("sent in a tab that shows what stood there before another one typed on: each word is in the room or the composer, once", async () => {
  const { team, desk, page } = await someoneWriting();
  await type(page, "Meet at");
  await eventually(() => waiting(page, "draft.set")).toEqual(["Meet at"]);
  const other = await desk.tab(channelPath(team));
  await eventually(() => composer(other).inputValue()).toBe("Meet at");
  await composer(page).focus();
  await page.keyboard.type(" ten");
  await eventually(() => composer(other).inputValue()).toBe("Meet at ten");
  await composer(other).focus();
  await other.keyboard.press("End");
  await other.keyboard.type(" by the gate");
  await eventually(() => waiting(page, "draft.set")).toEqual(["Meet at ten by the gate"]);
  await page.keyboard.press("Enter");
  await composer(other).blur();
  await isDelivered(page, "Meet at ten");
  for (const each of [page, other]) {
    await eventually(async () => [...(await textsOf(team)), await composer(each).inputValue()].join(" ").trim()).toBe(
      "Meet at ten by the gate",
    );
  }
});

test("sent while the disk hangs: who looks elsewhere and comes back finds it saving, not in the composer to be sent again", async () => {
  const { team, page } = await someoneWriting();
  await lineOf(team).createChannel("side");
  await type(page, "Said before");
  await sendsOnce(page, team, "Said before");
  await type(page, "Stored late");
  await eventually(() => waiting(page, "draft.set")).toEqual(["Stored late"]);
  await hold(page, { isHolding: true });
  await page.keyboard.press("Enter");
  // The last one by now isn't that.
  await page.keyboard.press("ArrowUp");
  await channelLink(page, "side").click();
  await composer(page, "side").waitFor();
  await channelLink(page, "general").click();
  await saving(page, "Stored late").waitFor();
  expect(await editor(page).count()).toBe(0);
  expect(await composer(page).inputValue()).toBe("");
  await page.keyboard.press("Enter");
  await type(page, "Half a thought");
  await hold(page, {});
  await isDelivered(page, "Stored late");
  await isKept(page);
  expect(await composer(page).inputValue()).toBe("Half a thought");
  expect(await textsOf(team)).toEqual(["Said before", "Stored late"]);
});

test("left and opened while the disk stores the draft, and sent: what the composer before stored isn't a draft again", async () => {
  const { team, page } = await someoneWriting();
  await lineOf(team).createChannel("side");
  await channelLink(page, "side").waitFor();
  await hold(page, { isHolding: true });
  await type(page, "Stored late");
  await eventually(async () => (await diskCounts(page)).held).toBeGreaterThan(0);
  await channelLink(page, "side").click();
  await composer(page, "side").waitFor();
  await channelLink(page, "general").click();
  await eventually(() => composer(page).inputValue()).toBe("Stored late");
  const since = await page.evaluate(() => performance.now());
  await composer(page).press("Enter");
  await saving(page, "Stored late").waitFor();
  const { ended } = await diskCounts(page);
  await hold(page, { isHolding: true, since });
  await eventually(async () => (await diskCounts(page)).ended).toBeGreaterThan(ended);
  // Whoever hears of it has.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
  await saving(page, "Stored late").waitFor();
  expect(await composer(page).inputValue()).toBe("");
  await composer(page).press("Enter");
  await hold(page, {});
  await isDelivered(page, "Stored late");
  await isKept(page);
  expect(await composer(page).inputValue()).toBe("");
  expect(await textsOf(team)).toEqual(["Stored late"]);
});

test("sent, typed on, left and opened, and sent, all while the disk hangs: each is there once", async () => {
  const { team, page } = await someoneWriting();
  await lineOf(team).createChannel("side");
  await channelLink(page, "side").waitFor();
  await hold(page, { isHolding: true });
  await type(page, "First");
  await page.keyboard.press("Enter");
  await type(page, "Second");
  await channelLink(page, "side").click();
  await composer(page, "side").waitFor();
  await channelLink(page, "general").click();
  await eventually(() => composer(page).inputValue()).toBe("Second");
  await composer(page).press("Enter");
  await saving(page, "Second").waitFor();
  await hold(page, {});
  await isDelivered(page, "Second");
  await isKept(page);
  expect(await composer(page).inputValue()).toBe("");
  expect(await waiting(page, "draft.set")).not.toContain("Second");
  expect(await textsOf(team)).toEqual(["First", "Second"]);
});

test.each(WAYS)(
  "typed on beside another device's draft while the disk hangs, and %s: what was stored before is there once",
  async (way) => {
    const { team, desk, page } = await someoneWriting();
    await type(page, "Hel");
    const drafts = async (): Promise<string> => JSON.stringify(await rowsOnDisk(page, "entities"));
    await eventually(drafts, LEAVES_WITHIN_MS).toContain('"Hel"');
    const args = { channel: team.general, text: "Hel\nfrom the phone", over: "Hel" };
    await lineOf(team).change({ op: "draft.set", args });
    await eventually(drafts, LEAVES_WITHIN_MS).toContain("from the phone");
    await hold(page, { isHolding: true });
    await type(page, "lo");
    await eventually(async () => (await diskCounts(page)).held).toBeGreaterThan(0);
    await type(page, " there");
    await ENDINGS[way](page);
    const next = await reopened(desk, team);
    await eventually(() => composer(next).inputValue()).toBe("Hello there\nfrom the phone");
  },
);

test("sent while the disk hangs: another tab of the channel doesn't show it as a draft, to be sent again", async () => {
  const { team, desk, page } = await someoneWriting();
  await type(page, "Stored late");
  await eventually(() => waiting(page, "draft.set")).toEqual(["Stored late"]);
  const other = await desk.tab(channelPath(team));
  await eventually(() => composer(other).inputValue()).toBe("Stored late");
  await composer(other).focus();
  await hold(page, { isHolding: true });
  await composer(page).press("Enter");
  await eventually(() => composer(other).inputValue()).toBe("");
  await composer(other).press("Enter");
  const third = await desk.tab(channelPath(team));
  await hold(page, {});
  for (const each of [page, other, third]) {
    await isDelivered(each, "Stored late");
    expect(await composer(each).inputValue()).toBe("");
  }
  expect(await textsOf(team)).toEqual(["Stored late"]);
});

test.each(WAYS)(
  "sent, and %s before it is on disk, and another tab of the channel is open: it is a draft there again",
  async (way) => {
    const { team, desk, page } = await someoneWriting();
    await type(page, "Not stored yet");
    await eventually(() => waiting(page, "draft.set")).toEqual(["Not stored yet"]);
    const other = await desk.tab(channelPath(team));
    await eventually(() => composer(other).inputValue()).toBe("Not stored yet");
    await hold(page, { isHolding: true });
    await composer(page).press("Enter");
    await eventually(() => composer(other).inputValue()).toBe("");
    await ENDINGS[way](page);
    await eventually(() => composer(other).inputValue()).toBe("Not stored yet");
    await sendsOnce(other, team, "Not stored yet");
  },
);

test.each(WAYS)(
  "sent, and %s before it is on disk, and one goes on elsewhere: it is a draft there, marked",
  async (way) => {
    const { team, desk, page } = await someoneWriting();
    const other = await desk.tab(channelPath(team, await lineOf(team).createChannel("side")));
    await composer(other, "side").waitFor();
    await page.bringToFront();
    await hold(page, { isHolding: true });
    await type(page, "Not stored yet");
    await page.keyboard.press("Enter");
    await ENDINGS[way](page);
    await eventually(() => waiting(other, "draft.set")).toEqual(["Not stored yet"]);
    await eventually(() => channelLink(other, "general").getAttribute("aria-describedby")).not.toBeNull();
    await channelLink(other, "general").click();
    await eventually(() => composer(other).inputValue()).toBe("Not stored yet");
    await isKept(other);
    await sendsOnce(other, team, "Not stored yet");
  },
);

test("an answer sent, and closed before it is on disk: it is in the composer as an answer", async () => {
  const { team, desk, page } = await someoneWriting();
  await type(page, "A question");
  await sendsOnce(page, team, "A question");
  await act(page, "A question", "Reply in thread");
  await page.getByText("Replying to Ana").waitFor();
  await type(page, "An answer");
  await hold(page, { isHolding: true });
  await page.keyboard.press("Enter");
  await eventually(() => page.getByText("Replying to Ana").count()).toBe(0);
  await ENDINGS.closed(page);

  const next = await reopened(desk, team);
  await eventually(() => composer(next).inputValue()).toBe("An answer");
  await next.getByText("Replying to Ana").waitFor();
  await composer(next).press("Enter");
  await isDelivered(next, "An answer");
  await message(next, "An answer")
    .getByRole("button", { name: /A question/ })
    .waitFor();
});

test.each(WAYS)("sent, on disk, and %s before anybody heard of it: it is in the timeline alone", async (way) => {
  const { team, desk, page } = await someoneWriting();
  await type(page, "Stored just now");
  await hold(page, { isDeaf: true });
  await page.keyboard.press("Enter");
  await eventually(() => waiting(page, "message.post")).toEqual(["Stored just now"]);
  await ENDINGS[way](page);

  const next = await reopened(desk, team);
  await isDelivered(next, "Stored just now");
  expect(await composer(next).inputValue()).toBe("");
  expect(await message(next, "Stored just now").count()).toBe(1);
});

test.each(WAYS)(
  "at any moment around Enter, %s: once, and in order",
  async (way) => {
    const { team, desk, page: first } = await someoneWriting();
    const said: string[] = [];
    let page = first;
    for (let episode = 0; episode < EPISODES; episode += 1) {
      const text = `Episode ${episode}, written to the end`;
      await type(page, text);
      const enter = page.keyboard.press("Enter").catch(() => undefined);
      // Not to wait for something: the moment is what is tried.
      await new Promise((resolve) => setTimeout(resolve, (episode * LATEST_MS) / EPISODES));
      await ENDINGS[way](page);
      await enter;
      page = await reopened(desk, team);
      if ((await whereItIs(page, text)) === "in the composer") await page.keyboard.press("Enter");
      await isDelivered(page, text);
      said.push(text);
    }
    expect(await textsOf(team)).toEqual(said);
  },
  EPISODES_WITHIN_MS,
);

test.each(WAYS)("typed and not sent, %s with the disk held up: every keystroke comes back, and once", async (way) => {
  const { team, desk, page: first } = await someoneWriting();
  let page = first;
  let text = "";
  for (const more of ["Half a thought", ", and one", " more\nwith another line"]) {
    await hold(page, { isHolding: true });
    await composer(page).press("End");
    for (const key of more) await page.keyboard.press(key === "\n" ? "Shift+Enter" : key === " " ? "Space" : key);
    text += more;
    await ENDINGS[way](page);
    page = await reopened(desk, team);
    await eventually(() => composer(page).inputValue()).toBe(text);
    await composer(page).press("Control+End");
  }
});

test("the words of a tab that lives stay its own; when it dies, they are in the tab that is left", async () => {
  const { team, desk, page } = await someoneWriting();
  // Stored, but this tab doesn't know it, and what it types then doesn't reach the disk.
  await hold(page, { isDeaf: true });
  // At once: letters that come late are stored behind what this tab waits for.
  await composer(page).fill("Half");
  await eventually(() => waiting(page, "draft.set")).toEqual(["Half"]);
  const other = await desk.tab(channelPath(team));
  await eventually(() => composer(other).inputValue()).toBe("Half");
  await isLive(other);
  await hold(page, { isHolding: true });
  await type(page, " a thought");
  expect(await composer(other).inputValue()).toBe("Half");
  await ENDINGS.crashed(page);
  await eventually(() => composer(other).inputValue()).toBe("Half a thought");
  await isKept(other);
  await sendsOnce(other, team, "Half a thought");
});

test("typed at once in a tab that was just opened beside another: it is sent from there, once, and nothing of it stays", async () => {
  const { team, desk, page } = await someoneWriting();
  await isLive(page);
  const said: string[] = [];
  for (let round = 0; round < 6; round += 1) {
    const next = await desk.tab(channelPath(team));
    await composer(next).waitFor();
    const text = `Hello ${round}`;
    await next.keyboard.type(text, { delay: 60 });
    await next.keyboard.press("Enter");
    await isDelivered(next, text);
    said.push(text);
    // Past the moment at which it would come back.
    await next.waitForTimeout(1_500);
    for (const each of [page, next]) expect(await composer(each).inputValue()).toBe("");
    await next.close();
  }
  expect(await textsOf(team)).toEqual(said);
});

test(
  "the whole browser killed right after Enter: once, from the draft that was stored while typing",
  async () => {
    const team = await makeTeam(stage.app.url, ["Ana"]);
    const profile = stage.rig.profile();
    let desk = await stage.desk({ person: team.people[0]!, profile });
    const { proxy } = desk;
    await opened(desk.page, desk, team);
    const said: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const text = `Round ${round} before the browser died`;
      await type(desk.page, text);
      await isKept(desk.page);
      const gone = new Promise((resolve) => desk.context.once("close", resolve));
      const cdp: CDPSession = await desk.context.newCDPSession(desk.page);
      const enter = desk.page.keyboard.press("Enter").catch(() => undefined);
      void cdp.send("Browser.crash").catch(() => undefined);
      await Promise.all([gone, enter]);

      desk = await stage.desk({ person: team.people[0]!, profile, proxy });
      await opened(desk.page, desk, team);
      if ((await whereItIs(desk.page, text)) === "in the composer") await desk.page.keyboard.press("Enter");
      await isDelivered(desk.page, text);
      said.push(text);
    }
    expect(await textsOf(team)).toEqual(said);
  },
  EPISODES_WITHIN_MS,
);

test.each(WAYS)("an edit being typed, and %s: it stands there when the message is next edited", async (way) => {
  const { team, desk, page } = await someoneWriting();
  await type(page, "First words");
  await sendsOnce(page, team, "First words");
  await page.keyboard.press("ArrowUp");
  await editor(page).fill("Second words");
  await ENDINGS[way](page);

  const next = await desk.context.newPage();
  await next.goto(new URL(channelPath(team), desk.proxy.url).href);
  await isLive(next);
  await message(next, "First words").waitFor();
  await composer(next).press("ArrowUp");
  await eventually(() => editor(next).inputValue()).toBe("Second words");
  // The end of a composition in Safari is no Enter: one goes on writing.
  await editor(next).evaluate((field) =>
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", keyCode: 229, bubbles: true })),
  );
  await editor(next).press("End");
  await next.keyboard.type(", and more");
  // Held down it saves once.
  await editor(next).evaluate((field) => {
    for (let at = 0; at < 3; at += 1)
      field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", keyCode: 13, bubbles: true }));
  });
  await eventually(() => editor(next).count()).toBe(0);
  await isKept(next);
  // The message was delivered long ago; its change is when the room has it.
  await eventually(() => textsOf(team)).toEqual(["Second words, and more"]);
});

async function someoneWriting(): Promise<{ readonly team: Team; readonly desk: Desk; readonly page: Page }> {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  const desk = await stage.desk({ person: team.people[0]! });
  await desk.context.addInitScript(faultyDisk);
  await opened(desk.page, desk, team);
  return { team, desk, page: desk.page };
}

async function reopened(desk: Desk, team: Team): Promise<Page> {
  const page = await desk.context.newPage();
  await opened(page, desk, team);
  return page;
}

/** In one of two places, and in one alone. Live is said a moment before what is stored is on the screen. */
async function whereItIs(page: Page, text: string): Promise<string> {
  const places = async (): Promise<string[]> => [
    ...Array.from({ length: await message(page, text).count() }, () => "in the timeline"),
    ...((await composer(page).inputValue()) === text ? ["in the composer"] : []),
  ];
  await eventually(async () => (await places()).length).toBeGreaterThan(0);
  const found = await places();
  expect(found, text).toHaveLength(1);
  return found[0]!;
}

async function type(page: Page, text: string): Promise<void> {
  await composer(page).focus();
  await page.keyboard.type(text);
}

async function sendsOnce(page: Page, team: Team, text: string): Promise<void> {
  await composer(page).press("Enter");
  await isDelivered(page, text);
  expect(await textsOf(team)).toEqual([text]);
}

const textsOf = (team: Team): Promise<string[]> => lineOf(team).texts(team.general);

const saving = (page: Page, text: string): Locator =>
  page.getByRole("status").filter({ hasText: "Being saved on this device" }).getByText(text, { exact: true });

/** The texts that wait in ops of this name, as the disk has them, past everything that the page believes. */
async function waiting(page: Page, name: string): Promise<string[]> {
  const ops = (await rowsOnDisk(page, "outbox")) as { readonly op: string; readonly args: { readonly text: string } }[];
  return ops.filter(({ op }) => op === name).map(({ args }) => args.text);
}
