/** Rows 6, 14, 19 and 22 of the fault matrix: servers that are killed, of another age, far ahead, or can't store. */
import { copyFileSync, cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, inject, test } from "vitest";
import { inRoot } from "../../scripts/paths.ts";
import { composer, connectionState, isDelivered, isLive, isQueued, message, say } from "../journeys/channel.ts";
import { eventually } from "../journeys/eventually.ts";
import { plugIn, shellIsKept } from "../journeys/network.ts";
import { Line } from "../journeys/rooms.ts";
import { setStage } from "../journeys/stage.ts";
import { removeFolder } from "../rig/folder.ts";
import { Person } from "../rig/people.ts";
import type { Snapshot } from "../rig/snapshot.ts";
import { HASTY, Scene } from "./scene.ts";
import { keepsNothing, otherAge } from "./shims.ts";

// A build of its own: what stands between its rooms and their storage is for these tests alone.
const folder = mkdtempSync(join(tmpdir(), "causeway-failing-"));
afterAll(() => removeFolder(folder));
const stage = setStage(HASTY, failing(inject("snapshot")));

/** Row 19: each of so many posts their share. */
const CROWD = 40;
const MISSED = 10_000;
const MISSED_WITHIN_MS = 120_000;

test("row 6, the server killed before, between and after a commit and its answer: all that was acknowledged stands", async () => {
  const scene = await Scene.open(stage);
  const { ana, bo } = scene;
  for (const round of [1, 2]) {
    await scene.say(ana.page, `Round ${round}, acknowledged`);
    await isDelivered(ana.page, `Round ${round}, acknowledged`);
    await scene.say(ana.page, `Round ${round}, in flight`);
    await stage.app.kill();
    await scene.say(ana.page, `Round ${round}, while it is down`);
    await scene.say(bo.page, `Round ${round}, by Bo`);
    await isQueued(ana.page, `Round ${round}, while it is down`);
    await stage.app.start();
    await isDelivered(ana.page, `Round ${round}, while it is down`, 45_000);
  }
  await scene.endsWell();
});

describe("row 14, two ages", () => {
  test("a newer server and a newer client say what nobody here knows: it is passed over, and all goes on", async () => {
    const scene = await Scene.open(stage, {
      prepare: async ([ana]) => {
        await ana.context.addInitScript(otherAge, "newer");
      },
    });
    const { ana, bo } = scene;
    for (let at = 0; at < 6; at += 1) await scene.say([ana, bo][at % 2]!.page, `Between two ages ${at}`);
    ana.proxy.cut();
    await scene.say(ana.page, "Queued between two ages");
    await plugIn(ana);
    await scene.endsWell();
  });

  test("a client too old to be served is told so in words; it reads on, and what it wrote waits for the update", async () => {
    const scene = await Scene.open(stage);
    const { ana, bo, path } = scene;
    await scene.anaHolds("Before the age changed");
    const old = await ana.context.newPage();
    await old.addInitScript(otherAge, "too-old");
    await ana.page.close();
    await old.goto(new URL(path, ana.proxy.url).href);
    // It reloads by itself once; where that doesn't help, the person is asked.
    const words = "Causeway was updated. Reload to go on. Messages, drafts and edits are kept.";
    const bar = old.getByRole("alert").filter({ hasText: words });
    await bar.getByRole("button", { name: "Reload" }).waitFor({ timeout: 30_000 });
    await message(old, "Before the age changed").waitFor();
    expect(await connectionState(old)).not.toBe("live");
    await scene.say(old, "Written by an old client", "Ana");
    await isQueued(old, "Written by an old client");
    await old.close();
    const updated = await ana.tab(path);
    await updated.setViewportSize({ width: 1_280, height: 4_000 });
    await scene.endsWell([updated, bo.page]);
  });
});

test("row 14, a client that has become too old in a browser that keeps nothing: it asks before a reload takes what waits", async () => {
  const scene = await Scene.open(stage, {
    prepare: async ([{ context }]) => {
      await context.addInitScript(keepsNothing);
      await context.addInitScript(otherAge, "ages");
    },
  });
  const { page, proxy } = scene.ana;
  // The menu comes from the worker.
  await shellIsKept(page);
  proxy.cut();
  await say(page, "Waits in memory alone");
  await isQueued(page, "Waits in memory alone");
  const asked: string[] = [];
  page.on("dialog", (dialog) => asked.push(dialog.type()));
  await page.evaluate(() => location.reload());
  await eventually(() => asked.join()).toBe("beforeunload");
  await isQueued(page, "Waits in memory alone");
  // From one's settings as well, which no workspace stands around.
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitem", { name: "Appearance" }).click();
  await page.getByRole("radio").first().waitFor();
  await page.evaluate(() => location.reload());
  await eventually(() => asked.join()).toBe("beforeunload,beforeunload");
  await page.goBack();
  await isQueued(page, "Waits in memory alone");
  await page.evaluate(() => document.body.classList.add("old"));
  await plugIn(scene.ana);
  const words =
    "Causeway was updated. Reload to go on. This browser keeps nothing, so copy what isn't delivered first.";
  await page.getByRole("alert").filter({ hasText: words }).getByRole("button", { name: "Reload" }).waitFor();
  await isQueued(page, "Waits in memory alone");
});

test("row 19, ten thousand missed while more arrive: nothing falls between the pages and what is live", async () => {
  const scene = await Scene.open(stage);
  const { ana, bo, team } = scene;
  for (const { proxy, page } of [ana, bo]) {
    proxy.cut();
    await eventually(() => connectionState(page)).not.toBe("live");
  }
  // Many, for each may post 128 at once and 20 a second.
  const { code } = await team.people[0]!.invite(team.workspace.id);
  const crowd = await Promise.all(
    Array.from({ length: CROWD }, async (_, at) => {
      const person = await Person.signUp(stage.app.url, `Crowd ${at}`);
      await person.join(code);
      return person;
    }),
  );
  const lines = crowd.map((person) => new Line(person, team.workspace.id));
  const missed = crowd.map(({ name }) => Array.from({ length: MISSED / CROWD }, (_, at) => `${name} says ${at}`));
  await Promise.all(lines.map((line, at) => line.post(team.general, missed[at]!)));
  for (const [at, { name }] of crowd.entries()) scene.wrote(name, missed[at]!, crowd[at]);
  await scene.say(ana.page, "Written while ten thousand came");
  await plugIn(bo);
  await isLive(bo.page, MISSED_WITHIN_MS);
  const arriving = (async () => {
    for (let at = 0; at < 30; at += 1) await scene.say(bo.page, `Arrives meanwhile ${at}`);
  })();
  await plugIn(ana);
  await arriving;
  await isLive(ana.page, MISSED_WITHIN_MS);
  await scene.endsWell();
}, 400_000);

test("row 22, a write that fails inside the room: no answer, nothing shown, and the client sends it again", async () => {
  const scene = await Scene.open(stage);
  const { ana, bo } = scene;
  for (const at of [1, 2, 3]) {
    await scene.say(ana.page, `text ${at} fails to be stored`);
    await scene.say(ana.page, `Behind number ${at}`);
    await scene.say(bo.page, `Bo's number ${at}`);
  }
  expect(await composer(ana.page).inputValue()).toBe("");
  await scene.endsWell();
});

/** The same build, with rooms whose storage fails when asked to. */
function failing({ config, state }: Snapshot): Snapshot {
  cpSync(dirname(config), folder, { recursive: true });
  copyFileSync(inRoot("e2e", "faults", "failing-worker.js"), join(folder, "worker", "failing-worker.js"));
  const other = join(folder, "wrangler.toml");
  const toml = readFileSync(config, "utf8").replace("worker/worker.js", "worker/failing-worker.js");
  writeFileSync(other, `${toml}\n[[rules]]\ntype = "ESModule"\nglobs = ["**/*.js"]\n`);
  return { config: other, state };
}
