// channel.leave: out of a channel, by oneself. Out of a private one it is also out of sight ([RV5]).
import * as v from "valibot";
import { membershipId } from "../entities/membership.ts";
import { channelId } from "../ids.ts";
import { defineOp } from "./op.ts";

export const channelLeave = defineOp({
  name: "channel.leave",
  room: "workspace",
  args: v.object({ id: channelId }),
  reads: ({ id }, { actor }) => [{ kind: "membership", id: membershipId(id, actor) }],
  apply: ({ id }, { actor }, lookup) => {
    const membership = lookup("membership", membershipId(id, actor));
    if (!membership || membership.deleted) return [];
    return [{ kind: "membership", id: membership.id, channel: id, user: actor, deleted: true }];
  },
});
