// Whether one may do now what was refused because one might not: by what the screens go by that offer it. A role may have
// changed of which a channel's room was not asked since, so both must allow it.
import type { ChannelId } from "#protocol/ids.ts";
import { isAdmin, type Perm, type Role } from "#protocol/roles.ts";
import { closedFor } from "./homeless.ts";
import { roomOf, type Replica } from "./replica.ts";
import { workspaceRoom } from "./rooms.ts";
import type { OutboxRecord } from "./schema.ts";
import { mayByPolicy } from "./workspace-view.ts";

/** False also where that isn't known. */
export function isAllowedNow(replica: Replica, op: OutboxRecord, channel: ChannelId | null): boolean {
  const role = replica.get("member", replica.me)?.role;
  if (op.op === "message.post") return channel !== null && mayPost(replica, channel);
  if (role === undefined) return false;
  if (op.op.startsWith("message.")) return channel !== null && mayTouch(replica, op, channel, role);
  if (!mayIn(replica, null, "write")) return false;
  switch (op.op) {
    case "channel.create":
      return mayByPolicy(replica, role, op.args.access === "public" ? "createPublic" : "createPrivate");
    case "channel.archive":
      return manages(replica, op.args.id, role);
    case "channel.update": {
      const { id, name, posting, retentionDays } = op.args;
      const isMore = name !== undefined || posting !== undefined || retentionDays !== undefined;
      return isMore ? manages(replica, id, role) : isInside(replica, id, role);
    }
    case "channel.members": {
      const takesOut = op.args.remove.some((user) => user !== replica.me);
      return takesOut ? manages(replica, op.args.id, role) : isInside(replica, op.args.id, role);
    }
    case "member.role":
      return mayManage(replica, role, replica.get("member", op.args.user)?.role, op.args.role);
    case "member.activate":
      return mayManage(replica, role, replica.get("member", op.args.user)?.role);
    default:
      return false;
  }
}

function mayPost(replica: Replica, channel: ChannelId): boolean {
  return closedFor(replica, channel) === null && mayIn(replica, channel, "write");
}

function mayTouch(replica: Replica, { op }: OutboxRecord, channel: ChannelId, role: Role): boolean {
  const why = closedFor(replica, channel);
  if (why === "gone" || !mayIn(replica, channel, "write")) return false;
  if (op === "message.pin") return why !== "archived" && role !== "guest" && mayIn(replica, channel, "pin");
  return op === "message.delete" && isAdmin(role) && mayIn(replica, channel, "manage");
}

/** @param channel null: in the workspace. Where its room said nothing yet, the role alone tells. */
function mayIn(replica: Replica, channel: ChannelId | null, perm: Perm): boolean {
  const room = channel === null ? replica.rooms.get(workspaceRoom(replica.workspace)) : roomOf(replica, channel);
  return room?.you?.can.includes(perm) !== false;
}

function isInside(replica: Replica, channel: ChannelId, role: Role): boolean {
  return role !== "guest" && closedFor(replica, channel) !== "gone";
}

function manages(replica: Replica, id: ChannelId, role: Role): boolean {
  const channel = replica.get("channel", id);
  if (channel === undefined || channel.deleted || role === "guest") return false;
  const isOwnPrivate = channel.access === "private" && channel.createdBy === replica.me;
  return isOwnPrivate || (isAdmin(role) && mayIn(replica, null, "manage"));
}

/** Only owners make or touch an owner. */
function mayManage(replica: Replica, role: Role, ...touched: readonly (Role | undefined)[]): boolean {
  const isKnown = touched.every((each) => each !== undefined);
  if (!isKnown || !isAdmin(role) || !mayIn(replica, null, "manage")) return false;
  return role === "owner" || !touched.includes("owner");
}
