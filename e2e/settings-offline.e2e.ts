/** The pages of settings, in a browser that starts where there is no network. */
import { expect, test } from "vitest";
import { message } from "./journeys/channel.ts";
import { faultyDisk, hold } from "./journeys/faulty-disk.ts";
import { rowsOnDisk } from "./journeys/disk.ts";
import { eventually } from "./journeys/eventually.ts";
import { deskOnDisk } from "./journeys/live.ts";
import { lineOf } from "./journeys/rooms.ts";
import { type Desk, setStage } from "./journeys/stage.ts";
import { makeTeam } from "./rig/people.ts";

const stage = setStage();

test("every page of settings opens in a browser that starts without a network, and keeps what is set there", async () => {
  const team = await makeTeam(stage.app.url, ["Ana"]);
  await lineOf(team).post(team.general, ["Crane is up", "Lift plan"]);
  const { profile, desk } = await deskOnDisk(stage, team);
  await message(desk.page, "Lift plan").waitFor();
  await desk.close();
  desk.proxy.cut();

  /** At this address, in a browser that has never been there. */
  const opened = async (path: string, title: string): Promise<Desk> => {
    const ana = await stage.desk({ profile, proxy: desk.proxy });
    await ana.go(path);
    await ana.page.getByRole("heading", { name: title }).waitFor();
    return ana;
  };
  const choose = async ({ page }: Desk, choice: string): Promise<void> => {
    const radio = page.getByRole("radio", { name: choice });
    expect(await radio.isChecked()).toBe(false);
    await radio.click();
    await eventually(() => radio.isChecked()).toBe(true);
    await page.reload();
    await eventually(() => radio.isChecked()).toBe(true);
  };

  const offline = await opened("/me/offline", "Offline and storage");
  const { length } = await rowsOnDisk(offline.page, "messages");
  await offline.page.getByText(new RegExp(`^1 channel, ${length} messages, .+ on this device`)).waitFor();
  await offline.page.getByText("All that you keep is here.").waitFor();
  const ask = offline.page.getByRole("button", { name: "Ask the browser to protect this storage" });
  await ask.click();
  await offline.page.getByText("The browser said no for now.").waitFor();
  await offline.page.getByText("; storage not protected.").waitFor();
  await allowProtection(offline);
  await ask.click();
  await offline.page.getByText("The browser has agreed not to clear this storage by itself.").waitFor();
  await offline.page.getByText("; storage protected.").waitFor();
  await choose(offline, "90 days");
  await offline.page.evaluate(faultyDisk);
  await hold(offline.page, { isHolding: true, isFailing: true });
  const notKept = offline.page.getByRole("alert").filter({ hasText: "can't be kept here" });
  await offline.page.getByRole("radio", { name: "30 days" }).click();
  await eventually(() => notKept.count()).toBe(1);
  await offline.page.getByLabel("Keep of #general").selectOption("The newest only");
  await eventually(() => notKept.count()).toBe(2);
  expect(await offline.page.getByRole("radio", { name: "90 days" }).isChecked()).toBe(true);
  await offline.close();

  const appearance = await opened("/me/appearance", "Appearance");
  await choose(appearance, "Dark");
  await choose(appearance, "Compact");
  await appearance.close();

  const status = await opened("/status", "Sync status");
  await status.page.getByText("0 waiting, 0 refused").waitFor();
  await status.page.getByRole("row").filter({ hasText: "#general" }).getByText(`${length}, complete`).waitFor();
  await status.close();
});

/** As Chromium does for an app that is used often, or installed. */
async function allowProtection({ context, page, proxy }: Desk): Promise<void> {
  const session = await context.newCDPSession(page);
  const { browserContextId } = (await session.send("Target.getTargetInfo")).targetInfo;
  await session.send("Browser.setPermission", {
    permission: { name: "persistent-storage" },
    setting: "granted",
    origin: proxy.url,
    ...(browserContextId !== undefined && { browserContextId }),
  });
}
