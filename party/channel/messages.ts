// Who may do what to a message ([OP13]), and what a change of messages means for the channel's own state. The messages
// themselves come from the reducers shared with the overlay.
import type { Unstamped } from "#protocol/entities/entity.ts";
import { countsAsUnread, type Message } from "#protocol/entities/message.ts";
import { failure, type Failure } from "#protocol/errors.ts";
import type { UserId } from "#protocol/ids.ts";
import {
  BUMP_POSTS_MAX,
  REACTION_KINDS_MAX,
  REACTION_NAMES_MAX,
  REACTIONS_MAX_BYTES,
  VERSIONS_KEPT,
} from "#protocol/limits.ts";
import type { OpArgs } from "#protocol/ops/all.ts";
import { bytesOf } from "../engine/catch-up.ts";
import type { Change, OpCall } from "../engine/kind.ts";
import { padded } from "../engine/log.ts";
import { withPlaces } from "./places.ts";
import type { ChannelOwn, ChannelPolicy } from "./state.ts";

/** Null if allowed. What already stands is never refused: sent again it is without effect ([OP4], [OP14]). */
export function refusalOf(call: OpCall, policy: ChannelPolicy): Failure | null {
  const { op } = call;
  switch (op.op) {
    case "message.post":
      return postRefusal(call, op.args, policy);
    case "message.edit":
      return editRefusal(call, op.args, policy);
    case "message.delete":
      return deleteRefusal(call, op.args, policy);
    case "message.react":
      return reactRefusal(call, op.args, policy);
    case "message.pin":
      return pinRefusal(call, op.args, policy);
    default:
      return failure("invalid", { field: "op", rule: "is not known in this room" });
  }
}

function postRefusal({ you, lookup }: OpCall, args: OpArgs<"message.post">, policy: ChannelPolicy): Failure | null {
  const standing = lookup("message", args.id);
  if (standing) return isBy(standing, you.user) ? null : failure("invalid", { field: "id", rule: "is taken" });
  const closed = writingRefusal(you.can, policy);
  if (closed) return closed;
  if (policy.posting === "admins" && !you.can.includes("manage")) return forbidden("Only admins may post here.");
  if (args.root === undefined) return null;
  const root = lookup("message", args.root);
  if (!root) return notThere("The message replied to isn't here.");
  const isRoot = root.root === undefined && (root.deleted || root.system === undefined);
  return isRoot ? null : failure("invalid", { field: "root", rule: "is not a message that can be replied to" });
}

function editRefusal(
  { you, lookup, ctx }: OpCall,
  args: OpArgs<"message.edit">,
  policy: ChannelPolicy,
): Failure | null {
  const message = lookup("message", args.id);
  if (!message || message.deleted) return notThere("The message was deleted.");
  if (!isBy(message, you.user)) return forbidden("Only its author may edit a message.");
  const closed = writingRefusal(you.can, policy);
  if (closed) return closed;
  const isLate = policy.editWindowMs !== null && ctx.at - message.createdAt > policy.editWindowMs;
  return isLate ? forbidden("The time for editing this message is over.") : null;
}

function deleteRefusal({ you, lookup }: OpCall, args: OpArgs<"message.delete">, policy: ChannelPolicy): Failure | null {
  const message = lookup("message", args.id);
  if (!message) return notThere("The message isn't here.");
  if (you.can.includes("manage")) return null;
  const isOwn = message.deleted ? message.author === you.user : isBy(message, you.user);
  if (!isOwn) return forbidden("Only its author or an admin may delete a message.");
  return message.deleted ? null : writingRefusal(you.can, policy);
}

function reactRefusal({ you, lookup }: OpCall, args: OpArgs<"message.react">, policy: ChannelPolicy): Failure | null {
  const message = lookup("message", args.id);
  if (!message || message.deleted) return notThere("The message was deleted.");
  const closed = writingRefusal(you.can, policy);
  if (closed || !args.on) return closed;
  const reactions = message.reactions ?? {};
  const people = Object.hasOwn(reactions, args.emoji) ? reactions[args.emoji] : undefined;
  if (!people && Object.keys(reactions).length >= REACTION_KINDS_MAX) {
    return failure("too_many", { field: "Different reactions on a message", limit: REACTION_KINDS_MAX });
  }
  const isFull = people !== undefined && people.length >= REACTION_NAMES_MAX && !people.includes(you.user);
  if (isFull) return failure("too_many", { field: "Names on a reaction", limit: REACTION_NAMES_MAX });
  const size = bytesOf({ ...reactions, [args.emoji]: [...(people ?? []), you.user] });
  if (size <= REACTIONS_MAX_BYTES || people?.includes(you.user) === true) return null;
  return failure("too_many", { field: "Bytes of the reactions on a message", limit: REACTIONS_MAX_BYTES });
}

function pinRefusal({ you, lookup }: OpCall, args: OpArgs<"message.pin">, policy: ChannelPolicy): Failure | null {
  const message = lookup("message", args.id);
  if (!message || message.deleted) return notThere("The message was deleted.");
  if (message.system !== undefined)
    return failure("invalid", { field: "id", rule: "is not a message that can be pinned" });
  if (!you.can.includes("pin")) return forbidden("You may not pin messages here.");
  return writingRefusal(you.can, policy);
}

function writingRefusal(can: OpCall["you"]["can"], { archived, name }: ChannelPolicy): Failure | null {
  if (!can.includes("write")) return forbidden("You may read here, not write.");
  return archived ? failure("archived", name === "" ? {} : { channel: name }) : null;
}

/** A system line names who did it as its author, and is nobody's to change. */
function isBy(message: Message, user: UserId): boolean {
  return message.author === user && (message.deleted || message.system === undefined);
}

function forbidden(detail: string): Failure {
  return { code: "forbidden", detail };
}

function notThere(detail: string): Failure {
  return { code: "not_found", detail };
}

/** What the channel writes for an op that had an effect. */
export function changeOf(own: ChannelOwn, { op, lookup }: OpCall, made: readonly Unstamped[]): Change<ChannelOwn> {
  switch (op.op) {
    case "message.post":
      return withNew(own, made, made.slice(0, 1).filter(isMessage));
    case "message.edit":
      return { entities: made, owes: true, own: bumped(own, []), ...versionRows(lookup("message", op.args.id)) };
    case "message.delete":
      return { entities: made, owes: true, own: bumped(own, []), deletes: versionKeys(lookup("message", op.args.id)) };
    default:
      return { entities: made, owes: true, own: bumped(own, []) };
  }
}

/** A step that makes messages: they take the next places. `added` is in order and part of `made`. */
export function withNew(
  own: ChannelOwn,
  made: readonly Unstamped[],
  added: readonly Unstamped<Message>[],
): Change<ChannelOwn> {
  const { places, rows } = withPlaces(
    own,
    added.map(({ id }) => id),
  );
  const seq = own.seq + added.length;
  const unread = added.filter((message) => countsAsUnread(message as Message));
  const top = unread.at(-1)?.seq ?? own.top;
  const lastAt = Math.max(own.lastAt, ...added.map(({ createdAt }) => createdAt));
  const posts = unread.map(({ seq: place, author }) => [place, author] as const);
  return { entities: made, rows, owes: true, own: bumped({ ...own, seq, top, lastAt, places }, posts) };
}

function bumped(own: ChannelOwn, posts: readonly (readonly [seq: number, author: UserId])[]): ChannelOwn {
  return { ...own, bump: { ...own.bump, posts: [...(own.bump?.posts ?? []), ...posts].slice(-BUMP_POSTS_MAX) } };
}

function isMessage(made: Unstamped): made is Unstamped<Message> {
  return made.kind === "message";
}

/** Each earlier text in a row of its own, by its number; the oldest goes when there are too many. */
function versionRows(message: Message | undefined): Pick<Change<ChannelOwn>, "rows" | "deletes"> {
  if (!message || message.deleted) return {};
  const { id, text, edits = 0, editedAt, createdAt } = message;
  const rows = { [versionKey(id, edits)]: { text, at: editedAt ?? createdAt } };
  return edits < VERSIONS_KEPT ? { rows } : { rows, deletes: [versionKey(id, edits - VERSIONS_KEPT)] };
}

function versionKeys(message: Message | undefined): string[] {
  if (!message || message.deleted) return [];
  const { id, edits = 0 } = message;
  const first = Math.max(0, edits - VERSIONS_KEPT);
  return Array.from({ length: edits - first }, (_, index) => versionKey(id, first + index));
}

function versionKey(id: string, version: number): string {
  return `v:${id}:${padded(version)}`;
}
