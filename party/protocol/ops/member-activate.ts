// member.activate: deactivates somebody (oneself: leaving the workspace) or lets them back in.
import * as v from "valibot";
import { userId } from "../ids.ts";
import { defineOp, defineReducer } from "./op.ts";

const args = v.object({ user: userId, on: v.boolean() });

export const memberActivateReducer = defineReducer<typeof args>({
  reads: ({ user }) => [{ kind: "member", id: user }],
  apply: ({ user, on }, { at }, lookup) => {
    const member = lookup("member", user);
    if (!member || (member.deactivatedAt === undefined) === on) return [];
    const { deactivatedAt: _, ...rest } = member;
    return [on ? rest : { ...rest, deactivatedAt: at }];
  },
});

export const memberActivate = defineOp("member.activate", "workspace", args, memberActivateReducer);
