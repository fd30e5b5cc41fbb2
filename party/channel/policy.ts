// What the workspace room says about the channel ([SV3]): kept if it is newer than what is kept; its owed lines are
// written once by their ids; whoever loses access is sent away at once ([RM5]).
import type { Unstamped } from "#protocol/entities/entity.ts";
import type { LiveMessage } from "#protocol/entities/message.ts";
import type { Policy, PolicyApplied } from "#protocol/service.ts";
import { readmitAll } from "../engine/admission.ts";
import { isSameDenial, withDenials } from "../engine/denials.ts";
import type { Change } from "../engine/kind.ts";
import { entityRow, keyOf } from "../engine/keys.ts";
import type { Memory, Room } from "../engine/room.ts";
import type { ChannelKind } from "./kind.ts";
import { withNew } from "./messages.ts";
import type { ChannelOwn, ChannelPolicy } from "./state.ts";

export const MEMBER_PREFIX = "m:";
/** Rows of one write that are members; the rest is the stem, lines and their index. */
const MEMBERS_AT_ONCE = 64;

/** Only inside `alone`, on the memory's own kind. */
export async function applyPolicy(
  room: Room<ChannelOwn>,
  memory: Memory<ChannelOwn>,
  kind: ChannelKind,
  policy: Policy,
): Promise<PolicyApplied> {
  const { own } = kind;
  const isStale = own.policy !== null && own.policy.epoch === policy.epoch && policy.rev <= own.policy.rev;
  const members = isStale ? null : membersAfter(kind, policy);
  if (members === "gap") return { rev: own.policy?.rev ?? 0, needsWhole: true, seq: own.seq };

  // Denials and lines count whatever their order: they are added, never taken back.
  const deny = withDenials(own.deny, policy.deny, room.host.now());
  const next = { ...own, deny, policy: isStale ? own.policy : policyOf(policy) };
  const lines = await newLines(room, next, policy);
  const isDenyNews = policy.deny.some((one) => !own.deny.some((known) => isSameDenial(one, known)));
  if (isStale && lines.length === 0 && !isDenyNews) {
    // It may have been stored by a write that was taken for failed, and then nobody has been sent away by it yet.
    readmitAll(room, kind);
    return { rev: own.policy?.rev ?? 0, needsWhole: false, seq: own.seq };
  }
  const change: Change<ChannelOwn> = lines.length > 0 ? withNew(next, lines, lines) : { entities: [], own: next };
  const diff = members ? differenceOf(kind.members, members) : { add: [], remove: [] };
  await commitWithMembers(room, memory, kind, change, diff);
  readmitAll(room, kind);
  room.broadcast.soon(memory);
  if (lines.length > 0) kind.settle();
  return { rev: kind.own.policy?.rev ?? 0, needsWhole: false, seq: kind.own.seq };
}

function policyOf({ rev, epoch, access, name, deleted, archived, posting, editWindowMs }: Policy): ChannelPolicy {
  return { rev, epoch, access, name, deleted, archived, posting, editWindowMs };
}

/** Null where members don't count; `gap` where a difference starts after what is kept. */
function membersAfter({ own, members }: ChannelKind, policy: Policy): ReadonlySet<string> | "gap" | null {
  if (policy.members === null) return null;
  if ("whole" in policy.members) return new Set(policy.members.whole);
  const { since, add, remove } = policy.members;
  if (own.policy === null || own.policy.epoch !== policy.epoch || own.policy.rev < since) return "gap";
  const after = new Set([...members, ...add]);
  for (const user of remove) after.delete(user);
  return after;
}

function differenceOf(before: ReadonlySet<string>, after: ReadonlySet<string>): { add: string[]; remove: string[] } {
  return {
    add: [...after].filter((user) => !before.has(user)),
    remove: [...before].filter((user) => !after.has(user)),
  };
}

async function newLines(room: Room<ChannelOwn>, own: ChannelOwn, { lines }: Policy): Promise<Unstamped<LiveMessage>[]> {
  const keys = lines.map(({ id }) => entityRow(keyOf({ kind: "message", id })));
  const known = await room.host.storage.get(keys);
  const fresh = lines.filter((_, index) => !known.has(keys[index] ?? ""));
  let { seq, lastAt } = own;
  return fresh.map(({ id, author, at, system }) => {
    seq += 1;
    // By the clock of another room: one that is ahead would make all that follows late.
    lastAt = Math.max(lastAt, Math.min(at, room.host.now()));
    return { kind: "message", id, seq, author, createdAt: lastAt, text: "", system };
  });
}

/** Long lists go in slices before the rest: until the stem is written the policy doesn't count and comes again. */
async function commitWithMembers(
  room: Room<ChannelOwn>,
  memory: Memory<ChannelOwn>,
  kind: ChannelKind,
  change: Change<ChannelOwn>,
  { add, remove }: { add: readonly string[]; remove: readonly string[] },
): Promise<void> {
  const rows = [...add.map((user) => [user, 1] as const), ...remove.map((user) => [user, 0] as const)];
  for (let start = 0; start + MEMBERS_AT_ONCE < rows.length; start += MEMBERS_AT_ONCE) {
    const { puts, deletes } = memberRows(rows.slice(start, start + MEMBERS_AT_ONCE));
    await room.host.storage.commit(puts, deletes);
  }
  const { puts, deletes } = memberRows(rows.slice(-(rows.length % MEMBERS_AT_ONCE || MEMBERS_AT_ONCE)));
  await room.commit(memory, { ...change, rows: { ...change.rows, ...puts }, deletes });
  for (const user of add) kind.members.add(user);
  for (const user of remove) kind.members.delete(user);
}

function memberRows(rows: readonly (readonly [user: string, isIn: 0 | 1])[]): {
  puts: Record<string, 1>;
  deletes: string[];
} {
  const puts: Record<string, 1> = {};
  const deletes: string[] = [];
  for (const [user, isIn] of rows) {
    if (isIn) puts[MEMBER_PREFIX + user] = 1;
    else deletes.push(MEMBER_PREFIX + user);
  }
  return { puts, deletes };
}
