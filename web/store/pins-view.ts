// The channel's list of pins: found by index on the device, with what waits applied as in the timeline.
import type { ChannelId } from "#protocol/ids.ts";
import { messageById, pinnedMessages } from "./messages.ts";
import { isComplete } from "./rooms.ts";
import { rowsView, type RowsDeps } from "./rows-view.ts";
import type { PinsSnapshot } from "./timeline-snapshots.ts";
import type { Loaded, View } from "./view.ts";

export function pinsView(deps: RowsDeps, channel: ChannelId): View<Loaded<PinsSnapshot>> {
  return rowsView(deps, channel, {
    read: async (tx, room, pending) => {
      const pins = await pinnedMessages(tx, room);
      const waiting = pending.flatMap((op) => (op.op === "message.pin" ? [op.args.id] : []));
      const others = await Promise.all(waiting.map((id) => messageById(tx, room, id)));
      return [...pins, ...others.filter((message) => message !== undefined)];
    },
    shape: (rows, room): PinsSnapshot => {
      const record = deps.replica.rooms.get(room);
      const messages = rows
        .filter(({ pinned }) => pinned !== undefined)
        .toSorted((one, other) => (other.pinned?.at ?? 0) - (one.pinned?.at ?? 0));
      return { messages, isWhole: record !== undefined && isComplete(record) };
    },
  });
}
