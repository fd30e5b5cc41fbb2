// Whether what is called unread is: nobody has read beyond what there is, and each page marks a channel where others
// wrote behind what its person has read there, and no other.
import { countsAsUnread, type Message } from "#protocol/entities/message.ts";
import type { ChannelId } from "#protocol/ids.ts";
import type { Read } from "#protocol/entities/my-state.ts";
import type { SimRoom } from "./rooms.ts";
import type { World } from "./world.ts";

export function judgeUnread(world: World, messages: ReadonlyMap<SimRoom, readonly Message[]>): string[] {
  const { disk } = world.rooms.at(world.team);
  const listOf = (channel: ChannelId): readonly Message[] => messages.get(world.rooms.at(world.channel(channel))) ?? [];
  const found: string[] = [];
  for (const { id, channel, seq } of [...disk.values("e:read:")] as Read[]) {
    const last = listOf(channel).at(-1)?.seq ?? 0;
    if (seq > last) found.push(`[OP17] read position ${id} is ${seq}, the channel ends at ${last}`);
  }
  for (const { name, workspace, device } of world.tabs) {
    const channels = workspace?.channels.snapshot();
    if (channels?.state !== "ready") continue;
    for (const { id, isJoined, isMuted, isUnread } of channels.value.channels) {
      if (!isJoined || isMuted) continue;
      const read = (disk.value(`e:read:${device.user}.${id}`) as Read | undefined)?.seq ?? 0;
      const isNews = (each: Message): boolean => !each.deleted && countsAsUnread(each) && each.author !== device.user;
      const top = listOf(id).findLast(isNews)?.seq ?? 0;
      if (isUnread !== top > read)
        found.push(`[SV2] ${name} shows ${id} as ${isUnread ? "unread" : "read"}; read to ${read} of ${top}`);
    }
  }
  return found;
}
