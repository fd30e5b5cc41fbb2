// The workspace and its people, as one snapshot.
import type { Member } from "#protocol/entities/member.ts";
import { DEFAULT_POLICY } from "#protocol/entities/default-policy.ts";
import type { UserId } from "#protocol/ids.ts";
import { isAdmin, type Role } from "#protocol/roles.ts";
import type { Replica } from "./replica.ts";
import type { MemberRow, Person, WorkspaceRef, WorkspaceSnapshot } from "./snapshots.ts";
import { derive } from "./source.ts";
import type { Loaded, View } from "./view.ts";

type Profile = Pick<Member, "id" | "name" | "role" | "title" | "avatar" | "status" | "deactivatedAt">;

export function memberRow(member: Profile, me: UserId): MemberRow {
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

/** What the workspace's policy leaves to its members; admins may in any case. */
export function mayByPolicy(replica: Replica, role: Role, deed: "createPublic" | "createPrivate" | "invite"): boolean {
  const policy = replica.get("workspace", replica.workspace)?.policy ?? DEFAULT_POLICY;
  return isAdmin(role) || (role === "member" && policy[deed] === "members");
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
    const me = known.get(replica.me)?.row ?? memberRow({ id: replica.me, name: person.name, role }, replica.me);
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
        mayCreatePublic: mayByPolicy(replica, role, "createPublic"),
        mayCreatePrivate: mayByPolicy(replica, role, "createPrivate"),
        mayInvite: mayByPolicy(replica, role, "invite"),
      },
    };
  });
}
