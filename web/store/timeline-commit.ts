// What a commit means for a window on a channel. Pure.
import type { Message } from "#protocol/entities/message.ts";
import type { ChannelId } from "#protocol/ids.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { channelOf } from "./op-channel.ts";
import type { Commit } from "./store.ts";
import { isRange, type Key, type Range } from "./tx.ts";

export interface ChannelNews {
  /** Messages of the channel, as they are now. */
  readonly put: readonly Message[];
  /** Messages below this place went; 0 for none, Infinity for all. */
  readonly dropsBelow: number;
  /** Something else that rows are made of may have changed. */
  readonly isTouched: boolean;
}

export function readCommit(commit: Commit, room: RoomName, channel: ChannelId): ChannelNews {
  const put: Message[] = [];
  let dropsBelow = 0;
  let isTouched = false;
  for (const change of commit) {
    switch (change.table) {
      case "messages":
        if ("put" in change) {
          if (change.put.room === room) put.push(change.put.message);
        } else dropsBelow = Math.max(dropsBelow, droppedBelow(change.remove, room));
        break;
      case "outbox":
        isTouched ||= !("put" in change) || change.put.room === room || channelOf(change.put) === channel;
        break;
      case "rooms":
      case "entities":
      case "heads":
      case "drafts":
        isTouched = true;
        break;
      case "devices":
      case "meta":
      case "events":
        break;
    }
  }
  return { put, dropsBelow, isTouched };
}

function droppedBelow(key: Key | Range, room: RoomName): number {
  if (!isRange(key)) return 0;
  const [of] = key.lower as readonly [string, number?];
  const upper = (key.upper as readonly unknown[])[1];
  if (of !== room) return 0;
  return typeof upper === "number" ? upper + 1 : Infinity;
}
