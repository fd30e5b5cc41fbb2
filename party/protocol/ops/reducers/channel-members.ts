// What channel.members makes of what there is.
import { membershipId } from "../../entities/keys.ts";
import { defineReducer } from "../op.ts";
import type { args } from "../channel-members.ts";

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
