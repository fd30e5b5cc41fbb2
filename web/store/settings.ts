// What a change sets: changes with the same setting outdate one another, whatever lies between. Pure.
import type { AnyOp } from "#protocol/ops/all.ts";

/** A name for what it sets; null where it sets nothing but makes something. */
export function settingOf(change: AnyOp): string | null {
  switch (change.op) {
    case "message.edit":
      return `text ${change.args.id}`;
    case "message.react":
      return `reaction ${change.args.id} ${change.args.emoji}`;
    case "message.pin":
      return `pin ${change.args.id}`;
    case "channel.update": {
      const { id, ...fields } = change.args;
      return `channel ${id} ${Object.keys(fields).toSorted().join(" ")}`;
    }
    case "channel.archive":
      return `archive ${change.args.id}`;
    case "channel.join":
    case "channel.leave":
      return `membership ${change.args.id}`;
    case "channel.prefs":
      return `prefs ${change.args.channel}`;
    case "member.update":
      return "profile";
    case "member.role":
      return `role ${change.args.user}`;
    case "member.activate":
      return `active ${change.args.user}`;
    case "read.set":
    case "draft.set":
      return `${change.op} ${change.args.channel} ${change.args.root ?? ""}`;
    case "message.post":
    case "message.delete":
    case "channel.create":
    case "channel.members":
      return null;
  }
}

/** The change as it is with what an earlier one of the same setting still says. */
export function follows(earlier: AnyOp, change: AnyOp): AnyOp {
  if (earlier.op === "message.edit" && change.op === "message.edit")
    return { ...change, args: { ...change.args, base: earlier.args.base } };
  if (earlier.op === "channel.prefs" && change.op === "channel.prefs")
    return { ...change, args: { ...earlier.args, ...change.args } };
  if (earlier.op === "member.update" && change.op === "member.update")
    return { ...change, args: { ...earlier.args, ...change.args } };
  return change;
}
