// channel.join: into a public channel, by oneself.
import * as v from "valibot";
import { membershipId } from "../entities/membership.ts";
import { channelId } from "../ids.ts";
import { defineOp, defineReducer } from "./op.ts";

const args = v.object({ id: channelId });

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

export const channelJoin = defineOp("channel.join", "workspace", args, channelJoinReducer);
