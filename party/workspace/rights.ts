// Who may do what in a workspace (product, point 6; [OP13]). The token can only narrow it.
import type { LiveChannel } from "#protocol/entities/channel.ts";
import { failure, type Failure } from "#protocol/errors.ts";
import type { You } from "#protocol/frames/base.ts";
import type { ChannelId, UserId } from "#protocol/ids.ts";
import { CHANNELS_MAX } from "#protocol/limits.ts";
import type { OpArgs } from "#protocol/ops/all.ts";
import { isAdmin, type Perm, type Role } from "#protocol/roles.ts";
import type { OpCall } from "../engine/kind.ts";
import { isInside, type Directory } from "./directory.ts";

export function permsOf(role: Role): readonly Perm[] {
  if (isAdmin(role)) return ["read", "write", "pin", "manage"];
  return role === "member" ? ["read", "write", "pin"] : ["read", "write"];
}

/** Null if allowed. What already stands is never refused: sent again it is without effect ([OP4], [OP14]). */
export function refusalOf(directory: Directory, { op, you, lookup }: OpCall): Failure | null {
  if (!you.can.includes("write")) return forbidden("You may look here, not change anything.");
  switch (op.op) {
    case "channel.create":
      return createRefusal(directory, you, op.args, lookup("channel", op.args.id));
    case "channel.update":
      return updateRefusal(directory, you, op.args);
    case "channel.archive":
      return ownChannelRefusal(directory, you, op.args.id, "Only admins may archive a channel.");
    case "channel.join":
      return joinRefusal(directory, you, op.args.id);
    case "channel.leave":
      return null;
    case "channel.members":
      return membersRefusal(directory, you, op.args);
    case "channel.prefs":
    case "read.set":
      return directory.sees(op.args.channel, you) ? null : notThere();
    case "draft.set":
      // One's own text is one's own to throw away, also where the channel is out of sight.
      return op.args.text === "" || directory.sees(op.args.channel, you) ? null : notThere();
    case "member.update":
      return null;
    case "member.role":
      return roleRefusal(directory, you, op.args);
    case "member.activate":
      return activateRefusal(directory, you, op.args);
    default:
      return failure("invalid", { field: "op", rule: "is not known in this room" });
  }
}

function createRefusal(
  directory: Directory,
  you: You,
  args: OpArgs<"channel.create">,
  standing: { readonly deleted?: boolean | undefined } | undefined,
): Failure | null {
  if (standing)
    return standsAlready(directory, you, args) ? null : failure("invalid", { field: "id", rule: "is taken" });
  const policy = directory.workspace?.policy;
  const by = args.access === "public" ? policy?.createPublic : policy?.createPrivate;
  const may = isAdmin(you.role) || (you.role === "member" && by === "members");
  if (!may) return forbidden("You may not create channels here.");
  if (directory.channels.size >= CHANNELS_MAX) return failure("too_many", { field: "Channels", limit: CHANNELS_MAX });
  if (directory.isNameTaken(args.name, you.user)) return failure("name_taken");
  return peopleRefusal(directory, args.members ?? []);
}

function standsAlready({ channels }: Directory, you: You, args: OpArgs<"channel.create">): boolean {
  const channel = channels.get(args.id);
  return channel?.createdBy === you.user && channel.access === args.access;
}

function updateRefusal(directory: Directory, you: You, args: OpArgs<"channel.update">): Failure | null {
  const isMore = args.name !== undefined || args.posting !== undefined || args.retentionDays !== undefined;
  const refusal = isMore
    ? ownChannelRefusal(directory, you, args.id, "Only admins may change that.")
    : insideRefusal(directory, you, args.id);
  if (refusal) return refusal;
  const isTaken = args.name !== undefined && directory.isNameTaken(args.name, you.user, args.id);
  return isTaken ? failure("name_taken") : null;
}

function joinRefusal(directory: Directory, you: You, id: ChannelId): Failure | null {
  if (directory.isIn(id, you.user)) return null;
  const channel = directory.channels.get(id);
  return channel?.access === "public" && isInside(you.role) ? null : notThere();
}

function membersRefusal(directory: Directory, you: You, args: OpArgs<"channel.members">): Failure | null {
  const refusal = insideRefusal(directory, you, args.id);
  if (refusal) return refusal;
  const othersOut = args.remove.filter((user) => user !== you.user && directory.isIn(args.id, user));
  if (othersOut.length > 0) {
    const own = ownChannelRefusal(directory, you, args.id, "Only admins may take people out.");
    if (own) return own;
  }
  return peopleRefusal(directory, args.add);
}

function roleRefusal(directory: Directory, you: You, { user, role }: OpArgs<"member.role">): Failure | null {
  const target = directory.members.get(user);
  if (!target) return notThere();
  if (role === "bot" || target.role === "bot") return failure("invalid", { field: "role", rule: "is not for people" });
  if (target.role === role) return null;
  const touchesOwner = role === "owner" || target.role === "owner";
  if (!you.can.includes("manage") || !isAdmin(you.role) || (touchesOwner && you.role !== "owner")) {
    return forbidden("You may not change this role.");
  }
  return directory.isLastOwner(user) ? failure("last_owner") : null;
}

function activateRefusal(directory: Directory, you: You, { user, on }: OpArgs<"member.activate">): Failure | null {
  const target = directory.members.get(user);
  if (!target) return notThere();
  const isLeaving = user === you.user && !on;
  const may = you.role === "owner" || (isAdmin(you.role) && target.role !== "owner");
  if (!isLeaving && !(may && you.can.includes("manage"))) return forbidden("You may not do this to others.");
  return !on && directory.isLastOwner(user) ? failure("last_owner") : null;
}

/** Sees the channel and is no guest. */
function insideRefusal(directory: Directory, you: You, id: ChannelId): Failure | null {
  if (!directory.sees(id, you)) return notThere();
  return isInside(you.role) ? null : forbidden("Guests may not change channels.");
}

/** An admin who sees it, or the creator of a private channel who is still in it. */
function ownChannelRefusal(directory: Directory, you: You, id: ChannelId, detail: string): Failure | null {
  const refusal = insideRefusal(directory, you, id);
  if (refusal) return refusal;
  const channel = directory.channels.get(id);
  const may =
    (isAdmin(you.role) && you.can.includes("manage")) || (channel !== undefined && isOwnPrivate(channel, you.user));
  return may ? null : forbidden(detail);
}

function isOwnPrivate({ access, createdBy }: LiveChannel, user: UserId): boolean {
  return access === "private" && createdBy === user;
}

function peopleRefusal(directory: Directory, people: readonly UserId[]): Failure | null {
  const areHere = people.every((user) => directory.active(user) !== null);
  return areHere ? null : failure("invalid", { field: "members", rule: "names somebody who isn't here" });
}

function forbidden(detail: string): Failure {
  return { code: "forbidden", detail };
}

function notThere(): Failure {
  return failure("not_found");
}
