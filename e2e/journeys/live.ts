import type { Page } from "playwright-core";
import type { Profile } from "../rig/browser.ts";
import type { Team } from "../rig/people.ts";
import { composer, isLive } from "./channel.ts";
import { isKept } from "./disk.ts";
import { shellIsKept } from "./network.ts";
import { channelPath } from "./rooms.ts";
import type { Desk, Stage } from "./stage.ts";

/** A person of the team at a screen, live in a channel, with the app kept for when there is no network. */
export async function liveDesk(stage: Stage, team: Team, who = 0, channel?: string): Promise<Desk> {
  const desk = await stage.desk({ person: team.people[who]! });
  await desk.go(channel === undefined ? channelPath(team) : `/w/${team.workspace.slug}/c/${channel}`);
  await isLive(desk.page);
  await shellIsKept(desk.page);
  return desk;
}

/** The first of the team in #general, the same in a browser that can be closed and opened again. */
export async function deskOnDisk(
  stage: Stage,
  team: Team,
): Promise<{ readonly profile: Profile; readonly desk: Desk }> {
  const profile = stage.rig.profile();
  const desk = await stage.desk({ person: team.people[0]!, profile });
  await desk.go(channelPath(team));
  await isLive(desk.page);
  await shellIsKept(desk.page);
  return { profile, desk };
}

/** In the composer of a page that is live, where whatever an earlier tab left behind has come back. */
export async function opened(page: Page, desk: Desk, team: Team): Promise<void> {
  await page.goto(new URL(channelPath(team), desk.proxy.url).href);
  await composer(page).waitFor();
  await isLive(page);
  await isKept(page);
  await composer(page).focus();
}
