// member.update: one's own name, picture, title, status and time zone.
import * as v from "valibot";
import { memberStatus } from "../entities/member.ts";
import { STATUS_TEXT_MAX_CHARS } from "../limits.ts";
import { personName, title } from "../text-schema.ts";
import { defineOp } from "./op.ts";
import { memberUpdateReducer } from "./reducers/member-update.ts";

export const args = v.object({
  name: v.exactOptional(personName),
  avatar: v.exactOptional(v.pipe(v.string(), v.maxLength(500))),
  title: v.exactOptional(title),
  status: v.exactOptional(
    v.nullable(v.object({ ...memberStatus.entries, text: v.pipe(v.string(), v.maxLength(STATUS_TEXT_MAX_CHARS)) })),
  ),
  timezone: v.exactOptional(v.pipe(v.string(), v.maxLength(64))),
});

export const memberUpdate = defineOp("member.update", "workspace", args, memberUpdateReducer);
