// Somebody is taken out of a private channel and put back within moments, up to three times, while they write in it.
import type { Entity } from "#protocol/entities/entity.ts";
import type { ChannelId, UserId } from "#protocol/ids.ts";
import type { Seeded } from "../sim/seeded.ts";
import { post } from "./scene.ts";
import type { World } from "./world.ts";

/** Out for less than this they are as good as in: nothing of theirs may be refused for it. */
export const SHORT_MS = 1_500;
const ROUNDS_MAX = 3;

export function flap(world: World, random: Seeded, step: number): void {
  const entities = [...world.rooms.at(world.team).disk.values("e:")] as Entity[];
  const isPrivate = (id: ChannelId): boolean =>
    entities.some((each) => each.kind === "channel" && each.id === id && !each.deleted && each.access === "private");
  const isIn = (id: ChannelId, user: UserId): boolean =>
    entities.some((each) => each.kind === "membership" && each.channel === id && each.user === user && !each.deleted);
  const tabs = world.tabs.filter(({ workspace, isHung, device }) => workspace && !isHung && device.user !== "olga");
  if (tabs.length === 0) return;
  const tab = random.pick(tabs);
  const { user } = tab.device;
  const channels = entities.flatMap((each) => (each.kind === "channel" ? [each.id] : []));
  const fit = channels.filter((id) => isPrivate(id) && isIn(id, user) && isIn(id, "olga" as UserId));
  if (fit.length === 0) return;
  const channel = random.pick(fit);
  world.ledger.count("flaps");
  world.trace(`${user} is taken out of ${channel} and put back`);
  if (random.chance(0.7)) tab.look(channel);
  const moves = Array.from({ length: 1 + random.below(ROUNDS_MAX) }, () => [random.below(600), random.below(900)]);
  const move = async (): Promise<void> => {
    const room = world.rooms.at(world.team);
    for (const [outMs = 0, inMs = 0] of moves) {
      await world.elsewhere.op(room, "channel.members", { id: channel, add: [], remove: [user] });
      await world.loop.sleep(outMs);
      await world.elsewhere.op(room, "channel.members", { id: channel, add: [user], remove: [] });
      await world.loop.sleep(inMs);
    }
  };
  void move();
  for (let i = 0, at = 0; i < 8; i += 1, at += random.below(500)) {
    world.loop.later(at, () => {
      const { workspace, isHung, isAlive } = tab;
      if (workspace === null || isHung || !isAlive || world.isOver) return;
      post({ world, tab, random, commands: workspace.commands, serial: "" }, channel, `${tab.name}#${step}!${i}`);
    });
  }
}
