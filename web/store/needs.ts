// Which op waits for which: a refused op blocks nothing but those that need it ([OP9]), and a channel made here must be
// known to its workspace before its own room can be ([OP12]). Pure.
import type { ChannelId, MessageId, OpId } from "#protocol/ids.ts";
import { parseRoomName } from "#protocol/room-name.ts";
import type { OutboxRecord } from "./schema.ts";

/**
 * Open op → the op that must be done before it gets a number.
 * @param outbox all ops of a person, in the order written
 */
export function waits(outbox: readonly OutboxRecord[]): ReadonlyMap<OpId, OpId> {
  const waiting = new Map<OpId, OpId>();
  const creations = new Map<ChannelId, OutboxRecord>();
  const posts = new Map<MessageId, OutboxRecord>();
  const isStuck = (op: OutboxRecord | undefined): op is OutboxRecord =>
    op !== undefined && (op.refusal !== undefined || waiting.has(op.id));
  for (const op of outbox) {
    if (op.n === undefined && op.refusal === undefined) {
      const needed = neededBy(op, creations, posts, isStuck);
      if (needed !== undefined) waiting.set(op.id, needed.id);
    }
    if (op.op === "channel.create") creations.set(op.args.id, op);
    if (op.op === "message.post") posts.set(op.args.id, op);
  }
  return waiting;
}

function neededBy(
  op: OutboxRecord,
  creations: ReadonlyMap<ChannelId, OutboxRecord>,
  posts: ReadonlyMap<MessageId, OutboxRecord>,
  isStuck: (op: OutboxRecord | undefined) => op is OutboxRecord,
): OutboxRecord | undefined {
  const channel = channelOf(op);
  const creation = channel === null ? undefined : creations.get(channel);
  const isElsewhere = creation !== undefined && creation.room !== op.room;
  if (creation !== undefined && creation.id !== op.id && (isElsewhere || isStuck(creation))) return creation;
  const message = messageOf(op);
  const post = message === null ? undefined : posts.get(message);
  return isStuck(post) ? post : undefined;
}

/** The channel an op is in or about. */
export function channelOf(op: OutboxRecord): ChannelId | null {
  const room = parseRoomName(op.room);
  if (room?.party === "channel") return room.channel;
  switch (op.op) {
    case "channel.create":
    case "channel.update":
    case "channel.archive":
    case "channel.join":
    case "channel.leave":
    case "channel.members":
      return op.args.id;
    case "channel.prefs":
    case "read.set":
    case "draft.set":
      return op.args.channel;
    default:
      return null;
  }
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
