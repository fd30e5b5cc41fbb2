// One run: everything from one number. Steps stand apart from one another, so that one can be left out and the others
// stay what they were.
import type { ChannelId, UserId } from "#protocol/ids.ts";
import { STRAGGLER_MS } from "#protocol/limits.ts";
import { seeded, type Seeded } from "../sim/seeded.ts";
import { FAIR } from "./line.ts";
import { draftEverywhere } from "./drafts.ts";
import { flap } from "./flaps.ts";
import { freeSome } from "./freed.ts";
import { leave } from "./leaves.ts";
import { judge } from "./judge.ts";
import { play } from "./play.ts";
import { comeBack } from "./session.ts";
import { FAMILIES, trouble, type Family } from "./trouble.ts";
import { readDisk } from "./held.ts";
import { judgeReplica } from "./replicas.ts";
import { SOUND } from "./room-disk.ts";
import type { Sabotage } from "./sabotage.ts";
import { judgeViews } from "./views.ts";
import { World } from "./world.ts";
// What the client fetches when it needs it, loaded already: a run must not depend on how long the first time takes.
import "../../store/timeline.ts";
import "../../sync/account-calls.ts";
import "../../sync/engine.ts";
import "../../sync/later-commands.ts";
import "../../sync/forget-beside.ts";
import "../../sync/leading.ts";
import "../../sync/rebuild.ts";
import "../../sync/storage-care.ts";

export interface RunOptions {
  readonly seed: number;
  readonly sabotage?: Sabotage;
  /** Steps left out, by number. */
  readonly without?: ReadonlySet<number>;
  /** So many steps; by the seed otherwise. */
  readonly steps?: number;
  readonly hear?: (line: string) => void;
  /** History makes way on devices now and then. */
  readonly frees?: boolean;
  /** People are taken out of private channels and put back within moments, while they write there. */
  readonly flaps?: boolean;
  /** Drafts are sent from several devices. */
  readonly drafts?: boolean;
  /** People sign out with what waits, and are back a while later. */
  readonly leaves?: boolean;
}

export interface Outcome {
  readonly seed: number;
  /** Every rule that was broken; none in a good run. */
  readonly broken: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  /** Texts accepted. */
  readonly said: number;
  readonly frames: number;
  /** Of all that happened: the same run has the same. */
  readonly hash: number;
  readonly steps: number;
  readonly virtualMs: number;
}

export async function run(options: RunOptions): Promise<Outcome> {
  const world = new World(options);
  const started = world.loop.now;
  const uninstall = world.loop.install();
  const random = seeded(options.seed ^ 0x5eed);
  const ownSteps = 30 + random.below(90);
  const steps = options.steps ?? ownSteps;
  try {
    await begin(world, random);
    await storm(world, options, random, steps);
    const stuck = await settle(world);
    const verdict = stuck === null ? await judge(world) : [stuck, ...(await judge(world)).slice(0, 8)];
    for (const rule of verdict) world.ledger.breaks(rule);
  } catch (error) {
    world.ledger.breaks(`threw: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
  try {
    for (const tab of world.tabs) tab.crash();
    for (const error of world.bugs)
      world.ledger.breaks(`reported: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    await world.loop.pass(0);
  } finally {
    uninstall();
  }
  const { ledger, frames, hash, loop } = world;
  const virtualMs = loop.now - started;
  const { broken, counts } = ledger;
  return { seed: options.seed, broken, counts, said: ledger.said.length, frames, hash, steps, virtualMs };
}

/** A workspace with four people, on three to six devices. */
async function begin(world: World, random: Seeded): Promise<void> {
  const { loop } = world;
  await world.found();
  await world.invite("mara" as UserId, "member");
  await world.invite("tom" as UserId, "member");
  await world.invite("gil" as UserId, "guest", [world.general]);
  const names = ["olga", "mara", "mara-phone", "tom", "gil", "olga-phone"].slice(0, 3 + random.below(4));
  for (const name of names) world.device(name.split("-")[0] as UserId, name).open();
  if (world.sabotage.roomsLieMs !== undefined) {
    for (const room of world.rooms.all.values()) room.disk.liesMs = world.sabotage.roomsLieMs;
    world.rooms.at(world.channel(world.general)).disk.liesMs = world.sabotage.roomsLieMs;
  }
  const isIn = await loop.until(() => world.tabs.map((tab) => tab.enter()).every(Boolean), 60_000);
  if (!isIn) throw new Error("nobody came in");
  await loop.until(() => world.tabs.every(isLive), 60_000);
  const members = ["mara", "gil"] as UserId[];
  const [first] = world.tabs;
  if (first?.workspace)
    await loop.during(first.workspace.commands.createChannel({ name: "crew", access: "private", members }));
  await loop.pass(2_000);
}

function isLive({ workspace }: World["tabs"][number]): boolean {
  return workspace?.connection.snapshot().state === "live";
}

async function storm(
  world: World,
  { seed, without, frees, flaps, drafts, leaves }: RunOptions,
  random: Seeded,
  steps: number,
): Promise<void> {
  const climate = Object.fromEntries(
    FAMILIES.map((family) => [family, random.chance(0.5) ? random.next() * 3 : 0.05]),
  ) as Record<Family, number>;
  const troubled = 0.15 + random.next() * 0.35;
  const paceMs = random.pick([100, 500, 2_000, 8_000]);
  for (let step = 0; step < steps; step += 1) {
    const own = seeded(Math.imul(seed, 7_919) + step * 104_729);
    const waitMs = own.below(paceMs);
    if (without?.has(step) !== true) {
      world.trace(`STEP ${step}`);
      if (own.chance(troubled)) trouble(world, own, climate);
      else play(world, own, step);
    }
    // By a number of its own, so that a seed means the same with and without.
    const freeing = seeded(Math.imul(seed, 6_007) + step * 7_907);
    if (frees === true && freeing.chance(0.15)) await freeSome(world, freeing, freeing.pick(world.devices));
    const flapping = seeded(Math.imul(seed, 9_973) + step * 6_367);
    if (flaps === true && flapping.chance(0.12)) flap(world, flapping, step);
    const drafting = seeded(Math.imul(seed, 8_923) + step * 5_557);
    if (drafts === true && drafting.chance(0.12)) draftEverywhere(world, drafting, step);
    const leaving = seeded(Math.imul(seed, 7_333) + step * 4_993);
    if (leaves === true && leaving.chance(0.08)) leave(world, leaving);
    await world.loop.pass(waitMs + world.idleMs);
    world.idleMs = 0;
    for (const tab of world.tabs) tab.enter();
    if (own.chance(0.4)) await look(world, own);
    for (const tab of world.tabs) for (const rule of judgeViews(tab)) world.ledger.breaks(rule);
    if (world.ledger.broken.length > 0 || world.bugs.length > 0) return;
  }
}

/** What a device holds is right at any moment, not only at the end. */
async function look(world: World, random: Seeded): Promise<void> {
  const device = random.pick(world.devices);
  const disk = await world.loop.during(readDisk(device));
  for (const room of world.rooms.all.values()) {
    if (room.ref.party !== "channel" || !room.disk.rows.has("s") || room.isTurningBack) continue;
    for (const rule of judgeReplica(world, device, disk, room, false)) world.ledger.breaks(rule);
  }
}

/** Longer than those whom a change doesn't concern wait to be told of it, and than that takes over a fair line. */
const STILL_FOR_MS = 2 * STRAGGLER_MS;

/** Everything mended but the clocks, and everybody back: with nobody doing anything it must all come to rest. */
async function settle(world: World): Promise<string | null> {
  const { loop, rooms, edge, random } = world;
  world.isOver = true;
  loop.slowDisk = { chance: 0, ms: 0 };
  rooms.trouble = { lost: 0, unanswered: 0, delayMs: 4 };
  edge.fails = 0;
  for (const room of rooms.all.values()) room.disk.trouble = SOUND;
  for (const device of world.devices) {
    device.full = 0;
    device.farBehind = 0;
    device.line.weather = FAIR;
    device.line.restore();
    for (const tab of device.tabs.slice()) if (tab.isHung || device.wasFull || random.chance(0.5)) tab.crash();
    if (device.tabs.length === 0) device.open();
    for (const tab of device.tabs) {
      tab.diesIn = null;
      tab.rig.happen("resume");
      tab.rig.setVisible(true);
      tab.rig.happen("online");
    }
  }
  world.trace("SETTLE");
  comeBack(world);
  const isQuiet = (): boolean => world.tabs.map((tab) => tab.enter() && isLive(tab) && isDrained(tab)).every(Boolean);
  if (!(await loop.until(isQuiet, 600_000, 250))) return describe(world);
  // What waits to be told together, and lines that died unnoticed while a page was owed.
  await loop.pass(75_000);
  for (const tab of world.tabs) tab.look(pickChannel(tab, random));
  await loop.pass(20_000);
  // What an alarm made a room write just now is still to be told.
  const isTurning = (): boolean => [...rooms.all.values()].some(({ isTurningBack }) => isTurningBack);
  const isStill = (): boolean => isQuiet() && !isTurning() && loop.now - world.wroteAt >= STILL_FOR_MS;
  if (!(await loop.until(isStill, 300_000, 250))) return describe(world);
  return null;
}

function pickChannel(tab: World["tabs"][number], random: Seeded): ChannelId {
  const { world } = tab.device;
  const channels = tab.workspace?.channels.snapshot();
  const joined = channels?.state === "ready" ? channels.value.channels.filter(({ isJoined }) => isJoined) : [];
  return joined.length === 0 || random.chance(0.5) ? world.general : random.pick(joined).id;
}

function isDrained({ workspace }: World["tabs"][number]): boolean {
  const outbox = workspace?.outbox.snapshot();
  if (outbox?.state !== "ready") return false;
  return outbox.value.items.every(({ refusal, waitsFor }) => refusal !== undefined || waitsFor !== undefined);
}

function describe(world: World): string {
  const lines = world.tabs.map((tab) => {
    const status = tab.workspace?.status.snapshot();
    const rooms = status?.rooms.map(
      ({ name, link, cursor, head, detail }) => `${name} ${link} ${cursor}/${head} ${detail ?? ""}`,
    );
    return `${tab.name} ${JSON.stringify(status?.connection)} leads ${status?.isLeader} waits ${status?.outbox?.waiting}: ${rooms?.join("; ")}`;
  });
  return `[I5] never came to rest: ${lines.filter((line) => !line.includes('"live"') || !line.includes("waits 0")).join(" | ")}`;
}
