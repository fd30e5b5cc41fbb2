// What channel.join makes of what there is.
import { membershipId } from "../../entities/keys.ts";
import { defineReducer } from "../op.ts";
import type { args } from "../channel-join.ts";

export const channelJoinReducer = defineReducer<typeof args>({
  reads: ({ id }, { actor }) => [
    { kind: "channel", id },
    { kind: "membership", id: membershipId(id, actor) },
  ],
  apply: ({ id }, { actor, at }, lookup) => {
    const membership = lookup("membership", membershipId(id, actor));
    if (membership && !membership.deleted) return [];
    return [{ kind: "membership", id: membershipId(id, actor), channel: id, user: actor, joinedAt: at }];
  },
});
