// What becomes of a new change while ops it concerns are still open: it changes, replaces or removes them, for nobody has
// seen them yet ([OP10]). Behind a numbered op it is an op of its own; what would be without effect is none. Pure.
import type { AnyOp } from "#protocol/ops/all.ts";
import type { MessageId, UserId } from "#protocol/ids.ts";
import type { Lookup, OpContext } from "#protocol/ops/op.ts";
import { REDUCERS } from "#protocol/ops/reducers/all.ts";
import { isAlike } from "#protocol/alike.ts";
import type { Entities, EntityKey, Kind, Unstamped } from "#protocol/entities/entity.ts";
import type { RoomName } from "#protocol/room-name.ts";
import { channelOf } from "../store/op-channel.ts";
import { entityKey, overlay } from "../store/overlay.ts";
import type { OutboxRecord } from "../store/schema.ts";
import { follows, settingOf } from "../store/settings.ts";
import { isUnseen, mayStand } from "../store/unseen.ts";
import { changesOf, takenBack, type Merged } from "./taken-back.ts";

/** What a change meets. */
export interface Around {
  /** The person's ops, in the order written. */
  readonly outbox: readonly OutboxRecord[];
  readonly room: RoomName;
  readonly me: UserId;
  /** As the room has confirmed it; at least what the change looks at ([`readsOf`]). */
  readonly confirmed: Lookup;
  /** More of it may come, as to who has just signed in again: then nothing is taken for void. */
  readonly isComing: boolean;
}

const NOTHING: Merged = { removes: [], puts: [], appends: null };

export function merge(around: Around, change: AnyOp): Merged {
  const own = around.outbox.filter((op) => op.room === around.room);
  switch (change.op) {
    case "message.delete":
      return deleted(around, own, change);
    case "message.edit":
      return edited(around, own, change);
    case "channel.update":
      return updated(around, own, change);
    case "channel.members":
      return moved(around, own, change);
    default:
      return set(around, own, change);
  }
}

/** The entities a change is merged by. */
export function readsOf(change: AnyOp, me: UserId): readonly EntityKey[] {
  return reducerOf(change).reads(change.args, contextOf(me));
}

type Change<Name extends AnyOp["op"]> = Extract<AnyOp, { readonly op: Name }>;

function deleted(around: Around, own: readonly OutboxRecord[], change: Change<"message.delete">): Merged {
  const { id } = change.args;
  const post = own.find((op) => op.op === "message.post" && op.args.id === id);
  if (post !== undefined && post.n === undefined) {
    const back = takenBack(around.outbox, post);
    // One that may have been delivered is done with here; the deletion sees to the rest ([AU4]).
    return mayStand(post) ? { ...back, appends: change, took: [post, ...changesOf(own, id)] } : back;
  }
  const before = own.filter((op) => isRefusedDeletion(op, id));
  const removes = [...before, ...changesOf(own, id)];
  const isGone = isVoid(around, without(own, removes), change);
  return isGone ? { ...NOTHING, removes } : { removes, puts: [], appends: change, ...taking(removes) };
}

/** What goes with a deletion, for it to keep: with what an earlier one kept. */
function taking(removes: readonly OutboxRecord[]): Pick<Merged, "took"> {
  const took = removes.flatMap((op) => (op.op === "message.delete" ? (op.took ?? []) : [op]));
  return took.length === 0 ? {} : { took };
}

/** The one asked for now goes in its place, else it would go on saying that the message couldn't be deleted. */
function isRefusedDeletion(op: OutboxRecord, id: MessageId): boolean {
  return op.op === "message.delete" && op.args.id === id && op.refusal !== undefined;
}

function edited(around: Around, own: readonly OutboxRecord[], change: Change<"message.edit">): Merged {
  const { id, text, mentions } = change.args;
  const post = own.find((op) => isUnseen(op) && op.op === "message.post" && op.args.id === id);
  if (post?.op !== "message.post") return set(around, own, change);
  const { mentions: _, ...rest } = post.args;
  const args = { ...rest, text, ...(mentions === undefined ? {} : { mentions }) };
  return { ...NOTHING, puts: [{ ...post, args }] };
}

/** A channel that nobody knows yet is made with its later name and topic; a refused one stays refused with them. */
function updated(around: Around, own: readonly OutboxRecord[], change: Change<"channel.update">): Merged {
  const { id, ...fields } = change.args;
  const creation = own.find(
    (op) => op.n === undefined && !mayStand(op) && op.op === "channel.create" && op.args.id === id,
  );
  const { name, topic, ...others } = fields;
  const isOfCreation = Object.keys(others).length === 0;
  if (creation?.op !== "channel.create" || !isOfCreation || !mayOvertake(around.outbox, creation, change))
    return set(around, own, change);
  const known = { ...(name === undefined ? {} : { name }), ...(topic === undefined ? {} : { topic }) };
  return { ...NOTHING, puts: [{ ...creation, args: { ...creation.args, ...known } }] };
}

/** Person by person: who was put in and is taken out again was never moved. */
function moved(around: Around, own: readonly OutboxRecord[], change: Change<"channel.members">): Merged {
  const { id } = change.args;
  const named = new Set([...change.args.add, ...change.args.remove]);
  const before = own.flatMap((op) => (isUnseen(op) && op.op === "channel.members" && op.args.id === id ? [op] : []));
  const left = before.map((op) => {
    const others = (people: readonly UserId[]): UserId[] => people.filter((user) => !named.has(user));
    return { ...op, args: { id, add: others(op.args.add), remove: others(op.args.remove) } };
  });
  const kept = left.filter(({ args }) => args.add.length + args.remove.length > 0);
  const lookup = laid(
    around,
    [...without(own, before), ...kept].toSorted((a, b) => a.place - b.place),
  );
  const isIn = (user: UserId): boolean => {
    const membership = lookup("membership", `${id}.${user}`);
    return membership !== undefined && !membership.deleted;
  };
  const add = change.args.add.filter((user) => around.isComing || !isIn(user));
  const remove = change.args.remove.filter((user) => around.isComing || isIn(user));
  return {
    removes: before.filter(({ place }) => !kept.some((op) => op.place === place)),
    puts: kept.filter((op) => !isAlike(op.args, before.find(({ place }) => place === op.place)?.args)),
    appends: add.length + remove.length === 0 ? null : { op: "channel.members", args: { id, add, remove } },
  };
}

/** A change that sets something: the last word on it counts, and none where it says what was so before. */
function set(around: Around, own: readonly OutboxRecord[], change: AnyOp): Merged {
  const setting = settingOf(change);
  const same = own.filter((op) => op.n === undefined && setting !== null && settingOf(op) === setting);
  // A refused text is somebody's words and stays; any other refused setting is outdated by the new one.
  const outdated = change.op === "message.edit" ? [] : same.filter(({ refusal }) => refusal !== undefined);
  const last = same.findLast(isUnseen);
  const merges = last !== undefined && mayOvertake(around.outbox, last, change);
  const rest = merges ? without(own, [last]) : own;
  const next = effective(around, rest, merges ? follows(last, change) : change);
  if (!merges) return { removes: outdated, puts: [], appends: next };
  return next === null
    ? { ...NOTHING, removes: [...outdated, last] }
    : { ...NOTHING, removes: outdated, puts: [{ ...last, ...next }] };
}

/** Whether nothing that was written since stands in the way of the change's taking effect at the place of `open`. */
function mayOvertake(outbox: readonly OutboxRecord[], open: OutboxRecord, change: AnyOp): boolean {
  const since = outbox.filter(({ place }) => place > open.place);
  // What was written while it was open to writing is still to get there.
  if (change.op === "channel.archive") {
    return !since.some((op) => op.room.startsWith("channel:") && channelOf(op) === change.args.id);
  }
  if (change.op !== "channel.update" || change.args.name === undefined) return true;
  // Another channel may have left the name free, or taken it, in between.
  const { id, name } = change.args;
  return !since.some((op) => {
    if (op.op === "channel.create") return op.args.name === name;
    return op.op === "channel.update" && op.args.name !== undefined && op.args.id !== id;
  });
}

/** The part of it that says anything new; null where nothing does. */
function effective(around: Around, rest: readonly OutboxRecord[], change: AnyOp): AnyOp | null {
  const left = trimmed(around, rest, change);
  return left === null || isVoid(around, rest, left) ? null : left;
}

function trimmed(around: Around, rest: readonly OutboxRecord[], change: AnyOp): AnyOp | null {
  if (around.isComing || (change.op !== "channel.prefs" && change.op !== "member.update")) return change;
  const lookup = laid(around, rest);
  const made = (args: object): readonly Unstamped[] => apply(around.me, { ...change, args } as AnyOp, lookup);
  let args: Readonly<Record<string, unknown>> = change.args;
  for (const field of Object.keys(args).filter((name) => name !== "channel")) {
    const { [field]: _, ...others } = args;
    if (isAlike(made(args), made(others))) args = others;
  }
  return Object.keys(args).some((name) => name !== "channel") ? ({ ...change, args } as AnyOp) : null;
}

/** Nothing would come of it. A message that isn't on this device may be otherwise; the directory is here as a whole. */
function isVoid(around: Around, rest: readonly OutboxRecord[], change: AnyOp): boolean {
  if (around.isComing) return false;
  const lookup = laid(around, rest);
  const [about] = readsOf(change, around.me);
  const isKnown = about?.kind !== "message" || lookup(about.kind, about.id) !== undefined;
  return isKnown && apply(around.me, change, lookup).length === 0;
}

function laid({ confirmed, me }: Around, pending: readonly OutboxRecord[]): Lookup {
  const { changed } = overlay(confirmed, pending, me);
  return <K extends Kind>(kind: K, id: string) =>
    (changed.get(entityKey(kind, id)) as Entities[K] | undefined) ?? confirmed(kind, id);
}

function apply(me: UserId, change: AnyOp, lookup: Lookup): readonly Unstamped[] {
  return reducerOf(change).apply(change.args, contextOf(me), lookup);
}

interface AnyReducer {
  readonly reads: (args: AnyOp["args"], ctx: OpContext) => readonly EntityKey[];
  readonly apply: (args: AnyOp["args"], ctx: OpContext, lookup: Lookup) => readonly Unstamped[];
}

/** The reducer that goes with the change's own arguments. */
function reducerOf(change: AnyOp): AnyReducer {
  return REDUCERS[change.op] as unknown as AnyReducer;
}

function contextOf(me: UserId): OpContext {
  return { actor: me, at: 0, rev: 0, seq: 0 };
}

function without(own: readonly OutboxRecord[], gone: readonly OutboxRecord[]): readonly OutboxRecord[] {
  return own.filter((op) => !gone.includes(op));
}
