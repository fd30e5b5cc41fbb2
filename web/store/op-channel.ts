// Which channel an op is in or about. Apart from what else is known of ops, since the timeline needs no more.
import type { ChannelId } from "#protocol/ids.ts";
import type { OutboxRecord } from "./schema.ts";

export function channelOf(op: OutboxRecord): ChannelId | null {
  const { args, room } = op;
  // Well formed by its type, and asked of each op at every change of the outbox: `channel:W_C`.
  if (room.startsWith("channel:")) return room.slice(room.indexOf("_") + 1) as ChannelId;
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
