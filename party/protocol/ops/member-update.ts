// member.update: one's own name, picture, title, status and time zone.
import * as v from "valibot";
import { memberStatus } from "../entities/member.ts";
import { personName, statusEmoji, statusText, title } from "../text-schema.ts";
import { defineOp } from "./op.ts";
import { memberUpdateReducer } from "./reducers/member-update.ts";

export const args = v.object({
  name: v.exactOptional(personName),
  avatar: v.exactOptional(v.pipe(v.string(), v.maxLength(500))),
  title: v.exactOptional(title),
  status: v.exactOptional(v.nullable(v.object({ ...memberStatus.entries, emoji: statusEmoji, text: statusText }))),
  timezone: v.exactOptional(v.pipe(v.string(), v.maxLength(64))),
});

export const memberUpdate = defineOp("member.update", "workspace", args, memberUpdateReducer);
