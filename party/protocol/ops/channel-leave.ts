// channel.leave: out of a channel, by oneself. Out of a private one it is also out of sight ([RV5]).
import * as v from "valibot";
import { channelId } from "../ids.ts";
import { defineOp } from "./op.ts";
import { channelLeaveReducer } from "./reducers/channel-leave.ts";

export const args = v.object({ id: channelId });

export const channelLeave = defineOp("channel.leave", "workspace", args, channelLeaveReducer);
