// Roles and what they may do (product, point 6), shared by the rooms that enforce it and the interface that hides it.
import * as v from "valibot";

export const role = v.picklist(["owner", "admin", "member", "guest", "bot"]);
export type Role = v.InferOutput<typeof role>;

/** What a token may grant for a room. `manage`: what only admins may do there. */
export const perm = v.picklist(["read", "write", "pin", "manage"]);
export type Perm = v.InferOutput<typeof perm>;

export function isAdmin(of: Role): boolean {
  return of === "owner" || of === "admin";
}

/** Higher counts more; a foreign issuer's role is lowered to what its trust allows ([AU10]). */
const RANK: Readonly<Record<Role, number>> = { bot: 0, guest: 1, member: 2, admin: 3, owner: 4 };

export function outranks(one: Role, other: Role): boolean {
  return RANK[one] > RANK[other];
}
