// A channel fills while somebody looks elsewhere: more than a page of changes, more than a first screen of history.
import type { Seeded } from "../sim/seeded.ts";
import type { World } from "./world.ts";

const AT_ONCE = 64;

export function flood(world: World, random: Seeded): string | undefined {
  const rooms = [...world.rooms.all.values()].filter(({ ref, disk }) => ref.party === "channel" && disk.rows.has("s"));
  if (rooms.length === 0 || world.floods >= 2) return undefined;
  world.floods += 1;
  const room = random.pick(rooms);
  const count = random.pick([64, 128, 256]);
  const pour = async (left: number): Promise<void> => {
    if (left <= 0 || world.isOver) return;
    const posts = Array.from({ length: Math.min(AT_ONCE, left) }, (_, i) => ({
      op: "message.post",
      args: { id: world.newId(), text: `flood ${left} ${i}` },
    }));
    await world.elsewhere.ops(room, posts);
    await world.loop.sleep(3_000);
    await pour(left - AT_ONCE);
  };
  void pour(count);
  return `${count} messages pour into ${room.name}`;
}
