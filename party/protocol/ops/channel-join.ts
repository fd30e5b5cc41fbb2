// channel.join: into a public channel, by oneself.
import * as v from "valibot";
import { channelId } from "../ids.ts";
import { defineOp } from "./op.ts";
import { channelJoinReducer } from "./reducers/channel-join.ts";

export const args = v.object({ id: channelId });

export const channelJoin = defineOp("channel.join", "workspace", args, channelJoinReducer);
