// The ids of entities that have none of their own: made of those they are about.
import type { ChannelId, MessageId, UserId } from "../ids.ts";

export function membershipId(channel: ChannelId, user: UserId): string {
  return `${channel}.${user}`;
}

export function myStateId(user: UserId, channel: ChannelId, root?: MessageId): string {
  return root === undefined ? `${user}.${channel}` : `${user}.${channel}.${root}`;
}
