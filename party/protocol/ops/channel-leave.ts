// channel.leave: out of a channel, by oneself. Out of a private one it is also out of sight ([RV5]).
import * as v from "valibot";
import { membershipId } from "../entities/membership.ts";
import { channelId } from "../ids.ts";
import { defineOp, defineReducer } from "./op.ts";

const args = v.object({ id: channelId });

export const channelLeaveReducer = defineReducer<typeof args>({
  reads: ({ id }, { actor }) => [{ kind: "membership", id: membershipId(id, actor) }],
  apply: ({ id }, { actor }, lookup) => {
    const membership = lookup("membership", membershipId(id, actor));
    if (!membership || membership.deleted) return [];
    return [{ kind: "membership", id: membership.id, channel: id, user: actor, deleted: true }];
  },
});

export const channelLeave = defineOp("channel.leave", "workspace", args, channelLeaveReducer);
