// Which channel an op is in or about. Apart from what else is known of ops, since the timeline needs no more.
import type { ChannelId } from "#protocol/ids.ts";
import { parseRoomName } from "#protocol/room-name.ts";
import type { OutboxRecord } from "./schema.ts";

export function channelOf(op: OutboxRecord): ChannelId | null {
  const room = parseRoomName(op.room);
  if (room?.party === "channel") return room.channel;
  const { args } = op;
  if ("channel" in args) return args.channel;
  return isAboutChannel(op) ? op.args.id : null;
}

type AboutChannel = Extract<
  OutboxRecord,
  { readonly op: `channel.${string}`; readonly args: { readonly id: ChannelId } }
>;

function isAboutChannel(op: OutboxRecord): op is AboutChannel {
  return op.op.startsWith("channel.");
}
