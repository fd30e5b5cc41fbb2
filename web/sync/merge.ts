// What becomes of a new change while ops it concerns are still open: it changes, replaces or removes them, for nobody
// has seen them yet ([OP10]). Behind a numbered op it is an op of its own. Pure.
import type { AnyOp } from "#protocol/ops/all.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { isOpen } from "../store/outbox.ts";
import type { OutboxRecord } from "../store/schema.ts";

export interface Merged {
  /** Open ops that go: the change outdates them. */
  readonly removes: readonly OutboxRecord[];
  /** An open op that takes the change in, in its place. */
  readonly replaces?: { readonly record: OutboxRecord; readonly by: AnyOp };
  /** Whether the change is still an op of its own. */
  readonly appends: boolean;
}

const APPEND: Merged = { removes: [], appends: true };

/** @param outbox the person's ops, in the order written */
export function merge(outbox: readonly OutboxRecord[], room: RoomName, change: AnyOp): Merged {
  const own = outbox.filter((op) => op.room === room);
  const open = own.filter(isOpen);
  switch (change.op) {
    case "message.edit":
      return edited(own, open, change);
    case "message.delete":
      return deleted(own, open, change.args.id);
    case "message.react":
      return reacted(open, change);
    case "channel.prefs":
      return preferred(open, change);
    default:
      return APPEND;
  }
}

type Change<Name extends AnyOp["op"]> = Extract<AnyOp, { readonly op: Name }>;

function edited(own: readonly OutboxRecord[], open: readonly OutboxRecord[], change: Change<"message.edit">): Merged {
  const { id, text, mentions } = change.args;
  const post = open.find((op) => op.op === "message.post" && op.args.id === id);
  const isBehind = own.some(
    (op) => !isOpen(op) && op.op === "message.edit" && op.args.id === id && op.refusal === undefined,
  );
  if (post?.op === "message.post") {
    const { mentions: _, ...rest } = post.args;
    const args = { ...rest, text, ...(mentions === undefined ? {} : { mentions }) };
    return { removes: [], replaces: { record: post, by: { op: "message.post", args } }, appends: false };
  }
  const edit = open.find((op) => op.op === "message.edit" && op.args.id === id);
  if (edit?.op !== "message.edit" || isBehind) return APPEND;
  return {
    removes: [],
    replaces: { record: edit, by: { ...change, args: { ...change.args, base: edit.args.base } } },
    appends: false,
  };
}

/** What waits on the message goes with it; the message itself too, if it never left. */
function deleted(own: readonly OutboxRecord[], open: readonly OutboxRecord[], id: string): Merged {
  const isOfIt = (op: OutboxRecord): boolean =>
    (op.op === "message.edit" || op.op === "message.react") && op.args.id === id;
  const post = own.find((op) => op.op === "message.post" && op.args.id === id);
  const mayGo =
    post !== undefined && (isOpen(post) || (post.refusal !== undefined && post.refusal.maybeDelivered !== true));
  const removes = open.filter(isOfIt);
  return mayGo ? { removes: [...removes, post], appends: false } : { removes, appends: true };
}

function reacted(open: readonly OutboxRecord[], change: Change<"message.react">): Merged {
  const { id, emoji, on } = change.args;
  const before = open.find((op) => op.op === "message.react" && op.args.id === id && op.args.emoji === emoji);
  if (before?.op !== "message.react") return APPEND;
  // On and off again, neither ever seen: nothing happened.
  return before.args.on === on ? { removes: [], appends: false } : { removes: [before], appends: false };
}

function preferred(open: readonly OutboxRecord[], change: Change<"channel.prefs">): Merged {
  const before = open.find((op) => op.op === "channel.prefs" && op.args.channel === change.args.channel);
  if (before?.op !== "channel.prefs") return APPEND;
  const by: AnyOp = { op: "channel.prefs", args: { ...before.args, ...change.args } };
  return { removes: [], replaces: { record: before, by }, appends: false };
}
