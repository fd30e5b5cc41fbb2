// The workspace and its people, as one snapshot.
import type { Member } from "#protocol/entities/member.ts";
import { DEFAULT_POLICY } from "#protocol/entities/default-policy.ts";
import type { UserId } from "#protocol/ids.ts";
import { isAdmin, type Role } from "#protocol/roles.ts";
import type { Replica } from "./replica.ts";
import type { MemberRow, Person, WorkspaceRef, WorkspaceSnapshot } from "./snapshots.ts";
import { derive } from "./source.ts";
import type { Loaded, View } from "./view.ts";

export function memberRow(member: Member, me: UserId): MemberRow {
  return {
    user: member.id,
    name: member.name,
    role: member.role,
    ...(member.title && { title: member.title }),
    ...(member.avatar && { avatar: member.avatar }),
    ...(member.status && { status: member.status }),
    isDeactivated: member.deactivatedAt !== undefined,
    isMe: member.id === me,
  };
}

/** My role as far as is known here. */
export function roleOf(replica: Replica, ref: WorkspaceRef): Role {
  return replica.get("member", replica.me)?.role ?? ref.role;
}

export function mayCreate(replica: Replica, role: Role, access: "public" | "private"): boolean {
  if (isAdmin(role)) return true;
  const policy = replica.get("workspace", replica.workspace)?.policy ?? DEFAULT_POLICY;
  return role === "member" && policy[access === "public" ? "createPublic" : "createPrivate"] === "members";
}

/** @param ref what the edge last said of it; name and slug follow the room once it is held */
export function workspaceView(
  replica: Replica,
  ref: () => WorkspaceRef,
  person: Person,
): View<Loaded<WorkspaceSnapshot>> {
  let rows = new Map<UserId, { readonly of: Member; readonly row: MemberRow }>();
  return derive(replica, replica.version, (before): Loaded<WorkspaceSnapshot> => {
    if (!replica.isLoaded()) return before ?? { state: "loading" };
    const known = new Map<UserId, { readonly of: Member; readonly row: MemberRow }>();
    for (const member of replica.list("member")) {
      const last = rows.get(member.id);
      known.set(member.id, last?.of === member ? last : { of: member, row: memberRow(member, replica.me) });
    }
    const isSame = known.size === rows.size && [...known].every(([user, { of }]) => rows.get(user)?.of === of);
    rows = known;
    const workspace = replica.get("workspace", replica.workspace);
    const role = roleOf(replica, ref());
    const me = known.get(replica.me)?.row ?? {
      user: replica.me,
      name: person.name,
      role,
      isDeactivated: false,
      isMe: true,
    };
    const members =
      isSame && before?.state === "ready"
        ? before.value.members
        : new Map([...known].map(([user, { row }]) => [user, row]));
    return {
      state: "ready",
      value: {
        ref: { ...ref(), role, ...(workspace && { name: workspace.name, slug: workspace.slug }) },
        me,
        members,
        mayCreatePublic: mayCreate(replica, role, "public"),
        mayCreatePrivate: mayCreate(replica, role, "private"),
        mayInvite: isAdmin(role) || (role === "member" && workspace?.policy.invite === "members"),
      },
    };
  });
}
