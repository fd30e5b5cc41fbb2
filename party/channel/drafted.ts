// A draft stands on all devices of a person. Sent on two of them, of which one had no network and couldn't know, it is one
// message: what comes second is that one under another name, by which its device goes on speaking of it ([OP18]).
import type { Message } from "#protocol/entities/message.ts";
import type { DeviceId, MessageId, UserId } from "#protocol/ids.ts";
import { DRAFTS_REMEMBERED_MAX } from "#protocol/limits.ts";
import type { AnyOp } from "#protocol/ops/all.ts";
import type { RoomStorage } from "../engine/host.ts";
import { entityRow, keyOf } from "../engine/keys.ts";
import type { Meant } from "../engine/kind.ts";

/** What a person sent of their drafts, oldest first. */
type Sent = readonly (readonly [draft: number, device: DeviceId, message: MessageId])[];

const sentRow = (user: UserId): string => `t:${user}`;
/** Nobody else has heard of the other name. */
const nameRow = (user: UserId, message: MessageId): string => `a:${user}:${message}`;
const messageRow = (id: MessageId): string => entityRow(keyOf({ kind: "message", id }));

/** Only inside `alone`. The op itself, where it is meant as it stands. */
export async function asMeant(storage: RoomStorage, op: AnyOp, user: UserId, device: DeviceId): Promise<Meant> {
  if (op.op === "message.post" && op.args.draft !== undefined) {
    return draftAsMeant(storage, op, { user, device, draft: op.args.draft });
  }
  const names = namesIn(op);
  if (names.length === 0) return { op };
  const rows = await storage.get(names.map((name) => nameRow(user, name)));
  const meant = renamed(op, rows, user);
  return meant === op ? { op } : asUnseen(meant);
}

/**
 * Who speaks of a message by its other name has no answer to it yet, and can't know that it is another device's as well:
 * what that one said stands where theirs is deleted, and stays readable beside what theirs is edited to.
 */
function asUnseen(op: AnyOp): Meant {
  if (op.op === "message.delete") return { op, isVoid: true };
  return { op: op.op === "message.edit" ? { ...op, args: { ...op.args, base: BEFORE_ALL } } : op };
}

/** Before a message was first said. */
const BEFORE_ALL = -1;

interface Drafted {
  readonly user: UserId;
  readonly device: DeviceId;
  readonly draft: number;
}

type Post = Extract<AnyOp, { readonly op: "message.post" }>;

async function draftAsMeant(storage: RoomStorage, op: Post, { user, device, draft }: Drafted): Promise<Meant> {
  const { id, root } = op.args;
  const names = root === undefined ? [id] : [id, root];
  const rows = await storage.get([sentRow(user), messageRow(id), ...names.map((name) => nameRow(user, name))]);
  const named = renamed(op, rows, user);
  // Sent again, it is known under its own name or that of the other.
  if (rows.has(messageRow(id)) || rows.has(nameRow(user, id))) return { op: named };
  const sent = (rows.get(sentRow(user)) as Sent | undefined) ?? [];
  const other = await otherOf(storage, sent, { user, device, draft }, named.args);
  const remembered = [...sent, [draft, device, other ?? id] as const].slice(-DRAFTS_REMEMBERED_MAX);
  const written = { [sentRow(user)]: remembered };
  return other === null
    ? { op: named, rows: written }
    : { op: { ...named, args: { ...named.args, id: other } }, rows: { ...written, [nameRow(user, id)]: other } };
}

/** The message that another device made of that draft. */
async function otherOf(
  storage: RoomStorage,
  sent: Sent,
  { device, draft }: Drafted,
  args: Post["args"],
): Promise<MessageId | null> {
  const alike = sent.filter(([of]) => of === draft);
  // Who says the same twice on one device means it twice.
  if (alike.some(([, by]) => by === device)) return null;
  const keys = alike.map(([, , id]) => messageRow(id));
  const rows = await storage.get(keys);
  const standing = keys.map((key) => rows.get(key) as Message | undefined);
  return standing.findLast((message) => message !== undefined && says(message, args))?.id ?? null;
}

/** Deleted or changed since, it isn't what this one says. */
function says(standing: Message, { text, root }: Post["args"]): boolean {
  return !standing.deleted && standing.text === text && standing.root === root;
}

/** The messages that an op is about which may bear another name here. */
function namesIn({ op, args }: AnyOp): readonly MessageId[] {
  switch (op) {
    case "message.post":
      // Brought back from a note, it doesn't say any more of which draft it was.
      return args.root === undefined ? [args.id] : [args.id, args.root];
    case "message.edit":
    case "message.delete":
    case "message.react":
    case "message.pin":
      return [args.id];
    default:
      return [];
  }
}

/** The op itself, where nothing in it bears another name. */
function renamed<Op extends AnyOp>(op: Op, rows: ReadonlyMap<string, unknown>, user: UserId): Op {
  const names = namesIn(op).filter((name) => rows.has(nameRow(user, name)));
  if (names.length === 0) return op;
  const nameOf = (id: unknown): MessageId => (rows.get(nameRow(user, id as MessageId)) ?? id) as MessageId;
  const { args } = op;
  const root = "root" in args && args.root !== undefined ? { root: nameOf(args.root) } : {};
  return { ...op, args: { ...args, ...("id" in args && { id: nameOf(args.id) }), ...root } };
}
