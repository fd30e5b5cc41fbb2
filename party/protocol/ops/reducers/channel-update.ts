// What channel.update makes of what there is.
import { defineReducer } from "../op.ts";
import { isAlike } from "../../alike.ts";
import type { args } from "../channel-update.ts";

export const channelUpdateReducer = defineReducer<typeof args>({
  reads: ({ id }) => [{ kind: "channel", id }],
  apply: ({ id, retentionDays, ...fields }, _ctx, lookup) => {
    const channel = lookup("channel", id);
    if (!channel || channel.deleted) return [];
    const { retentionDays: before, ...rest } = channel;
    const kept = retentionDays ?? before ?? 0;
    const after = { ...rest, ...fields, ...(kept === 0 ? {} : { retentionDays: kept }) };
    return isAlike(channel, after) ? [] : [after];
  },
});
