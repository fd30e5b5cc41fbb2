// What member.activate makes of what there is.
import { defineReducer } from "../op.ts";
import type { args } from "../member-activate.ts";

export const memberActivateReducer = defineReducer<typeof args>({
  reads: ({ user }) => [{ kind: "member", id: user }],
  apply: ({ user, on }, { at }, lookup) => {
    const member = lookup("member", user);
    if (!member || (member.deactivatedAt === undefined) === on) return [];
    const { deactivatedAt: _, ...rest } = member;
    return [on ? rest : { ...rest, deactivatedAt: at }];
  },
});
