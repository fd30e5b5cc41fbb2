/**
 * The other half of row 14: the pages of this build with the Worker and rooms of an earlier commit, as where a deployment
 * of the Worker is taken back, or hasn't reached everybody; and behind that this one's, on what those stored. By
 * `npm run update-from`, which says where the earlier build is. The edge's database has today's form throughout, as an
 * operator migrates before deploying (docs/ops.md).
 */
import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { act, composer, editor, isLive, isQueued, say } from "../journeys/channel.ts";
import { setDeployments } from "../journeys/deployments.ts";
import { eventually } from "../journeys/eventually.ts";
import { plugIn, shellIsKept } from "../journeys/network.ts";
import { channelPath, lineOf } from "../journeys/rooms.ts";
import { makeTeam } from "../rig/people.ts";

const SETTLED_WITHIN_MS = 60_000;

const earlier = process.env["EARLIER_WORKER"];
if (earlier === undefined) throw new Error("Run it by npm run update-from -- <commit>");
const { stage, deployWorker } = setDeployments();

beforeEach(() => deployWorker(earlier));

const named = (what: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${what} ${at}`);

test("this build's pages on the rooms of an earlier one, and then of this one: each text is there once, in order", async () => {
  const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
  const texts = (): Promise<string[]> => lineOf(team).texts(team.general);
  const [ana, bo] = await Promise.all(team.people.map((person) => stage.desk({ person })));
  const pages = [ana!.page, bo!.page];
  for (const desk of [ana!, bo!]) {
    // All of it is on the screen.
    await desk.page.setViewportSize({ width: 1_280, height: 4_000 });
    await desk.go(channelPath(team));
    await isLive(desk.page, SETTLED_WITHIN_MS);
  }
  await shellIsKept(ana!.page);
  const all: string[] = [];
  const shownOn = async (page: Page): Promise<string[]> => {
    const rows = await page.getByRole("log").getByRole("article").allInnerTexts();
    return rows.flatMap((row) => all.find((text) => row.includes(text)) ?? []);
  };
  const areThere = async (): Promise<void> => {
    await eventually(texts, SETTLED_WITHIN_MS).toEqual(all);
    for (const page of pages) {
      await isLive(page, SETTLED_WITHIN_MS);
      await eventually(() => shownOn(page), SETTLED_WITHIN_MS).toEqual(all);
    }
  };
  /** Writes, mends, and goes on while the line is cut, or the server is another one. */
  const round = async (name: string, meanwhile: () => Promise<void>): Promise<void> => {
    for (const text of named(`${name}, live`, 3)) await say(ana!.page, text);
    all.push(...named(`${name}, live`, 3));
    await areThere();
    ana!.proxy.cut();
    for (const text of named(`${name}, queued`, 10)) await say(ana!.page, text);
    await act(ana!.page, `${name}, live 1`, "Edit");
    await editor(ana!.page).fill(`${name}, mended`);
    await editor(ana!.page).press("Enter");
    await isQueued(ana!.page, `${name}, queued 9`);
    await say(bo!.page, `${name}, by Bo`);
    await eventually(texts).toContain(`${name}, by Bo`);
    await meanwhile();
    all[all.indexOf(`${name}, live 1`)] = `${name}, mended`;
    all.push(`${name}, by Bo`, ...named(`${name}, queued`, 10));
    await plugIn(ana!);
    await areThere();
  };
  await round("Earlier", async () => undefined);
  // What waits was written over the older room, and goes to the newer one.
  await round("Meanwhile", deployWorker);
  // And back, as where somebody rolls back: rooms that a newer one has stored in.
  await round("Back", () => deployWorker(earlier));
  await round("Again", deployWorker);
  expect(await composer(ana!.page).inputValue()).toBe("");
}, 400_000);
