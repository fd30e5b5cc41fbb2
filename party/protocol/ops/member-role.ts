// member.role: another role for somebody; the room keeps the last owner one.
import * as v from "valibot";
import { userId } from "../ids.ts";
import { role } from "../role-schema.ts";
import { defineOp } from "./op.ts";
import { memberRoleReducer } from "./reducers/member-role.ts";

export const args = v.object({ user: userId, role });

export const memberRole = defineOp("member.role", "workspace", args, memberRoleReducer);
