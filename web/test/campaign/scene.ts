// One person's page at one moment, and how something is done on it: what was accepted goes into the ledger, and what is
// refused at once is no promise.
import type { ChannelId, MessageId } from "#protocol/ids.ts";
import type { Failure } from "#protocol/errors.ts";
import type { Result } from "#protocol/result.ts";
import type { ChannelRow, OutboxItem } from "../../store/snapshots.ts";
import type { TimelineMessage } from "../../store/timeline-snapshots.ts";
import type { Commands } from "../../sync/client.ts";
import type { Seeded } from "../sim/seeded.ts";
import type { Tab } from "./device.ts";
import { draftKey, keysOf } from "./ledger.ts";
import type { World } from "./world.ts";

export interface Scene {
  readonly world: World;
  readonly tab: Tab;
  readonly random: Seeded;
  readonly commands: Commands;
  readonly serial: string;
}

export function channelsOf(tab: Tab): readonly ChannelRow[] {
  const channels = tab.workspace?.channels.snapshot();
  return channels?.state === "ready" ? channels.value.channels : [];
}

export function rowsOf(tab: Tab): readonly TimelineMessage[] {
  const snapshot = tab.timeline?.snapshot();
  return snapshot?.state === "ready" ? snapshot.messages : [];
}

export function itemsOf(tab: Tab): readonly OutboxItem[] {
  const outbox = tab.workspace?.outbox.snapshot();
  return outbox?.state === "ready" ? outbox.value.items : [];
}

/** Runs a command; a page that dies meanwhile leaves it open whether it was accepted. */
export function act<Value>(
  { world, tab }: Scene,
  what: string,
  keys: readonly string[],
  work: Promise<Result<Value, Failure>>,
  accepted?: (value: Value) => void,
): void {
  world.ledger.count(what);
  let isSettled = false;
  for (const key of keys) open(world, key, 1);
  const settle = (): void => {
    isSettled = true;
    for (const key of keys) open(world, key, -1);
  };
  work
    .then((result) => {
      // What a dead page believes nobody hears.
      if (!tab.isAlive) return;
      settle();
      world.trace(`${tab.name} ${what} ${result.ok ? `ok ${JSON.stringify(result.value) ?? ""}` : result.error.code}`);
      if (result.ok) accepted?.(result.value);
    })
    .catch((error: unknown) => {
      if (!tab.isAlive || isSettled) return;
      settle();
      world.reported(tab, error);
    });
}

/** Begun and not known to be done: while it is so, nothing can be said of the key. */
function open(world: World, key: string, by: number): void {
  const count = (world.begun.get(key) ?? 0) + by;
  world.begun.set(key, count);
}

export function pickChannel({ tab, random, world }: Scene): ChannelId {
  const joined = channelsOf(tab).filter(({ isJoined }) => isJoined);
  const [first] = joined;
  return first === undefined || random.chance(0.4) ? world.general : random.pick(joined).id;
}

export function pickMessage(
  { tab, random }: Scene,
  isFit: (row: TimelineMessage) => boolean,
): TimelineMessage | undefined {
  const rows = rowsOf(tab).filter((row) => row.system === undefined && !row.isDeleted && isFit(row));
  return rows.length === 0 ? undefined : random.pick(rows.slice(-12));
}

/** Every fifth is so long that what was missed takes several pages. Drawn from its name: no other course changes. */
const LONG_CHARS = 1_600;

function wordsOf(name: string): string {
  return (name.codePointAt(name.length - 1) ?? 0) % 5 === 0 ? name.padEnd(LONG_CHARS, "-and-so-on") : name;
}

/** @param corrected what it is edited to as soon as it is taken */
export function post(scene: Scene, channel: ChannelId, name: string, root?: MessageId, corrected?: string): void {
  const text = wordsOf(name);
  const { world, tab, commands } = scene;
  const { device } = tab;
  const draft = draftKey(channel, scene.tab.device.user);
  const keys = [`post ${text}`, draft];
  act(scene, root === undefined ? "post" : "reply", keys, commands.post(channel, text, root), (message) => {
    world.ledger.said.push({ device, user: device.user, channel, message, text });
    world.ledger.wish(`text ${message}`, { device, value: text });
    // It takes along what stood in the composer, an answer too.
    world.ledger.wish(draft, { device, value: "" });
    if (corrected !== undefined)
      want(scene, "edit", `text ${message}`, corrected, commands.edit(channel, message, corrected));
  });
}

/**
 * Wants something to be so that only the last wish of a device decides.
 * @param begins what else can't be told while it isn't known whether it was done
 */
export function want(
  scene: Scene,
  what: string,
  key: string,
  value: string,
  work: Promise<Result<unknown, Failure>>,
  begins: readonly string[] = [],
): void {
  const { world, tab } = scene;
  act(scene, what, [key, ...begins], work, () => world.ledger.wish(key, { device: tab.device, value }));
}

export function refused({ tab, random }: Scene): OutboxItem | undefined {
  const items = itemsOf(tab).filter(({ refusal }) => refusal !== undefined);
  return items.length === 0 ? undefined : random.pick(items);
}

export function unsettle({ world, tab }: Scene, { change }: OutboxItem): void {
  for (const key of keysOf(change, tab.device.user)) world.ledger.unsure.add(key);
}
