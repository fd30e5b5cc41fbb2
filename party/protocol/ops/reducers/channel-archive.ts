// What channel.archive makes of what there is.
import { defineReducer } from "../op.ts";
import type { args } from "../channel-archive.ts";

export const channelArchiveReducer = defineReducer<typeof args>({
  reads: ({ id }) => [{ kind: "channel", id }],
  apply: ({ id, on }, { at }, lookup) => {
    const channel = lookup("channel", id);
    if (!channel || channel.deleted || (channel.archivedAt !== undefined) === on) return [];
    const { archivedAt: _, ...rest } = channel;
    return [on ? { ...rest, archivedAt: at } : rest];
  },
});
