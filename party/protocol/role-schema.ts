// Roles and perms as they come over the wire and in tokens.
import * as v from "valibot";
import { PERMS, ROLES } from "./roles.ts";

export const role = v.picklist(ROLES);
export const perm = v.picklist(PERMS);
