// What member.update makes of what there is.
import { defineReducer } from "../op.ts";
import { isAlike } from "../../alike.ts";
import type { args } from "../member-update.ts";

export const memberUpdateReducer = defineReducer<typeof args>({
  reads: (_args, { actor }) => [{ kind: "member", id: actor }],
  apply: ({ status, ...fields }, { actor }, lookup) => {
    const member = lookup("member", actor);
    if (!member) return [];
    const { status: before, ...rest } = member;
    const kept = status === undefined ? before : (status ?? undefined);
    const after = { ...rest, ...fields, ...(kept === undefined ? {} : { status: kept }) };
    return isAlike(member, after) ? [] : [after];
  },
});
