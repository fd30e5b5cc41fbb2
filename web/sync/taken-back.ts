// What becomes of the queue when a message is taken back, by its author or by a refusal behind which they deleted it. Pure
// but for the storing of it.
import type { MessageId } from "#protocol/ids.ts";
import type { AnyOp } from "#protocol/ops/all.ts";
import { changedBy } from "../store/deleted-behind.ts";
import { needing } from "../store/needs.ts";
import { messageById } from "../store/messages.ts";
import { appendOp, isOpen, putOp, readOutboxOf, removeOp } from "../store/outbox.ts";
import { refuseOp } from "../store/outbox-course.ts";
import type { OutboxRecord } from "../store/schema.ts";
import { settingOf } from "../store/settings.ts";
import type { Refusal } from "../store/snapshots.ts";
import type { WriteTx } from "../store/tx.ts";
import { mayStand } from "../store/unseen.ts";
import { removeFound } from "./found-posts.ts";

export interface Merged {
  /** Ops that go: the change outdates them. */
  readonly removes: readonly OutboxRecord[];
  /** Ops that take something in, in their place. */
  readonly puts: readonly OutboxRecord[];
  /** What is left to be an op of its own, behind all others; null where nothing is. */
  readonly appends: AnyOp | null;
  /** What the appended one keeps, to be given back if it comes to nothing. */
  readonly took?: readonly OutboxRecord[];
}

/** Why a text stays that answers one which never came about there; it may have gone to another channel. */
const NOT_HERE: Refusal = { code: "not_found", detail: "What it answers isn't in this channel." };

/**
 * What goes and what changes when a message is taken back that was never posted: its changes go with it. Answers to it
 * are posted by themselves where nothing speaks against that, and stay in the Outbox where it was refused.
 */
export function takenBack(outbox: readonly OutboxRecord[], post: OutboxRecord): Merged {
  const hanging = needing(outbox, post);
  // It may stand there all the same: what answers it or deletes it is the room's to judge ([AU4]).
  if (mayStand(post))
    return { removes: [...hanging.filter((op) => changedBy(op) !== null), post], puts: [], appends: null };
  const replies = hanging.flatMap((op) => (op.op === "message.post" ? [op] : []));
  const freed = replies.map((reply): OutboxRecord => {
    if (!isOpen(post)) return { ...reply, refusal: NOT_HERE };
    const { root: _root, toChannel: _toChannel, ...args } = reply.args;
    return { ...reply, args };
  });
  return { removes: [...hanging.filter(({ op }) => op !== "message.post"), post], puts: freed, appends: null };
}

/**
 * What a deletion that isn't to be took along waits again, as it was, behind all else: its old place may not be used anew.
 * What was set otherwise since stays so.
 * @param refusal with which it stays, where nothing of the room goes any more
 */
export async function giveBack(tx: WriteTx, deletion: OutboxRecord, refusal?: Refusal): Promise<void> {
  const { took = [], room, place } = deletion;
  const since = took.length === 0 ? [] : (await readOutboxOf(tx, room)).filter((op) => op.place > place);
  const isOutdated = (op: OutboxRecord): boolean =>
    op.refusal === undefined && changedBy(op) !== null && since.some((other) => settingOf(other) === settingOf(op));
  for (const { place: _, version: __, ...op } of took.filter((each) => !isOutdated(each))) {
    const isRefused = refusal !== undefined && op.refusal === undefined;
    const isMaybe = op.maybeDelivered === true ? { maybeDelivered: true as const } : {};
    await appendOp(tx, isRefused ? { ...op, refusal: { ...refusal, ...isMaybe } } : op);
  }
}

/**
 * With the reason; not a post whose message is here without its answer. A deletion that didn't come about gives back what it
 * took; one that may stand does when it is given up.
 * @param isClosed nothing of the room goes any more
 */
export async function keepRefused(tx: WriteTx, op: OutboxRecord, refusal: Refusal, isClosed = false): Promise<void> {
  if (refusal.maybeDelivered === true) {
    const isHere = op.op === "message.post" && (await messageById(tx, op.room, op.args.id)) !== undefined;
    return isHere ? removeFound(tx, op) : void refuseOp(tx, op, refusal);
  }
  const { took: _, ...rest } = op;
  refuseOp(tx, rest, refusal);
  await giveBack(tx, op, isClosed ? refusal : undefined);
}

/** What of it isn't known to anybody yet, or was refused. */
export function changesOf(own: readonly OutboxRecord[], message: MessageId): readonly OutboxRecord[] {
  return own.filter((op) => op.n === undefined && changedBy(op) === message);
}

/** All of it but what is still to be appended. */
export function storeMerged(tx: WriteTx, { removes, puts }: Merged): void {
  for (const op of removes) removeOp(tx, op);
  for (const op of puts) putOp(tx, op);
}
