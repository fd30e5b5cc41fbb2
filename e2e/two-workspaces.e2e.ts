/** A person in two workspaces: what waits, or was refused, in the one is said while they look at the other. */
import { expect, test } from "vitest";
import { composer, connection, isLive, isQueued, say, sidebar } from "./journeys/channel.ts";
import { rowsOnDisk } from "./journeys/disk.ts";
import { eventually } from "./journeys/eventually.ts";
import { liveDesk } from "./journeys/live.ts";
import { cutOff, plugIn } from "./journeys/network.ts";
import { channelPath, lineOf } from "./journeys/rooms.ts";
import { type Desk, setStage } from "./journeys/stage.ts";
import { makeTeam, type Team } from "./rig/people.ts";

const stage = setStage();

async function inTwo(): Promise<{ readonly alpha: Team; readonly beta: Team; readonly eve: Desk }> {
  const alpha = await makeTeam(stage.app.url, ["Eve"], "Alpha");
  const beta = { ...(await alpha.people[0]!.createWorkspace("Beta")), people: alpha.people };
  return { alpha, beta, eve: await liveDesk(stage, beta) };
}

const outboxLink = ({ page }: Desk): ReturnType<Desk["page"]["getByRole"]> =>
  sidebar(page).getByRole("link", { name: /Outbox/ });

const statusCounts = async (eve: Desk): Promise<string> => {
  await eve.go("/status");
  return eve.page.getByText(/\d+ waiting, \d+ refused/).innerText();
};

test("what waits in one is counted in the other's pill and Outbox, which leads there, and on the status page", async () => {
  const { alpha, eve } = await inTwo();
  const { page } = eve;
  await eve.go(channelPath(alpha));
  await isLive(page);
  await cutOff(eve);
  await say(page, "Waits in Alpha");
  await eventually(() => connection(page).first().innerText()).toContain("1 waiting");
  await page
    .getByRole("button", { name: /^Alpha/ })
    .first()
    .click();
  await page.getByRole("menuitem", { name: "Go to Beta" }).click();
  await eventually(() => page.url()).toContain("/w/beta/");
  await eventually(() => connection(page).first().innerText()).toContain("1 waiting");
  await outboxLink(eve).click();
  await page.getByRole("listitem").filter({ hasText: "In Alpha: 1 waits" }).waitFor();
  expect(await page.getByText("Nothing waits").count()).toBe(0);
  await page.getByRole("link", { name: "In Alpha" }).click();
  await page.getByRole("region", { name: "Outbox" }).getByText("Waits in Alpha").waitFor();
  await eventually(() => statusCounts(eve)).toBe("1 waiting, 0 refused");

  await plugIn(eve);
  await eventually(() => lineOf(alpha).texts(alpha.general)).toEqual(["Waits in Alpha"]);
  await page.getByText("0 waiting, 0 refused").waitFor();
});

test("what is refused in one while one looks at the other is said there", async () => {
  const { alpha, beta, eve } = await inTwo();
  const docks = await lineOf(alpha).createChannel("docks");
  await eve.go(channelPath(alpha, docks));
  await isLive(eve.page);
  await composer(eve.page, "docks").waitFor();
  await cutOff(eve);
  await say(eve.page, "Too late", "docks");
  // Before that it would stand in the composer again.
  await isQueued(eve.page, "Too late");
  await lineOf(alpha).archive(docks);
  await eve.go(channelPath(beta));
  await composer(eve.page).waitFor();
  await plugIn(eve);
  await isLive(eve.page);
  await eventually(async () => JSON.stringify(await rowsOnDisk(eve.page, "outbox"))).toContain('"archived"');
  await eventually(() => outboxLink(eve).innerText()).toMatch(/Outbox\s*1/);
  await outboxLink(eve).click();
  await eve.page.getByRole("listitem").filter({ hasText: "In Alpha: 1 needs attention" }).waitFor();
  await eventually(() => statusCounts(eve)).toBe("0 waiting, 1 refused");
});
