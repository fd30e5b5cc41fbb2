// What an op of the directory means beyond its entities: what channel rooms are to hear of it, which lines they write,
// whose sight changes. Stored in the same write as the op, so that nothing owed is lost ([SV1]).
import type { Entity, Unstamped } from "#protocol/entities/entity.ts";
import type { Membership } from "#protocol/entities/membership.ts";
import type { SystemLine } from "#protocol/entities/message.ts";
import type { ChannelId, MessageId, UserId } from "#protocol/ids.ts";
import type { Denial, LineOwed } from "#protocol/service.ts";
import type { OpCall } from "../engine/kind.ts";
import { isInside, type Directory } from "./directory.ts";

/** What one channel's room is to hear of. */
export interface Notice {
  readonly changed: readonly UserId[];
  readonly lines: readonly LineOwed[];
  readonly deny: readonly Denial[];
}

export interface Effects {
  readonly notices: ReadonlyMap<ChannelId, Notice>;
  /** People whose sight changed as a whole: their replicas start anew. */
  readonly resighted: readonly UserId[];
  /** People whose older tokens no longer count, wherever they were given one. */
  readonly denied: readonly Denial[];
}

export interface Maker {
  readonly directory: Directory;
  readonly actor: UserId;
  /** Epoch ms. */
  readonly at: number;
  readonly newId: () => string;
}

const NONE: Effects = { notices: new Map(), resighted: [], denied: [] };

export function effectsOf(maker: Maker, { op }: OpCall, made: readonly Unstamped[]): Effects {
  const { directory, actor } = maker;
  switch (op.op) {
    case "channel.create":
      return noticed(maker, op.args.id, membershipsOf(made), [{ type: "created" }]);
    case "channel.update":
      return noticed(maker, op.args.id, [], linesOfUpdate(directory, op.args));
    case "channel.archive":
      return noticed(maker, op.args.id, [], [{ type: "archived", on: op.args.on }]);
    case "channel.join":
    case "channel.leave":
    case "channel.members":
      return withDenials(maker, noticed(maker, op.args.id, membershipsOf(made), comingsAndGoings(made)), made);
    case "member.role":
      return roleChanged(maker, op.args.user, op.args.role);
    case "member.activate":
      return op.args.on || actor === undefined ? NONE : { ...NONE, denied: [deny(maker, op.args.user, "forbidden")] };
    default:
      return NONE;
  }
}

/** Those who come into a channel by `made`, lines and all; for people added by the edge. */
export function noticesOfJoining(maker: Maker, made: readonly Unstamped[]): Effects {
  const notices = new Map<ChannelId, Notice>();
  for (const membership of membershipsOf(made)) {
    const { notices: one } = noticed(
      maker,
      membership.channel,
      [membership],
      [{ type: "joined", user: membership.user }],
    );
    for (const [channel, notice] of one) notices.set(channel, notice);
  }
  return { ...NONE, notices };
}

function noticed(
  { actor, at, newId }: Maker,
  channel: ChannelId,
  memberships: readonly Unstamped<Membership>[],
  lines: readonly SystemLine[],
): Effects {
  const owed = lines.map((system) => ({ id: newId() as MessageId, author: actor, at, system }));
  return {
    ...NONE,
    notices: new Map([[channel, { changed: memberships.map(({ user }) => user), lines: owed, deny: [] }]]),
  };
}

function membershipsOf(made: readonly Unstamped[]): Unstamped<Membership>[] {
  return made.filter((entity) => entity.kind === "membership");
}

function comingsAndGoings(made: readonly Unstamped[]): SystemLine[] {
  return membershipsOf(made).map(({ user, deleted }) => ({
    type: deleted ? ("left" as const) : ("joined" as const),
    user,
  }));
}

function linesOfUpdate(
  { channels }: Directory,
  args: { readonly id: ChannelId; readonly name?: string; readonly topic?: string },
): SystemLine[] {
  const before = channels.get(args.id);
  if (!before) return [];
  const isRenamed = args.name !== undefined && args.name !== before.name;
  const isOther = args.topic !== undefined && args.topic !== before.topic;
  return [
    ...(isRenamed ? [{ type: "renamed" as const, name: args.name, was: before.name }] : []),
    ...(isOther ? [{ type: "topic" as const, topic: args.topic }] : []),
  ];
}

/** A guest who leaves a public channel keeps a token for it, and its room has no list of members to go by. */
function withDenials(maker: Maker, effects: Effects, made: readonly Unstamped[]): Effects {
  const { directory } = maker;
  const notices = new Map(effects.notices);
  for (const { user, channel, deleted } of membershipsOf(made)) {
    const notice = notices.get(channel);
    const role = directory.members.get(user)?.role ?? "guest";
    const isOpen = directory.channels.get(channel)?.access === "public";
    if (!deleted || !notice || !isOpen || isInside(role)) continue;
    notices.set(channel, { ...notice, deny: [...notice.deny, deny(maker, user, "unauthenticated")] });
  }
  return { ...effects, notices };
}

/** Rights given by an old token don't outlive the role; whoever now sees more or less starts anew. */
function roleChanged(maker: Maker, user: UserId, role: Parameters<typeof isInside>[0]): Effects {
  const before = maker.directory.members.get(user)?.role ?? role;
  const resighted = isInside(before) === isInside(role) ? [] : [user];
  return { ...NONE, resighted, denied: [deny(maker, user, "unauthenticated")] };
}

function deny({ at }: Maker, user: UserId, code: Denial["code"]): Denial {
  return { sub: user, at: Math.floor(at / 1_000), code };
}

/** Memberships that bring a channel into somebody's sight: its head must come with it. */
export function gained(directory: Directory, made: readonly (Unstamped | Entity)[]): ChannelId[] {
  const channels = new Set<ChannelId>();
  for (const entity of made) {
    if (entity.kind !== "membership" || entity.deleted) continue;
    const isOpen = directory.channels.get(entity.channel)?.access === "public";
    const role = directory.members.get(entity.user)?.role ?? "guest";
    if (!isOpen || !isInside(role)) channels.add(entity.channel);
  }
  return [...channels];
}
