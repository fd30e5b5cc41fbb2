// channel.update: name, topic, purpose, who may post, retention.
import * as v from "valibot";
import { posting } from "../entities/channel.ts";
import { channelId } from "../ids.ts";
import { channelName, purpose, topic } from "../text-schema.ts";
import { defineOp } from "./op.ts";
import { channelUpdateReducer } from "./reducers/channel-update.ts";

export const args = v.object({
  id: channelId,
  name: v.exactOptional(channelName),
  topic: v.exactOptional(topic),
  purpose: v.exactOptional(purpose),
  posting: v.exactOptional(posting),
  /** 0 goes back to the workspace's. */
  retentionDays: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0))),
});

export const channelUpdate = defineOp("channel.update", "workspace", args, channelUpdateReducer);
