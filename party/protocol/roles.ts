// Roles and what they may do (product, point 6), shared by the rooms that enforce it and the interface that hides it.

export const ROLES = ["owner", "admin", "member", "guest", "bot"] as const;
export type Role = (typeof ROLES)[number];

/** What a token may grant for a room. `manage`: what only admins may do there. */
export const PERMS = ["read", "write", "pin", "manage"] as const;
export type Perm = (typeof PERMS)[number];

export function isAdmin(of: Role): boolean {
  return of === "owner" || of === "admin";
}

/** Higher counts more; a foreign issuer's role is lowered to what its trust allows ([AU10]). */
const RANK: Readonly<Record<Role, number>> = { bot: 0, guest: 1, member: 2, admin: 3, owner: 4 };

export function outranks(one: Role, other: Role): boolean {
  return RANK[one] > RANK[other];
}
