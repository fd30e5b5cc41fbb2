// channel.members: puts people into a channel and takes people out.
import * as v from "valibot";
import { membershipId } from "../entities/membership.ts";
import { channelId, userId } from "../ids.ts";
import { MEMBERS_PER_OP_MAX } from "../limits.ts";
import { defineOp, defineReducer } from "./op.ts";

const args = v.pipe(
  v.object({ id: channelId, add: v.optional(v.array(userId), []), remove: v.optional(v.array(userId), []) }),
  v.check(({ add, remove }) => add.length + remove.length <= MEMBERS_PER_OP_MAX, "names too many people at once"),
);

export const channelMembersReducer = defineReducer<typeof args>({
  reads: ({ id, add, remove }) => [
    { kind: "channel", id },
    ...[...add, ...remove].map((user) => ({ kind: "membership" as const, id: membershipId(id, user) })),
  ],
  apply: ({ id, add, remove }, { at }, lookup) => {
    const isIn = (user: (typeof add)[number]): boolean => {
      const membership = lookup("membership", membershipId(id, user));
      return membership !== undefined && !membership.deleted;
    };
    const base = (user: (typeof add)[number]) => ({
      kind: "membership" as const,
      id: membershipId(id, user),
      channel: id,
      user,
    });
    const leaving = new Set(remove.filter(isIn));
    const joining = new Set(add.filter((user) => !isIn(user) && !remove.includes(user)));
    return [
      ...[...joining].map((user) => ({ ...base(user), joinedAt: at })),
      ...[...leaving].map((user) => ({ ...base(user), deleted: true as const })),
    ];
  },
});

export const channelMembers = defineOp("channel.members", "workspace", args, channelMembersReducer);
