// member.role: another role for somebody; the room keeps the last owner one.
import * as v from "valibot";
import { userId } from "../ids.ts";
import { role } from "../roles.ts";
import { defineOp, defineReducer } from "./op.ts";

const args = v.object({ user: userId, role });

export const memberRoleReducer = defineReducer<typeof args>({
  reads: ({ user }) => [{ kind: "member", id: user }],
  apply: (args, _ctx, lookup) => {
    const member = lookup("member", args.user);
    return !member || member.role === args.role ? [] : [{ ...member, role: args.role }];
  },
});

export const memberRole = defineOp("member.role", "workspace", args, memberRoleReducer);
