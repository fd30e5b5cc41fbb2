// Which op waits for which: a refused op blocks nothing but those that need it ([OP9]), a channel made here must be
// known to its workspace before its own room can be ([OP12]), and rooms answer apart, so what opens a channel goes before
// what is written in it, and what closes it after. Pure.
import type { ChannelId, MessageId, OpId } from "#protocol/ids.ts";
import { channelOf } from "./op-channel.ts";
import type { OutboxRecord } from "./schema.ts";
import { settingOf } from "./settings.ts";

/** Asked by several at each change of an outbox, which may be long. */
const known = new WeakMap<readonly OutboxRecord[], ReadonlyMap<OpId, OpId>>();

/**
 * Open op → the op that must be done before it gets a number.
 * @param outbox all ops of a person, in the order written; the same array is the same outbox
 */
export function waits(outbox: readonly OutboxRecord[]): ReadonlyMap<OpId, OpId> {
  const waiting = known.get(outbox) ?? waitsOf(outbox);
  known.set(outbox, waiting);
  return waiting;
}

function waitsOf(outbox: readonly OutboxRecord[]): ReadonlyMap<OpId, OpId> {
  const waiting = new Map<OpId, OpId>();
  /** Refused, or waiting for what is: nobody knows whether they will ever go. */
  const stuck = new Set<OpId>();
  const creations = new Map<ChannelId, OutboxRecord>();
  const openings = new Map<ChannelId, OutboxRecord>();
  const written = new Map<ChannelId, OutboxRecord>();
  const posts = new Map<MessageId, OutboxRecord>();
  /** By what they set, on their way: what one did next was done on top of it, so its answer's rev is the next one's base, and its text what that grew out of. */
  const underWay = new Map<string, OutboxRecord>();

  const neededBy = (op: OutboxRecord): OutboxRecord | undefined => {
    const channel = channelOf(op);
    if (channel === null) return undefined;
    const isWithin = op.room.startsWith("channel:");
    const creation = creations.get(channel);
    if (creation !== undefined && (isWithin || stuck.has(creation.id))) return creation;
    const setting = basedSetting(op);
    // An emptied draft grew out of nothing: what was sent mustn't stand on the person's other devices meanwhile.
    const isEmptied = op.op === "draft.set" && op.args.text === "";
    const before = setting === null || isEmptied ? undefined : underWay.get(setting);
    if (!isWithin) return closes(op) ? written.get(channel) : before;
    const message = messageOf(op);
    const post = message === null ? undefined : posts.get(message);
    // Behind it stands one that was given back, and what answers that may wait for it.
    if (
      post !== undefined &&
      (waiting.has(post.id) || stuck.has(post.id) || (post.place > op.place && post.n === undefined))
    )
      return post;
    return before ?? openings.get(channel);
  };

  for (const op of outbox) if (op.op === "message.post") posts.set(op.args.id, op);
  for (const op of outbox) {
    const needed = op.n === undefined && op.refusal === undefined ? neededBy(op) : undefined;
    if (needed !== undefined) waiting.set(op.id, needed.id);
    const isStuck = op.refusal !== undefined || (needed !== undefined && stuck.has(needed.id));
    if (isStuck) stuck.add(op.id);
    const channel = channelOf(op);
    if (op.op === "channel.create") creations.set(op.args.id, op);
    // Who else may have opened it, where this one may not: the channel's room says so.
    else if (op.op === "channel.archive" && !op.args.on && !isStuck) openings.set(op.args.id, op);
    const setting = basedSetting(op);
    if (setting !== null && !isStuck) underWay.set(setting, op);
    if (channel !== null && !isStuck && op.room.startsWith("channel:")) written.set(channel, op);
  }
  return waiting;
}

/** What an op sets that names what it was written on top of; null for all others. */
function basedSetting(op: OutboxRecord): string | null {
  return "base" in op.args || op.op === "draft.set" ? settingOf(op) : null;
}

/** Whether one can't write in the channel any more once it is done. */
function closes(op: OutboxRecord): boolean {
  return op.op === "channel.leave" || (op.op === "channel.archive" && op.args.on);
}

/** Unsent ops that make no sense if this one never comes about, in the order written. */
export function needing(outbox: readonly OutboxRecord[], gone: OutboxRecord): readonly OutboxRecord[] {
  const others = outbox.filter(({ id, n }) => id !== gone.id && n === undefined);
  if (gone.op === "channel.create") return others.filter((op) => channelOf(op) === gone.args.id);
  if (gone.op === "message.post") return others.filter((op) => op.room === gone.room && messageOf(op) === gone.args.id);
  return [];
}

/** The message that must be there for the op to make sense. */
function messageOf(op: OutboxRecord): MessageId | null {
  switch (op.op) {
    case "message.post":
      return op.args.root ?? null;
    case "message.edit":
    case "message.delete":
    case "message.react":
    case "message.pin":
      return op.args.id;
    default:
      return null;
  }
}
