// One message of a channel, wherever it stands, as somebody who is about to answer it needs it.
import type { ChannelId, MessageId } from "#protocol/ids.ts";
import { messageById } from "./messages.ts";
import { rowsView, type RowsDeps } from "./rows-view.ts";
import type { TimelineMessage } from "./timeline-snapshots.ts";
import type { Loaded, View } from "./view.ts";

/** Null while it isn't on this device. */
export function messageView(deps: RowsDeps, channel: ChannelId, id: MessageId): View<Loaded<TimelineMessage | null>> {
  /** As it waited to be posted. */
  let waiting: TimelineMessage | null = null;
  return rowsView(deps, channel, {
    read: async (tx, room) => {
      const message = await messageById(tx, room, id);
      return message === undefined ? [] : [message];
    },
    shape: (rows): TimelineMessage | null => {
      const row = rows.find((each) => each.id === id);
      if (row !== undefined) {
        waiting = row.seq === null ? row : null;
        return row;
      }
      // Its author took it back before it was there.
      return waiting === null ? null : { ...waiting, isDeleted: true };
    },
  });
}
