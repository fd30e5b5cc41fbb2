// The channel's list of pins: found by index on the device, with what waits applied as in the timeline.
import type { ChannelId, MessageId } from "#protocol/ids.ts";
import { messageById, pinnedMessages } from "./messages.ts";
import { isWhole } from "./keep.ts";
import { rowsView, type RowsDeps } from "./rows-view.ts";
import type { PinsSnapshot, TimelineMessage } from "./timeline-snapshots.ts";
import type { Loaded, View } from "./view.ts";

export function pinsView(deps: RowsDeps, channel: ChannelId): View<Loaded<PinsSnapshot>> {
  /** As the room knows it. */
  let pinnedAt: ReadonlyMap<MessageId, number> = new Map();
  return rowsView(deps, channel, {
    read: async (tx, room, pending) => {
      const pins = await pinnedMessages(tx, room);
      pinnedAt = new Map(pins.map((pin) => [pin.id, pin.deleted ? 0 : (pin.pinned?.at ?? 0)]));
      const waiting = pending.flatMap((op) => (op.op === "message.pin" ? [op.args.id] : []));
      const others = await Promise.all(waiting.map((id) => messageById(tx, room, id)));
      return [...pins, ...others.filter((message) => message !== undefined)];
    },
    shape: (rows, _room, pending): PinsSnapshot => {
      const waiting = new Set(
        pending.flatMap((op) => (op.op === "message.pin" && op.refusal === undefined ? [op.args.id] : [])),
      );
      const atOf = ({ id, pinned }: TimelineMessage): number => pinned?.at ?? pinnedAt.get(id) ?? 0;
      const messages = rows
        .filter(
          ({ id, pinned, isDeleted }) => pinned !== undefined || (waiting.has(id) && pinnedAt.has(id) && !isDeleted),
        )
        .toSorted((one, other) => atOf(other) - atOf(one));
      return {
        messages,
        waiting,
        isWhole: isWhole(deps.replica, channel),
      };
    },
  });
}
