// From confirmed messages and the ops that wait on them to rows of the timeline. Pure; rows that nothing touched are the
// identical objects, so that a long list costs what differs.
import type { Message } from "#protocol/entities/message.ts";
import type { MessageId, UserId } from "#protocol/ids.ts";
import { WRITTEN_SHOWN_AFTER_MS } from "#protocol/limits.ts";
import { isAlike } from "#protocol/alike.ts";
import { entityKey, overlay } from "./overlay.ts";
import { isWaitingChange } from "./waiting-change.ts";
import type { OutboxRecord } from "./schema.ts";
import type { Delivery, Refusal } from "./snapshots.ts";
import type { Quote, Reaction, RefusedChange, TimelineMessage } from "./timeline-snapshots.ts";

export interface RowContext {
  readonly me: UserId;
  readonly manages: boolean;
  readonly mayWrite: boolean;
  readonly mayPin: boolean;
  /** How long an author may edit; null for ever. */
  readonly editWindowMs: number | null;
  readonly now: number;
  /** Messages by id, also outside the window: a quote's root may be far up. */
  readonly messageOf: (id: MessageId) => Message | undefined;
  readonly deliveryOf: (op: OutboxRecord) => Delivery;
}

/** What the rows before were made of. */
export interface RowCache {
  readonly rows: Map<
    MessageId,
    {
      readonly of: Message;
      readonly root: Message | undefined;
      readonly row: TimelineMessage;
      /** It says of an op as well. */
      readonly isTouched: boolean;
    }
  >;
  readonly context: string;
}

export function emptyCache(): RowCache {
  return { rows: new Map(), context: "" };
}

/** Those without an op waiting come from the cache where message and root are the same objects as before. */
export function timelineRows(
  confirmed: readonly Message[],
  pending: readonly OutboxRecord[],
  context: RowContext,
  cache: RowCache,
): { readonly rows: readonly TimelineMessage[]; readonly cache: RowCache } {
  const laid = overlay((kind, id) => (kind === "message" ? lookedUp(context, id) : undefined), pending, context.me);
  const touching = Map.groupBy(pendingByMessage(laid.touches, pending), ({ id }) => id);
  const contextKey = `${context.manages} ${context.mayWrite} ${context.mayPin} ${context.editWindowMs}`;
  const known: RowCache["rows"] = contextKey === cache.context ? cache.rows : new Map();
  const next: RowCache["rows"] = new Map();
  const add = (message: Message): TimelineMessage => {
    const ops = touching.get(message.id);
    const root = message.root === undefined ? undefined : laidMessage(laid.changed, context, message.root);
    const last = known.get(message.id);
    const isSettled = ops === undefined && context.editWindowMs === null;
    if (last !== undefined && isSettled && !last.isTouched && last.of === message && last.root === root) {
      next.set(message.id, last);
      return last.row;
    }
    const made = rowOf(message, root, ops?.map(({ op }) => op) ?? [], context);
    const row = last !== undefined && isAlike(last.row, made) ? last.row : made;
    next.set(message.id, { of: message, root, row, isTouched: ops !== undefined });
    return row;
  };
  const isConfirmed = new Set(confirmed.map(({ id }) => id));
  const placed = confirmed.map((message) => add(laidMessage(laid.changed, context, message.id) ?? message));
  const waiting = [...laid.changed.values()]
    .filter((entity): entity is Message => entity.kind === "message" && entity.seq === 0 && !isConfirmed.has(entity.id))
    .map(add);
  return { rows: [...placed, ...waiting], cache: { rows: next, context: contextKey } };
}

function lookedUp(context: RowContext, id: string): never | undefined {
  // The overlay asks by kind; only messages are known here.
  return context.messageOf(id as MessageId) as never;
}

function laidMessage(changed: ReadonlyMap<string, unknown>, context: RowContext, id: MessageId): Message | undefined {
  // Most of the time nothing waits, and a name for each of ten thousand is felt.
  const waiting = changed.size === 0 ? undefined : (changed.get(entityKey("message", id)) as Message | undefined);
  return waiting ?? context.messageOf(id);
}

interface Touching {
  readonly id: MessageId;
  readonly op: OutboxRecord;
}

/** Touched by the overlay, and refused changes, which show no effect but must show their reason. */
function pendingByMessage(
  touches: readonly { readonly key: string; readonly op: OutboxRecord }[],
  pending: readonly OutboxRecord[],
): Touching[] {
  const own = touches.flatMap(({ key, op }) => {
    const id = key.slice("message/".length) as MessageId;
    // A reply also touches its root, whose count it raises; the root itself waits for nothing.
    return op.op === "message.post" && op.args.id !== id ? [] : [{ id, op }];
  });
  // In a channel's room every op is of a message, and names it.
  const refused = pending.flatMap((op) =>
    op.refusal !== undefined && op.op !== "message.post" && "id" in op.args
      ? [{ id: op.args.id as MessageId, op }]
      : [],
  );
  return [...own, ...refused];
}

function rowOf(
  message: Message,
  root: Message | undefined,
  ops: readonly OutboxRecord[],
  context: RowContext,
): TimelineMessage {
  const post = ops.find(({ op }) => op === "message.post");
  const refused = ops.find(({ refusal }) => refusal !== undefined);
  const isMine = message.author === context.me;
  const live = message.deleted ? null : message;
  const isOwnWords = isMine && live !== null && live.system === undefined;
  const delivery = post === undefined ? "sent" : context.deliveryOf(post);
  const isEditable = context.editWindowMs === null || context.now - message.createdAt <= context.editWindowMs;
  const writtenAt = live?.writtenAt;
  const isLate = writtenAt !== undefined && message.createdAt - writtenAt > WRITTEN_SHOWN_AFTER_MS;
  return {
    id: message.id,
    seq: message.seq === 0 ? null : message.seq,
    author: message.author,
    isMine,
    at: message.createdAt,
    ...(isLate ? { writtenAt } : {}),
    text: live?.text ?? "",
    isDeleted: live === null,
    isEdited: live?.editedAt !== undefined,
    ...(live?.system && { system: live.system }),
    ...(message.root && { quote: quoteOf(message.root, root) }),
    replyCount: message.replies?.count ?? 0,
    reactions: reactionsOf(live?.reactions ?? {}, context.me),
    namesMe: live?.mentions?.includes(context.me) === true && !isMine,
    delivery,
    ...(refused?.refusal && { refused: refusedOf(refused, refused.refusal) }),
    ...(isMine && live?.replaced !== undefined
      ? { replaced: { text: live.replaced.text ?? null, at: live.replaced.at } }
      : {}),
    hasWaitingChange: ops.some(isWaitingChange),
    ...(live?.pinned && { pinned: live.pinned }),
    mayPin: live !== null && context.mayPin,
    mayEdit: isOwnWords && context.mayWrite && isEditable && delivery !== "refused",
    mayDelete: live !== null && (isOwnWords || context.manages) && context.mayWrite,
    rev: message.rev,
  };
}

function refusedOf(record: OutboxRecord, refusal: Refusal): RefusedChange {
  const text = "text" in record.args ? record.args.text : null;
  return { op: record.id, refusal, change: record.op, text };
}

function quoteOf(id: MessageId, root: Message | undefined): Quote {
  if (root === undefined) return { id, author: null, text: null };
  return { id, author: root.author, text: root.deleted ? null : root.text };
}

function reactionsOf(reactions: Readonly<Record<string, readonly UserId[]>>, me: UserId): readonly Reaction[] {
  return Object.entries(reactions).map(([emoji, people]) => ({ emoji, people, isMine: people.includes(me) }));
}
