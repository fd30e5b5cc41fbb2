// Somebody signs out, in one of their tabs, with what waits there, and is back a while later: as a browser is lent, or as
// one signs out and in again because something seems to be stuck.
import type { OutboxRecord } from "../../store/schema.ts";
import { StillHeld } from "../../sync/holding.ts";
import type { Seeded } from "../sim/seeded.ts";
import type { Device, Tab } from "./device.ts";
import { readDisk } from "./held.ts";
import { signIn } from "./session.ts";
import type { World } from "./world.ts";

type Queue = "none" | "keep" | "discard";
const QUEUES: readonly Queue[] = ["none", "keep", "keep", "discard"];

const BACK_WITHIN_MS = 30_000;
/** Who waits so long presses Cancel. */
const CANCELS_WITHIN_MS = 20_000;

export function leave(world: World, random: Seeded): void {
  const open = world.tabs.filter(({ workspace, isHung, isAlive }) => workspace !== null && !isHung && isAlive);
  if (open.length === 0) return;
  const tab = random.pick(open);
  const queue = random.pick(QUEUES);
  const cancelsInMs = random.below(CANCELS_WITHIN_MS);
  void press(tab, queue, cancelsInMs);
  world.loop.later(random.below(BACK_WITHIN_MS), () => {
    if (!tab.device.session.isOn && !world.isOver) signIn(world, tab.device);
  });
}

async function press(tab: Tab, queue: Queue, cancelsInMs: number): Promise<void> {
  const { device } = tab;
  const { world } = device;
  const { outbox } = await readDisk(device);
  if (!tab.isAlive || tab.client === null) return;
  world.ledger.count(`signs out: ${queue}`);
  world.trace(`${tab.name} signs out: ${queue}, ${outbox.length} wait`);
  const takeBack = queue === "discard" ? giveUp(device) : null;
  const calledOff = new AbortController();
  world.loop.later(cancelsInMs, () => calledOff.abort());
  try {
    const result = await tab.client.account.signOut(queue, calledOff.signal);
    // What a page that has ended asked for another may bring about.
    if (!tab.isAlive) return;
    world.trace(`${tab.name} signed out: ${result.ok ? "yes" : result.error.code}`);
    if (result.ok) await judgeLeft(device, queue, outbox);
    else takeBack?.();
  } catch (error) {
    if (!tab.isAlive) return;
    if (!(error instanceof StillHeld)) return world.reported(tab, error);
    world.trace(`${tab.name} is signed out, and what is stored is still held`);
    world.ledger.count("still held");
    // The screen leads to nothing but the app's beginning.
    tab.crash();
    if (device.tabs.length === 0) device.open();
  }
}

/** Nothing that could be read is left; and what was discarded waits no more. */
async function judgeLeft(device: Device, queue: Queue, stood: readonly OutboxRecord[]): Promise<void> {
  const { ledger } = device.world;
  ledger.count("signed out");
  const { rooms, entities, messages, outbox } = await readDisk(device);
  if (device.session.isOn) return;
  const left = rooms.length + entities.length + messages.length;
  if (left > 0) ledger.breaks(`[I4] ${device.name} signed out, and left ${left} rows`);
  if (queue === "keep" && outbox.length > 0) ledger.count("kept what waits");
  if (queue !== "discard") return;
  const isStill = new Set(outbox.map(({ id }) => id));
  for (const op of stood) {
    if (isStill.has(op.id)) ledger.breaks(`[I4] ${device.name} discarded ${op.op} ${op.id}, and it waits still`);
    if (op.op === "message.post") ledger.count("discarded by leaving");
  }
}

/**
 * Of what a device has not delivered by now nothing need come, and of what is being stored there nobody can say.
 * @returns for where it was called off: then all of it is to be there
 */
function giveUp({ name, user, world }: Device): () => void {
  const { ledger, begun, rooms } = world;
  const isInARoom = (id: string): boolean =>
    [...rooms.all.values()].some(({ disk }) => disk.value(`e:message:${id}`) !== undefined);
  const own = ledger.said.flatMap(({ device, message }) =>
    device.name === name && !ledger.discarded.has(message) && !isInARoom(message) ? [message] : [],
  );
  for (const id of own) ledger.discarded.add(id);
  for (const [key, wishes] of ledger.wishes)
    if (wishes.some(({ device }) => device.name === name)) ledger.unsure.add(key);
  const beingStored = [...begun].flatMap(([key, count]) => (count > 0 ? [key] : []));
  for (const key of beingStored) ledger.unsure.add(key);
  const texts = beingStored.flatMap((key) =>
    key.startsWith(`post ${name}`) || key.startsWith(`post draft of ${user}`) ? [key.slice("post ".length)] : [],
  );
  const fresh = texts.filter((text) => !ledger.givenUp.has(text));
  for (const text of fresh) ledger.givenUp.add(text);
  return () => {
    for (const id of own) ledger.discarded.delete(id);
    for (const text of fresh) ledger.givenUp.delete(text);
  };
}
