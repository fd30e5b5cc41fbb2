// member.activate: deactivates somebody (oneself: leaving the workspace) or lets them back in.
import * as v from "valibot";
import { userId } from "../ids.ts";
import { defineOp } from "./op.ts";
import { memberActivateReducer } from "./reducers/member-activate.ts";

export const args = v.object({ user: userId, on: v.boolean() });

export const memberActivate = defineOp("member.activate", "workspace", args, memberActivateReducer);
