// channel.update: name, topic, purpose, who may post, retention.
import * as v from "valibot";
import { posting } from "../entities/channel.ts";
import { channelId } from "../ids.ts";
import { channelName, purpose, topic } from "../text.ts";
import { defineOp, defineReducer } from "./op.ts";
import { isUnchanged } from "./unchanged.ts";

const args = v.object({
  id: channelId,
  name: v.exactOptional(channelName),
  topic: v.exactOptional(topic),
  purpose: v.exactOptional(purpose),
  posting: v.exactOptional(posting),
  /** 0 goes back to the workspace's. */
  retentionDays: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0))),
});

export const channelUpdateReducer = defineReducer<typeof args>({
  reads: ({ id }) => [{ kind: "channel", id }],
  apply: ({ id, retentionDays, ...fields }, _ctx, lookup) => {
    const channel = lookup("channel", id);
    if (!channel || channel.deleted) return [];
    const { retentionDays: before, ...rest } = channel;
    const kept = retentionDays ?? before ?? 0;
    const after = { ...rest, ...fields, ...(kept === 0 ? {} : { retentionDays: kept }) };
    return isUnchanged(channel, after) ? [] : [after];
  },
});

export const channelUpdate = defineOp("channel.update", "workspace", args, channelUpdateReducer);
