// The service worker: delivers without a tab and beside one ([OP8]), and is ended by the platform whenever that likes.
import { deliver } from "../../sync/delivery.ts";
import { parseRoomName, type RoomName } from "#protocol/room-name.ts";
import type { DeviceRecord, OutboxRecord } from "../../store/schema.ts";
import type { Seeded } from "../sim/seeded.ts";
import type { Device } from "./device.ts";
import { readDisk } from "./held.ts";
import { openTabDisk } from "./tab-disk.ts";
import type { World } from "./world.ts";

/** The real one. */
export function wakeWorker(world: World, random: Seeded, device: Device): string {
  const rig = device.profile.openTab();
  let isAlive = true;
  const disk = openTabDisk(device.profile.indexedDB, {
    isFull: () => random.chance(device.full),
    begun: () => undefined,
    committed: () => undefined,
  });
  const end = (): void => {
    isAlive = false;
    rig.crash();
    disk.die();
  };
  const never = new Promise<never>(() => undefined);
  const replaced = new AbortController();
  const delivering = deliver({
    ...rig.ports,
    indexedDB: disk.factory,
    fetch: async (input, init) => {
      const reply = await world.edge.fetch(device, input, init);
      return isAlive ? reply : never;
    },
    hasTabs: async () => device.tabs.length > 0,
    replaced: replaced.signal,
    report: (error) => (isAlive ? world.workerReported(device, error) : undefined),
  });
  delivering
    .then((flushed) => {
      if (isAlive) world.trace(`${device.name} worker: ${flushed}`);
    })
    .catch((error: unknown) => (isAlive ? world.workerReported(device, error) : undefined))
    .finally(end);
  if (random.chance(0.5)) {
    const inMs = random.below(5_000);
    // Ended by the platform, or by a newer build that takes over.
    world.loop.later(inMs, inMs % 4 === 0 ? () => replaced.abort() : end);
  }
  return `${device.name} worker wakes`;
}

/** One of an older build, as it may be: it sends what has numbers, knows no leader and stores no answer. */
export function flushOverHttp(world: World, random: Seeded, device: Device): string {
  void flush(world, random, device).catch(() => undefined);
  return `${device.name} flushes over HTTP`;
}

async function flush(world: World, random: Seeded, device: Device): Promise<void> {
  const { outbox, devices } = await readDisk(device);
  const rooms = new Set(outbox.filter(({ n }) => n !== undefined).map(({ room }) => room));
  for (const room of rooms) {
    const known = devices.find((each) => each.room === room);
    if (known !== undefined) await send(world, device, room, known, outbox);
    await world.loop.sleep(random.below(200));
  }
}

async function send(
  world: World,
  device: Device,
  room: RoomName,
  { device: id }: DeviceRecord,
  outbox: readonly OutboxRecord[],
): Promise<void> {
  const ref = parseRoomName(room);
  if (ref === null) return;
  const url = "http://rooms.test";
  const auth = await world.edge.fetch(device, `${url}/api/rooms/auth`, {
    method: "POST",
    body: JSON.stringify({ room }),
  });
  if (auth.status !== 200) return;
  const { token } = (await auth.json()) as { token: string };
  const ops = outbox
    .filter((op) => op.room === room && op.n !== undefined)
    .toSorted((one, other) => (one.n ?? 0) - (other.n ?? 0))
    .slice(0, 64)
    .map(({ n, id: op, op: name, args, at, skip }) =>
      skip === undefined ? { t: "op", n, id: op, op: name, args, at } : { t: "skip", n, id: op },
    );
  if (ops.length === 0) return;
  const [party, name] = room.split(":");
  const body = JSON.stringify({ device: id, ops });
  const headers = { authorization: `Bearer ${token}` };
  const reply = await world.edge.fetch(device, `${url}/parties/${party}/${name}/ops`, {
    method: "POST",
    headers,
    body,
  });
  world.trace(`${device.name} flushed ${ops.length} to ${room}: ${reply.status}`);
}
