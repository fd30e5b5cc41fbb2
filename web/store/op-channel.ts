// Which channel an op is in or about. Apart from what else is known of ops, since the timeline needs no more.
import type { ChannelId } from "#protocol/ids.ts";
import { parseRoomName } from "#protocol/room-name.ts";
import type { OutboxRecord } from "./schema.ts";

export function channelOf(op: OutboxRecord): ChannelId | null {
  const room = parseRoomName(op.room);
  if (room?.party === "channel") return room.channel;
  switch (op.op) {
    case "channel.create":
    case "channel.update":
    case "channel.archive":
    case "channel.join":
    case "channel.leave":
    case "channel.members":
      return op.args.id;
    case "channel.prefs":
    case "read.set":
    case "draft.set":
      return op.args.channel;
    default:
      return null;
  }
}
