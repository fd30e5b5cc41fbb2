// channel.members: puts people into a channel and takes people out.
import * as v from "valibot";
import { channelId, userId } from "../ids.ts";
import { MEMBERS_PER_OP_MAX } from "../limits.ts";
import { defineOp } from "./op.ts";
import { channelMembersReducer } from "./reducers/channel-members.ts";

export const args = v.pipe(
  v.object({ id: channelId, add: v.optional(v.array(userId), []), remove: v.optional(v.array(userId), []) }),
  v.check(({ add, remove }) => add.length + remove.length <= MEMBERS_PER_OP_MAX, "names too many people at once"),
);

export const channelMembers = defineOp("channel.members", "workspace", args, channelMembersReducer);
