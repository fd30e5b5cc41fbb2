// What goes wrong. Each family has its own weight in a run, so that some runs are all network and some all disks.
import type { ChannelId, UserId } from "#protocol/ids.ts";
import type { Seeded } from "../sim/seeded.ts";
import type { Device } from "./device.ts";
import type { LineState } from "./line.ts";
import { flushOverHttp, wakeWorker } from "./worker.ts";
import { flood } from "./flood.ts";
import type { SimRoom } from "./rooms.ts";
import { SOUND } from "./room-disk.ts";
import { endSession, signIn } from "./session.ts";
import type { World } from "./world.ts";

export type Family = "network" | "tabs" | "rooms" | "disks" | "session" | "clock" | "rights" | "worker" | "history";
export const FAMILIES: readonly Family[] = [
  "network",
  "tabs",
  "rooms",
  "disks",
  "session",
  "clock",
  "rights",
  "worker",
  "history",
];

const DAY_MS = 86_400_000;
const STATES: readonly LineState[] = ["down", "down", "hanging", "mute", "deaf", "portal"];

type Trouble = (world: World, random: Seeded, device: Device) => string | undefined | void;

function pickRoom(world: World, random: Seeded): SimRoom {
  return random.pick([...world.rooms.all.values()]);
}

/** In so many ms, if the run is still under way. */
function soon(world: World, random: Seeded, ms: number, run: () => void): void {
  world.loop.later(random.below(ms), () => {
    if (!world.isOver) run();
  });
}

const TROUBLE: Readonly<Record<Family, readonly Trouble[]>> = {
  network: [
    (world, random, { line, name }) => {
      const state = random.pick(STATES);
      line.set(state);
      soon(world, random, random.chance(0.2) ? 90_000 : 12_000, () => {
        line.restore();
        for (const tab of world.tabs) if (tab.device.line === line && random.chance(0.3)) tab.rig.happen("online");
      });
      return `${name} is ${state}`;
    },
    (_world, random, { line, name }) => {
      line.set("deaf");
      // What was sent is done and nobody hears of it.
      line.loop.later(random.below(3_000), () => {
        line.set("down");
        line.loop.later(random.below(3_000), () => line.restore());
      });
      return `${name} loses answers`;
    },
    (_world, random, { line, name }) => {
      const wild = { cuts: 0.03, doubles: 0.08, reorders: 0.08, delayMs: 30 + random.below(400) };
      line.weather = random.chance(0.3) ? { ...wild, cuts: 0, doubles: 0, reorders: 0, delayMs: 20 } : wild;
      return `${name} weather ${JSON.stringify(line.weather)}`;
    },
    (_world, _random, { line, name }) => {
      line.restore();
      return `${name} is back`;
    },
  ],
  tabs: [
    (_world, _random, device) => {
      if (device.tabs.length >= 3) return;
      return `${device.open().name} opens`;
    },
    (world, random, device) => {
      const tab = device.tabs[random.below(device.tabs.length)];
      if (tab === undefined) return;
      tab.diesIn = random.below(6);
      soon(world, random, 4_000, () => {
        if (device.tabs.length === 0) device.open();
      });
      return `${tab.name} is to die behind ${tab.diesIn} commits`;
    },
    (world, random, device) => {
      const leader = device.tabs.find(({ workspace }) => workspace?.status.snapshot().isLeader === true);
      if (leader === undefined) return;
      if (random.chance(0.5)) leader.rig.happen("pagehide");
      leader.crash();
      soon(world, random, 6_000, () => {
        if (device.tabs.length === 0) device.open();
      });
      return undefined;
    },
    (world, random, device) => {
      const tab = device.tabs[random.below(device.tabs.length)];
      if (tab === undefined) return;
      tab.hang();
      soon(world, random, 30_000, () => tab.crash());
      for (const other of device.tabs) if (other !== tab) other.rig.happen("focus");
      return `${tab.name} hangs`;
    },
    (world, random, device) => {
      const tab = device.tabs[random.below(device.tabs.length)];
      if (tab === undefined) return;
      tab.rig.happen("freeze");
      soon(world, random, 20_000, () => tab.rig.happen("resume"));
      return `${tab.name} freezes`;
    },
    (_world, random, device) => {
      const tab = device.tabs[random.below(device.tabs.length)];
      if (tab === undefined) return;
      tab.rig.setVisible(random.chance(0.6));
      return `${tab.name} is looked at or not`;
    },
  ],
  rooms: [
    (world, random) => pickRoom(world, random).crash(),
    (world, random) => {
      const room = pickRoom(world, random);
      // In the middle of whatever comes next.
      world.loop.later(random.below(400), () => room.crash());
      return `${room.name} is to crash`;
    },
    (world, random) => {
      const room = pickRoom(world, random);
      const tries = { left: 40 };
      const attempt = (): void => {
        if (!room.sleep() && tries.left-- > 0) world.loop.later(300, attempt);
      };
      attempt();
      return `${room.name} may sleep`;
    },
    (world, random) => {
      world.rooms.trouble = random.chance(0.4)
        ? { lost: 0, unanswered: 0, delayMs: 4 }
        : { lost: random.next() * 0.4, unanswered: random.next() * 0.4, delayMs: random.below(2_000) };
      return `calls ${JSON.stringify(world.rooms.trouble)}`;
    },
  ],
  disks: [
    (world, random) => {
      const room = pickRoom(world, random);
      room.disk.trouble = { fails: random.next() * 0.4, failsAfter: random.next() * 0.3, slowMs: random.below(200) };
      soon(world, random, 15_000, () => {
        room.disk.trouble = SOUND;
      });
      return `${room.name} disk ${JSON.stringify(room.disk.trouble)}`;
    },
    (world, random, device) => {
      device.full = random.chance(0.5) ? 0.3 : 1;
      device.wasFull = true;
      soon(world, random, 8_000, () => {
        device.full = 0;
      });
      return `${device.name} disk is full at times`;
    },
    (world, random) => {
      world.loop.slowDisk = random.chance(0.4) ? { chance: 0, ms: 0 } : { chance: 0.05, ms: random.below(60) };
      return `browsers' disks ${JSON.stringify(world.loop.slowDisk)}`;
    },
  ],
  session: [
    (world, random, device) => {
      endSession(world, device);
      soon(world, random, 30_000, () => signIn(world, device));
      return `${device.name}'s session ends`;
    },
    (world, random) => {
      world.edge.tokenLifeS = random.pick([60, 75, 120, 600]);
      return `tokens live ${world.edge.tokenLifeS} s`;
    },
    (world, random) => {
      world.edge.fails = random.chance(0.5) ? 0 : random.next() * 0.6;
      return `the edge fails ${world.edge.fails}`;
    },
    (world, random) => {
      // Laptops sleep: nothing happens for long, and much is over then.
      const ms = random.below(8 * 60_000);
      world.idleMs += ms;
      return `nobody does anything for ${ms} ms`;
    },
  ],
  clock: [
    (_world, random, device) => {
      device.skewMs = random.chance(0.2) ? 0 : Math.round((random.next() * 2 - 1) * DAY_MS);
      return `${device.name}'s clock jumps to ${device.skewMs}`;
    },
    (_world, random, device) => {
      device.skewMs += Math.round((random.next() * 2 - 1) * 120_000);
      return `${device.name}'s clock moves to ${device.skewMs}`;
    },
  ],
  rights: [
    (world, random) => changeMembers(world, random),
    (world, random) => changeMembers(world, random),
    (world, random) => {
      const user = random.pick(["mara", "tom", "gil"]);
      const role = random.pick(["admin", "member", "guest"]);
      asOwner(world, "member.role", { user, role });
      return `olga makes ${user} a ${role}`;
    },
  ],
  worker: [
    (world, random, device) => flushOverHttp(world, random, device),
    (world, random, device) => wakeWorker(world, random, device),
    (world, random, device) => {
      for (const tab of device.tabs.slice()) tab.crash();
      world.loop.later(random.below(3_000), () => wakeWorker(world, random, device));
      soon(world, random, 20_000, () => {
        if (device.tabs.length === 0) device.open();
      });
      return `${device.name} has no tab and a worker`;
    },
  ],
  history: [
    (_world, random, device) => {
      device.farBehind = 1 + random.below(4);
      for (const socket of device.line.sockets) socket.break();
      return `${device.name} is taken for far behind`;
    },
    (world, random, { line, name, user }) => {
      const room = pickRoom(world, random);
      line.set("deaf");
      // What it has done goes unanswered; while it is away, its person comes with too many others.
      line.loop.later(random.below(3_000), () => {
        line.set("down");
        room.forgetDevicesOf(user);
        line.loop.later(random.below(3_000), () => line.restore());
      });
      return `${room.name} forgets ${name} and what else ${user} has`;
    },
    (world, random) => backupOrRestore(world, random),
    (world, random) => flood(world, random),
  ],
};

/** As the owner from elsewhere. */
function asOwner(world: World, op: string, args: object): void {
  void world.elsewhere.op(world.rooms.at(world.team), op, args);
}

function changeMembers(world: World, random: Seeded): string | undefined {
  const entities = [...world.rooms.at(world.team).disk.values("e:channel:")] as { id: ChannelId; access: string }[];
  const closed = entities.filter(({ access }) => access === "private");
  if (closed.length === 0) return undefined;
  const { id } = random.pick(closed);
  const user = random.pick(["mara", "tom", "gil"] as UserId[]);
  const isIn = random.chance(0.5);
  asOwner(world, "channel.members", { id, add: isIn ? [user] : [], remove: isIn ? [] : [user] });
  return `olga ${isIn ? "brings" : "takes"} ${user} ${isIn ? "into" : "out of"} ${id}`;
}

function backupOrRestore(world: World, random: Seeded): string | undefined {
  const rooms = [...world.rooms.all.values()].filter(({ ref, disk }) => ref.party === "channel" && disk.rows.has("s"));
  if (rooms.length === 0) return undefined;
  const [name, rows] = world.backup ?? [null, null];
  if (name === null || random.chance(0.5)) {
    const room = random.pick(rooms);
    world.backup = [room.name, new Map(room.disk.rows)];
    return `${room.name} is backed up`;
  }
  const room = world.rooms.named(name);
  if (room.isTurningBack) return undefined;
  void room.restore(rows);
  world.ledger.turnedBack(room);
  world.backup = null;
  return `${name} is restored`;
}

export function trouble(world: World, random: Seeded, climate: Readonly<Record<Family, number>>): void {
  const total = FAMILIES.reduce((sum, family) => sum + climate[family], 0);
  let left = random.next() * total;
  const family = FAMILIES.find((each) => (left -= climate[each]) < 0) ?? "network";
  const what = random.pick(TROUBLE[family])(world, random, random.pick(world.devices));
  world.ledger.count(`trouble: ${family}`);
  if (typeof what === "string") world.trace(`TROUBLE ${what}`);
}
