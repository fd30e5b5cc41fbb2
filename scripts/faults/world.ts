/** What a worker of the campaign stands on: a server, a browser, a crew at their desks, and a channel to fill. */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Browser } from "playwright-core";
import { type App, launchApp } from "../../e2e/rig/app.ts";
import { makeTeam, type Team } from "../../e2e/rig/people.ts";
import type { Snapshot } from "../../e2e/rig/snapshot.ts";
import { channelPath, type Line, lineOf } from "../../e2e/journeys/rooms.ts";
import { seeded } from "../../web/test/sim/seeded.ts";
import { Desk } from "./desk.ts";

/**
 * Silence and back-off at their short end; tokens at theirs, so that they run out in the middle of episodes.
 */
const VARS = {
  LINK_TIMING: JSON.stringify({
    heartbeatEveryMs: 4_000,
    heartbeatAnswerMs: 2_500,
    backoffMinMs: 30,
    backoffMaxMs: 400,
  }),
  ROOM_TOKEN_SECONDS: "60",
};
const DAY_MS = 24 * 3_600_000;
/** A channel that nobody scrolls stays short, so that what an episode adds is on the screen. */
const EPISODES_A_CHANNEL = 12;
/** People, pages and their memory are let go of after so many. */
const EPISODES_A_CREW = 120;

export interface Crew {
  readonly team: Team;
  readonly desks: readonly Desk[];
  readonly users: ReadonlyMap<string, string>;
  /** Somebody at the server's own address. */
  readonly line: Line;
  channel: string;
  /** The room's name, as devices know it. */
  readonly room: () => string;
  /** The newest place before the episode. */
  top: number;
  episodes: number;
}

export type Control = "again" | "never" | null;

export interface World {
  readonly app: App;
  /** The crew for the next episode, in a channel that has room for it. */
  crew(options: { readonly isKilled: boolean; readonly control: Control; readonly seed: number }): Promise<Crew>;
  /** After an episode that broke off, nobody knows what state this crew is in. */
  drop(crew: Crew): Promise<void>;
  close(): Promise<void>;
}

/** Episodes ask for more tokens a minute than a person may: the limits are lifted, in a configuration beside the first. */
export function withoutLimits({ config, state }: Snapshot): Snapshot {
  const unlimited = join(dirname(config), "unlimited.toml");
  writeFileSync(unlimited, readFileSync(config, "utf8").replaceAll(/limit = \d+/g, "limit = 1000000"));
  return { config: unlimited, state };
}

export async function startWorld(snapshot: Snapshot, browser: Browser): Promise<World> {
  const app = await launchApp(snapshot, VARS);
  const crews = new Map<string, Crew>();

  const drop = async (crew: Crew): Promise<void> => {
    for (const [kind, known] of crews) if (known === crew) crews.delete(kind);
    await Promise.all(crew.desks.map((desk) => desk.close()));
  };

  return {
    app,
    async crew({ isKilled, control, seed }) {
      const kind = control ?? (isKilled ? "killed" : "open");
      let crew = crews.get(kind);
      if (crew !== undefined && crew.episodes >= EPISODES_A_CREW) {
        await drop(crew);
        crew = undefined;
      }
      if (crew === undefined) {
        crew = await gather(app, browser, { isKilled, control, seed });
        crews.set(kind, crew);
      } else if (crew.episodes % EPISODES_A_CHANNEL === 0) await move(crew, `run-${seed}`);
      crew.episodes += 1;
      return crew;
    },
    drop,
    async close() {
      await Promise.all([...crews.values()].map(drop));
      await app.stop();
    },
  };
}

async function gather(
  app: App,
  browser: Browser,
  { isKilled, control, seed }: { readonly isKilled: boolean; readonly control: Control; readonly seed: number },
): Promise<Crew> {
  const team = await makeTeam(app.url, ["Ana", "Bo"]);
  const random = seeded(seed);
  const desks: Desk[] = [];
  try {
    for (const [at, person] of team.people.entries()) {
      desks.push(
        await Desk.open({
          person,
          port: app.port,
          context: isKilled && at === 0 ? null : () => browser.newContext({ reducedMotion: "reduce" }),
          clockMs: random.pick([0, DAY_MS, -DAY_MS]),
          control,
        }),
      );
    }
    const me = await Promise.all(team.people.map((person) => person.me()));
    const crew: Crew = {
      team,
      desks,
      users: new Map(me.map(({ user }) => [user.name, user.id])),
      line: lineOf(team),
      channel: team.general,
      room: () => `channel:${team.workspace.id}_${crew.channel}`,
      top: 0,
      episodes: 0,
    };
    await move(crew, `run-${seed}`);
    await Promise.all(desks.map((desk) => desk.keepShell()));
    return crew;
  } catch (error) {
    await Promise.all(desks.map((desk) => desk.close()));
    throw error;
  }
}

async function move(crew: Crew, name: string): Promise<void> {
  crew.channel = await crew.line.createChannel(name);
  await lineOf(crew.team, 1).change({ op: "channel.join", args: { id: crew.channel } });
  await Promise.all(crew.desks.map((desk) => desk.go(channelPath(crew.team, crew.channel))));
  crew.top = (await crew.line.history(crew.channel)).at(-1)?.seq ?? 0;
}
