// What a change is called in a list of changes.
import type { AnyOp } from "#protocol/ops/all.ts";
import { outboxSays } from "../../ui/strings-outbox.ts";

export function describe(change: AnyOp): string {
  const { change: says } = outboxSays;
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
