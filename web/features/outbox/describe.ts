// What a change is called in a list of changes.
import type { UserId } from "#protocol/ids.ts";
import type { AnyOp } from "#protocol/ops/all.ts";
import type { WorkspaceSnapshot } from "../../store/snapshots.ts";
import { outboxSays } from "../../ui/strings-outbox.ts";

/** Who is named in changes; none while the directory isn't here. */
export type Members = WorkspaceSnapshot["members"] | undefined;

export function describe(change: AnyOp, members: Members): string {
  const { change: says } = outboxSays;
  const nameOf = (user: UserId): string => members?.get(user)?.name ?? says.somebody;
  switch (change.op) {
    case "message.post":
      return change.args.root === undefined ? says["message.post"] : says["message.reply"];
    case "message.react":
      return change.args.on ? says.reactOn(change.args.emoji) : says.reactOff(change.args.emoji);
    case "message.pin":
      return change.args.on ? says.pin : says.unpin;
    case "channel.create":
      return says["channel.create"](change.args.name);
    case "channel.update":
      return change.args.name === undefined ? says["channel.update"] : says["channel.rename"](change.args.name);
    case "channel.archive":
      return change.args.on ? says["channel.archive"] : says["channel.unarchive"];
    case "channel.members":
      return says.members(change.args.add.map(nameOf), change.args.remove.map(nameOf));
    case "member.role":
      return says.made(nameOf(change.args.user), says.roles[change.args.role]);
    case "member.activate":
      return (change.args.on ? says.activate : says.deactivate)(nameOf(change.args.user));
    default:
      return says[change.op];
  }
}

/** The person's own words in it, where there are some. */
export function textOf(change: AnyOp): string | null {
  if (change.op === "message.post" || change.op === "message.edit") return change.args.text;
  const topic = change.op === "channel.create" || change.op === "channel.update" ? change.args.topic : undefined;
  return topic === undefined || topic === "" ? null : topic;
}
