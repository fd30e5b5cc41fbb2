// What channel.leave makes of what there is.
import { membershipId } from "../../entities/keys.ts";
import { defineReducer } from "../op.ts";
import type { args } from "../channel-leave.ts";

export const channelLeaveReducer = defineReducer<typeof args>({
  reads: ({ id }, { actor }) => [{ kind: "membership", id: membershipId(id, actor) }],
  apply: ({ id }, { actor }, lookup) => {
    const membership = lookup("membership", membershipId(id, actor));
    if (!membership || membership.deleted) return [];
    return [{ kind: "membership", id: membership.id, channel: id, user: actor, deleted: true }];
  },
});
