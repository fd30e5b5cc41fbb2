// History makes way on a device, as for want of space: what is freed has to come back, and nothing else may go with it.
import { diskBackend, settled } from "../../store/database.ts";
import { freeBelow } from "../../store/freeing.ts";
import { heardTo } from "../../store/rooms.ts";
import type { TableName } from "../../store/schema.ts";
import { createStore } from "../../store/store.ts";
import type { Seeded } from "../sim/seeded.ts";
import type { Device } from "./device.ts";
import { readDisk } from "./held.ts";
import type { World } from "./world.ts";

const TABLES: readonly TableName[] = ["rooms", "messages", "outbox", "drafts"];
/** Of the newest so many stay; far fewer than in earnest, so that short channels are in harm's way as well. */
const STAY = 4;

export async function freeSome(world: World, random: Seeded, device: Device): Promise<void> {
  const { rooms } = await world.loop.during(readDisk(device));
  const held = rooms.filter((room) => room.ranges.length > 0 && room.heldCount > STAY);
  if (held.length === 0) return;
  const { name } = random.pick(held);
  const share = random.next();
  const database = `causeway/causeway/${device.user}`;
  const bus = device.profile.openTab().ports.openBus(database);
  const db = await world.loop.during(settled(device.profile.indexedDB.open(database)));
  const store = createStore(diskBackend(db), bus);
  // Whoever leads, as what is written makes room for itself.
  const freed = store.write({ tables: TABLES, durability: "relaxed" }, async (tx) => {
    const room = await tx.get("rooms", name);
    const newest = room?.ranges.at(-1);
    if (room === undefined || newest === undefined) return null;
    const here = heardTo(room) - newest.from + 1;
    const count = Math.min(Math.floor(here * share), here - STAY);
    const below = count > 0 ? newest.from + count : room.ranges.length > 1 ? newest.from : null;
    if (below !== null) await freeBelow(tx, room, below);
    return below;
  });
  const below = await world.loop.during(freed);
  store.close();
  bus.close();
  world.ledger.count("frees");
  world.trace(`${device.name} frees ${name} below ${below}`);
}
