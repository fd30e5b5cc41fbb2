/** A workspace with its channels and people, all signed up, joined and live, before anything breaks. */
import type { ChannelId } from "#protocol/ids.ts";
import { forgetfulSocket } from "./forgetful-socket.ts";
import { openLine, type Line } from "./line.ts";
import { joinAll, must, startPerson, type Person } from "./person.ts";
import { seeded } from "../../web/test/sim/seeded.ts";
import { mustSee } from "./until.ts";

export interface Crew {
  readonly people: readonly Person[];
  readonly lines: readonly Line[];
  /** Looks on without a proxy; whoever wants to see it in a browser signs in as this one. */
  readonly watcher: Person;
  readonly channels: readonly ChannelId[];
  /** A copy's id → the id it was written under. */
  readonly originals: ReadonlyMap<string, string>;
  readonly leave: () => Promise<void>;
}

export interface CrewOptions {
  readonly url: string;
  readonly names: readonly string[];
  readonly channelCount: number;
  readonly seed: number;
  /** Clients that forget: see forgetful.ts. */
  readonly isForgetful: boolean;
  readonly report: (error: unknown) => void;
}

const CHANNEL_NAMES = ["deck", "power", "harbour", "galley", "night-watch", "workshop", "stores", "office"] as const;
const SIGN_UPS_AT_ONCE = 4;
const LIVE_WITHIN_MS = 60_000;

export async function gatherCrew(options: CrewOptions): Promise<Crew> {
  const { url, names, channelCount, seed, report } = options;
  const originals = new Map<string, string>();
  const random = seeded(seed);
  const watcher = await startPerson({
    name: "Watcher",
    origin: url,
    random: seeded(seed).next,
    report,
    line: null,
    enter: async (client) => {
      const { workspace } = must(
        "The watcher makes a workspace",
        await client.account.createWorkspace({ name: "Island crew" }),
      );
      return { ...workspace, role: "owner" };
    },
  });
  const channels: ChannelId[] = [];
  for (let at = 0; at < channelCount; at += 1) {
    const name = CHANNEL_NAMES[at] ?? `crew-${at + 1}`;
    channels.push(must(`#${name}`, await watcher.workspace.commands.createChannel({ name, access: "public" })));
  }
  await mustSee("the channels to be made", () => watcher.waitingCount() === 0, LIVE_WITHIN_MS);
  const { code } = must("The watcher invites the crew", await watcher.workspace.commands.invite({}));

  const lines: Line[] = [];
  const start = async (name: string, at: number): Promise<Person> => {
    const line = await openLine(Number(new URL(url).port));
    lines.push(line);
    const person = await startPerson({
      name,
      origin: line.url,
      ...(options.isForgetful ? { webSocket: forgetfulSocket({ originals, random }) } : {}),
      random: seeded(seed + at + 1).next,
      report,
      line,
      enter: async (client) => must(`${name} joins`, await client.account.join(code)),
    });
    await joinAll(person, channels);
    person.workspace.commands.look(channels[at % channels.length] ?? null);
    return person;
  };
  const people: Person[] = [];
  for (let from = 0; from < names.length; from += SIGN_UPS_AT_ONCE) {
    const batch = names.slice(from, from + SIGN_UPS_AT_ONCE);
    people.push(...(await Promise.all(batch.map((name, at) => start(name, from + at)))));
  }
  await mustSee("everybody to be live", () => people.every((person) => person.isLive()), LIVE_WITHIN_MS);
  return {
    people,
    lines,
    watcher,
    channels,
    originals,
    leave: async () => {
      await Promise.all([...people, watcher].map((person) => person.leave()));
      await Promise.all(lines.map((line) => line.close()));
    },
  };
}
