// member.role: another role for somebody; the room keeps the last owner one.
import * as v from "valibot";
import { userId } from "../ids.ts";
import { role } from "../roles.ts";
import { defineOp } from "./op.ts";

export const memberRole = defineOp({
  name: "member.role",
  room: "workspace",
  args: v.object({ user: userId, role }),
  reads: ({ user }) => [{ kind: "member", id: user }],
  apply: (args, _ctx, lookup) => {
    const member = lookup("member", args.user);
    return !member || member.role === args.role ? [] : [{ ...member, role: args.role }];
  },
});
