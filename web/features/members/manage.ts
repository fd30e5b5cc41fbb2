// What one may do to another member (product, point 6), as a menu; the room enforces it. Pure.
import { isAdmin, type Role } from "#protocol/roles.ts";
import type { MemberRow } from "../../store/snapshots.ts";
import type { MenuAction } from "../../ui/Menu.tsx";
import { s } from "../../ui/strings-more.ts";

interface Deeds {
  readonly setRole: (role: Role) => void;
  readonly deactivate: () => void;
  readonly activate: () => void;
}

const ROLES: readonly Role[] = ["owner", "admin", "member", "guest"];

/** Empty where nothing may be done. */
export function manageActions(me: MemberRow, person: MemberRow, deeds: Deeds): readonly (readonly MenuAction[])[] {
  const { members: says } = s;
  const mayTouch = isAdmin(me.role) && (me.role === "owner" || person.role !== "owner");
  if (!mayTouch || person.isMe || person.role === "bot") return [];
  const roles = ROLES.filter((role) => role !== "owner" || me.role === "owner").map((role): MenuAction => {
    return { label: says.become[role], isChosen: role === person.role, onSelect: () => deeds.setRole(role) };
  });
  if (person.isDeactivated) return [[{ label: says.activate, onSelect: deeds.activate }]];
  return [roles, [{ label: says.deactivate, isDangerous: true, onSelect: deeds.deactivate }]];
}
