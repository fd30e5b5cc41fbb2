/** A week at sea in small: everything one may do is done offline, the browser is closed, and it arrives once. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { account } from "./journeys/account.ts";
import {
  act,
  channelLink,
  composer,
  editor,
  isAway,
  isDelivered,
  isLive,
  isQueued,
  message,
  say,
  sidebar,
} from "./journeys/channel.ts";
import { rowsOnDisk } from "./journeys/disk.ts";
import { eventually } from "./journeys/eventually.ts";
import { inspect } from "./journeys/inspect.ts";
import { plugIn, shellIsKept } from "./journeys/network.ts";
import { channelPath, lineOf } from "./journeys/rooms.ts";
import { setStage } from "./journeys/stage.ts";
import { makeTeam } from "./rig/people.ts";

const stage = setStage();

/** A good many dialogs, two browsers and a cold start. */
const WITHIN_MS = 300_000;

test(
  "[OP10] everything one may do, done offline and left in a closed browser, arrives once, merged, and a second person sees it",
  async () => {
    const team = await makeTeam(stage.app.url, ["Ana", "Bo"]);
    const [line, others] = [lineOf(team), lineOf(team, 1)];
    const old = await line.createChannel("old-plans");
    await line.createChannel("draft-name");
    await others.post(team.general, ["Lift plan", "Pinned by mistake"]);
    const bo = await stage.desk({ person: team.people[1]! });
    const profile = stage.rig.profile();
    const before = await stage.desk({ person: team.people[0]!, profile });
    await Promise.all([bo.go(channelPath(team)), before.go(channelPath(team))]);
    await Promise.all([isLive(bo.page), isLive(before.page)]);
    await act(before.page, "Pinned by mistake", "Pin");
    await message(bo.page, "Pinned by mistake").getByText("Pinned", { exact: true }).waitFor();
    await channelLink(before.page, "draft-name").click();
    await composer(before.page, "draft-name").waitFor();
    await channelLink(before.page, "old-plans").click();
    await composer(before.page, "old-plans").waitFor();
    await channelLink(before.page, "general").click();
    await shellIsKept(before.page);

    before.proxy.cut();
    await isAway(before.page);
    const { page } = before;
    await say(page, "Will be corected");
    await act(page, "Will be corected", "Edit");
    await editor(page).fill("Was corrected");
    await editor(page).press("Enter");
    await isQueued(page, "Was corrected");
    await say(page, "Never leaves this device");
    await act(page, "Never leaves this device", "Delete");
    await page.getByText("It won't be sent.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await eventually(() => message(page, "Never leaves this device").count()).toBe(0);
    await act(page, "Lift plan", "Pin");
    await act(page, "Pinned by mistake", "Unpin");
    await fromMenu(page, "Pinned messages");
    await page.getByText("The pin waits to be sent.").waitFor();
    await page.getByText("Unpinned; that waits to be sent.").waitFor();
    await inspect(page, "pins-waiting");
    await page.getByRole("complementary", { name: "Pinned messages" }).getByRole("button", { name: "Close" }).click();
    await act(page, "Lift plan", "React");
    await page.getByRole("button", { name: "👍" }).first().click();
    await message(page, "Lift plan").getByRole("button", { name: /👍/ }).waitFor();
    await fromMenu(page, "Star channel");
    await sidebar(page).getByRole("heading", { name: "Starred" }).waitFor();

    await account(page, "Your profile");
    await page.getByRole("textbox", { name: "Title" }).fill("Crane driver");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await eventually(() => page.getByRole("dialog").count()).toBe(0);
    await fromMenu(page, /member/);
    await page.getByRole("button", { name: "Manage Bo" }).click();
    await page.getByRole("menuitemradio", { name: "Admin" }).click();
    await page.getByText("admin", { exact: true }).waitFor();

    await channelLink(page, "draft-name").click();
    await fromMenu(page, "Rename channel");
    await page.getByRole("textbox", { name: "Channel name" }).fill("final-name");
    await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
    await channelLink(page, "final-name").waitFor();
    await channelLink(page, "old-plans").click();
    await fromMenu(page, "Archive channel");
    await page.getByRole("dialog").getByRole("button", { name: "Archive" }).click();
    await page.getByText("This channel is archived.").first().waitFor();
    await createChannel(page, "made-at-sea");
    await say(page, "First word at sea", "made-at-sea");
    await isQueued(page, "First word at sea");
    await before.close();

    const ana = await stage.desk({ profile, proxy: before.proxy });
    await ana.go(channelPath(team));
    await isQueued(ana.page, "Was corrected");
    await plugIn(ana);
    await isLive(ana.page);
    await isDelivered(ana.page, "Was corrected");
    await nothingWaits(ana.page);

    await message(bo.page, "Was corrected").waitFor();
    await message(bo.page, "Lift plan").getByText("Pinned").waitFor();
    await eventually(() => message(bo.page, "Pinned by mistake").getByText("Pinned", { exact: true }).count()).toBe(0);
    await message(bo.page, "Lift plan").getByRole("button", { name: "👍 Ana" }).waitFor();
    const said = (await line.history(team.general)).filter((each) => each.deleted || !each.system);
    expect(said.map((each) => (each.deleted ? "deleted" : each.text))).toEqual([
      "Lift plan",
      "Pinned by mistake",
      "Was corrected",
    ]);
    // Merged while it waited: nobody was sent the first wording, nor what was taken back.
    expect(said.at(-1)).not.toHaveProperty("editedAt");
    await sidebar(bo.page).getByRole("link", { name: "Browse channels" }).click();
    await bo.page.getByRole("button", { name: "Join #made-at-sea" }).click();
    await bo.page.getByRole("button", { name: "Join #final-name" }).waitFor();
    expect(await bo.page.getByText("draft-name").count()).toBe(0);
    expect(await bo.page.getByText("old-plans").count()).toBe(0);
    await channelLink(bo.page, "made-at-sea").click();
    await message(bo.page, "First word at sea").waitFor();
    await channelLink(bo.page, "general").click();
    await fromMenu(bo.page, /member/);
    await bo.page.getByText(/Crane driver/).waitFor();
    await bo.page.getByText(/^admin|, admin/).waitFor();
    const [refused] = await others.inChannel(old, {
      op: "message.post",
      args: { id: crypto.randomUUID(), text: "Too late" },
    });
    expect(refused?.t).toBe("refuse");
  },
  WITHIN_MS,
);

async function fromMenu(page: Page, item: string | RegExp): Promise<void> {
  await page.getByRole("button", { name: "Channel menu" }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

/** Asked for three times before the form has had time to show that it is busy: it is one channel. */
async function createChannel(page: Page, name: string): Promise<void> {
  await sidebar(page).getByRole("button", { name: "Create channel" }).click();
  await page.getByRole("textbox", { name: "Channel name" }).fill(name);
  const form = page.getByRole("dialog").locator("form");
  await form.evaluate((element: HTMLFormElement) => [1, 2, 3].forEach(() => element.requestSubmit()));
  await composer(page, name).waitFor();
}

/** As the disk has it: read positions and drafts may still be held back, and are nobody's concern here. */
async function nothingWaits(page: Page): Promise<void> {
  const waiting = async (): Promise<string[]> =>
    ((await rowsOnDisk(page, "outbox")) as { readonly op: string }[])
      .map(({ op }) => op)
      .filter((op) => op !== "read.set" && op !== "draft.set");
  await eventually(waiting, 60_000).toEqual([]);
}
