// What member.role makes of what there is.
import { defineReducer } from "../op.ts";
import type { args } from "../member-role.ts";

export const memberRoleReducer = defineReducer<typeof args>({
  reads: ({ user }) => [{ kind: "member", id: user }],
  apply: (args, _ctx, lookup) => {
    const member = lookup("member", args.user);
    return !member || member.role === args.role ? [] : [{ ...member, role: args.role }];
  },
});
