import type { Team } from "../rig/people.ts";
import { isLive } from "./channel.ts";
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
