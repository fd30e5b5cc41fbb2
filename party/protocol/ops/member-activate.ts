// member.activate: deactivates somebody (oneself: leaving the workspace) or lets them back in.
import * as v from "valibot";
import { userId } from "../ids.ts";
import { defineOp } from "./op.ts";

export const memberActivate = defineOp({
  name: "member.activate",
  room: "workspace",
  args: v.object({ user: userId, on: v.boolean() }),
  reads: ({ user }) => [{ kind: "member", id: user }],
  apply: ({ user, on }, { at }, lookup) => {
    const member = lookup("member", user);
    if (!member || (member.deactivatedAt === undefined) === on) return [];
    const { deactivatedAt: _, ...rest } = member;
    return [on ? rest : { ...rest, deactivatedAt: at }];
  },
});
