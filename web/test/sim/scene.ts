// The client as a test looks at it.
import type { Failure } from "#protocol/errors.ts";
import type { ChannelId, UserId } from "#protocol/ids.ts";
import type { Result } from "#protocol/result.ts";
import type { RoomName } from "#protocol/room-name.ts";
import type { ChannelRow, OutboxItem } from "../../store/snapshots.ts";
import type { Timeline, TimelineMessage, TimelineSnapshot } from "../../store/timeline-snapshots.ts";
import type { Notes } from "../../sync/ports.ts";
import { messagesIn } from "./verdict.ts";
import { GENERAL, World, type Device, type Tab } from "./world.ts";

export const OLGA = "olga" as UserId;
export const MARA = "mara" as UserId;
export const GENERAL_ROOM = `channel:w_${GENERAL}` as RoomName;

export interface Scene {
  readonly world: World;
  readonly olga: Tab;
  readonly device: Device;
}

/** Olga, live in her workspace; Mara is a member of it. */
export async function scene(seed = 1, notes: Notes | null = null): Promise<Scene> {
  const world = await World.make(seed);
  await world.during(world.team.invite("mara"));
  const device = await world.device(OLGA, OLGA, notes);
  const olga = await world.during(device.open());
  await world.until("live", () => isLive(olga));
  return { world, olga, device };
}

/** The same without a network: two messages and a draft wait on the device. */
export async function withAQueue(notes: Notes | null = null): Promise<Scene> {
  const made = await scene(1, notes);
  const { world, olga, device } = made;
  device.line.cut();
  for (const text of ["one", "two"]) must(await world.during(olga.workspace.commands.post(GENERAL, text)));
  must(await world.during(olga.workspace.commands.setDraft(GENERAL, "half a thought")));
  await world.until("queued", () => items(olga).length === 2);
  return made;
}

export interface Secret {
  readonly world: World;
  readonly olga: Tab;
  readonly mara: Tab;
  /** Mara's. */
  readonly device: Device;
  readonly channel: ChannelId;
}

/** A private channel that Olga made, seen by Mara, who is in it. */
export async function secret(): Promise<Secret> {
  const { world, olga } = await scene();
  const device = await world.device(MARA);
  const mara = await world.during(device.open());
  await world.until("live", () => isLive(mara));
  const { createChannel } = olga.workspace.commands;
  const channel = must(await world.during(createChannel({ name: "secret", access: "private", members: [MARA] })));
  await drain(world, olga);
  await world.until("seen", () => row(mara, "secret") !== undefined);
  return { world, olga, mara, device, channel };
}

/** Mara, live on a device of hers. */
export async function maraOf(world: World): Promise<Tab> {
  const mara = await world.during((await world.device(MARA)).open());
  await world.until("live", () => isLive(mara));
  return mara;
}

export function isLive({ workspace }: Pick<Tab, "workspace">): boolean {
  return workspace.connection.snapshot().state === "live";
}

export function items({ workspace }: Pick<Tab, "workspace">): readonly OutboxItem[] {
  const outbox = workspace.outbox.snapshot();
  return outbox.state === "ready" ? outbox.value.items : [];
}

export function row({ workspace }: Tab, name: string): ChannelRow | undefined {
  const channels = workspace.channels.snapshot();
  return channels.state === "ready" ? channels.value.channels.find((channel) => channel.name === name) : undefined;
}

export function must<Value>(result: Result<Value, Failure>): Value {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.detail}`);
  return result.value;
}

export interface Watched {
  readonly timeline: Timeline;
  readonly ready: () => Extract<TimelineSnapshot, { state: "ready" }> | null;
  readonly rows: () => readonly TimelineMessage[];
  /** Without the room's own lines. */
  readonly texts: () => string[];
}

/** A timeline that is being looked at. */
export function watch({ workspace }: Tab, channel: ChannelId = GENERAL): Watched {
  const timeline = workspace.timeline(channel);
  timeline.subscribe(() => undefined);
  const ready = (): Extract<TimelineSnapshot, { state: "ready" }> | null => {
    const snapshot = timeline.snapshot();
    return snapshot.state === "ready" ? snapshot : null;
  };
  const rows = (): readonly TimelineMessage[] => ready()?.messages ?? [];
  return {
    timeline,
    ready,
    rows,
    texts: () =>
      rows()
        .filter(({ system }) => system === undefined)
        .map(({ text }) => text),
  };
}

export async function drain(world: World, tab: Tab): Promise<void> {
  await world.until("the outbox empty", () => items(tab).length === 0);
}

/** What people wrote, as the room holds it. */
export function textsIn(world: World, room: RoomName): string[] {
  return messagesIn(world, room).flatMap((each) => (each.deleted || each.system ? [] : [each.text]));
}
