// channel.create: a channel with its creator in it, and in a private one the people named. Never a DM ([OP16]).
import * as v from "valibot";
import { channelId, isDirectChannelId, userId } from "../ids.ts";
import { MEMBERS_PER_OP_MAX } from "../limits.ts";
import { channelName, topic } from "../text-schema.ts";
import { defineOp } from "./op.ts";
import { channelCreateReducer } from "./reducers/channel-create.ts";

export const args = v.object({
  id: v.pipe(
    channelId,
    v.check((id) => !isDirectChannelId(id), "is not the id of a direct message"),
  ),
  access: v.picklist(["public", "private"]),
  name: channelName,
  topic: v.exactOptional(topic),
  members: v.exactOptional(v.pipe(v.array(userId), v.maxLength(MEMBERS_PER_OP_MAX))),
});

export const channelCreate = defineOp("channel.create", "workspace", args, channelCreateReducer);
