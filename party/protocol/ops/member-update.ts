// member.update: one's own name, picture, title, status and time zone.
import * as v from "valibot";
import { memberStatus } from "../entities/member.ts";
import { STATUS_TEXT_MAX_CHARS } from "../limits.ts";
import { personName, title } from "../text.ts";
import { defineOp, defineReducer } from "./op.ts";
import { isUnchanged } from "./unchanged.ts";

const args = v.object({
  name: v.exactOptional(personName),
  avatar: v.exactOptional(v.pipe(v.string(), v.maxLength(500))),
  title: v.exactOptional(title),
  status: v.exactOptional(
    v.nullable(v.object({ ...memberStatus.entries, text: v.pipe(v.string(), v.maxLength(STATUS_TEXT_MAX_CHARS)) })),
  ),
  timezone: v.exactOptional(v.pipe(v.string(), v.maxLength(64))),
});

export const memberUpdateReducer = defineReducer<typeof args>({
  reads: (_args, { actor }) => [{ kind: "member", id: actor }],
  apply: ({ status, ...fields }, { actor }, lookup) => {
    const member = lookup("member", actor);
    if (!member) return [];
    const { status: before, ...rest } = member;
    const kept = status === undefined ? before : (status ?? undefined);
    const after = { ...rest, ...fields, ...(kept === undefined ? {} : { status: kept }) };
    return isUnchanged(member, after) ? [] : [after];
  },
});

export const memberUpdate = defineOp("member.update", "workspace", args, memberUpdateReducer);
