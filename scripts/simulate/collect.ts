/** Gathers the evidence: what stands in the rooms, and what lies on each device. */
import type { Message } from "#protocol/entities/message.ts";
import type { ChannelId } from "#protocol/ids.ts";
import { withNames } from "#protocol/text.ts";
import type { Crew } from "./crew.ts";
import type { Person } from "./person.ts";
import { readChannel, type Reading } from "./reader.ts";
import type { Channels, Evidence, Standing, Written } from "./verdict.ts";

export async function readRooms(crew: Crew, url: string): Promise<ReadonlyMap<ChannelId, Reading>> {
  const { watcher } = crew;
  const options = { url, fetch: watcher.fetch, workspace: watcher.ref.id };
  const readings = new Map<ChannelId, Reading>();
  for (const channel of crew.channels) readings.set(channel, await readChannel(options, channel));
  return readings;
}

/** Nothing left to send, and all that stands in the rooms on the device. */
export async function isSettled(person: Person, rooms: ReadonlyMap<ChannelId, Reading>): Promise<boolean> {
  if (!(await isSent(person))) return false;
  for (const [channel, { head }] of rooms) if (!(await person.replica.isUpTo(channel, head))) return false;
  return true;
}

/** Refused ops wait for the person, not for the network. */
export async function isSent({ replica }: Person): Promise<boolean> {
  return (await replica.outbox()).every(({ refusal }) => refusal !== undefined);
}

export async function gatherEvidence(
  crew: Crew,
  rooms: ReadonlyMap<ChannelId, Reading>,
  written: readonly Written[],
): Promise<Evidence> {
  const everybody = [...crew.people, crew.watcher];
  const names = new Map(everybody.map(({ user, name }) => [user, name]));
  const asStanding = (message: Message): Standing => standingOf(message, (user) => names.get(user));
  const replicas = new Map<string, Channels>();
  const left: string[] = [];
  for (const { name, replica } of everybody) {
    const channels = new Map<string, Standing[]>();
    for (const channel of crew.channels) channels.set(channel, (await replica.messages(channel)).map(asStanding));
    replicas.set(name, channels);
    for (const { op, refusal } of await replica.outbox()) {
      left.push(`${name}: ${op} ${refusal === undefined ? "waits" : `is refused, ${refusal.code}: ${refusal.detail}`}`);
    }
  }
  return {
    written,
    rooms: new Map([...rooms].map(([channel, { messages }]) => [channel, messages.map(asStanding)])),
    replicas,
    left,
    originals: crew.originals,
  };
}

function standingOf(message: Message, nameOf: Parameters<typeof withNames>[1]): Standing {
  const { id, seq, rev, author } = message;
  const place = { id, seq, rev, author };
  if (message.deleted) return { ...place, text: "", isRemoved: true, isSystem: false, reactions: new Set() };
  const reactions = Object.entries(message.reactions ?? {}).flatMap(([emoji, users]) =>
    users.map((user) => `${emoji} by ${user}`),
  );
  return {
    ...place,
    text: withNames(message.text, nameOf),
    isRemoved: false,
    isSystem: message.system !== undefined,
    reactions: new Set(reactions),
  };
}
