// A channel as a kind of room: its messages, who is let in, and what it owes the workspace room.
import type { Entity, Unstamped } from "#protocol/entities/entity.ts";
import { failure, isHeld, type Failure } from "#protocol/errors.ts";
import type { You } from "#protocol/frames/base.ts";
import type { History } from "#protocol/frames/history.ts";
import type { Snapshot } from "#protocol/frames/snapshot.ts";
import type { ChannelId, DeviceId, UserId, WorkspaceId } from "#protocol/ids.ts";
import type { AnyOp } from "#protocol/ops/all.ts";
import { failed, ok, type Result } from "#protocol/result.ts";
import type { Perm, Role } from "#protocol/roles.ts";
import type { RoomRef } from "#protocol/room-name.ts";
import { policy as policySchema } from "#protocol/service.ts";
import { parse } from "#protocol/parse.ts";
import { deniedBy } from "../engine/denials.ts";
import type { AdmitRequest, Change, HistoryPlace, Kind, Meant, OpCall, Snapshots } from "../engine/kind.ts";
import type { Memory, Room } from "../engine/room.ts";
import type { BumpSender } from "./bumps.ts";
import { asMeant } from "./drafted.ts";
import { changeOf, refusalOf } from "./messages.ts";
import { aroundThatFit, messagesAt, newestThatFit } from "./places.ts";
import { applyPolicy, MEMBER_PREFIX } from "./policy.ts";
import { NEW_CHANNEL, type ChannelOwn } from "./state.ts";

export interface ChannelRef {
  readonly party: "channel";
  readonly workspace: WorkspaceId;
  readonly channel: ChannelId;
}

/** Whoever was taken out and keeps trying costs a call so often. */
const RECONSIDER_RATE = { perSecond: 0.2, burst: 2 };
/** So do all together who write where they may not; the others are refused by what was learned just before. */
const RELEARN_RATE = { perSecond: 1, burst: 5 };
/** What was asked in vain is so long not asked again. */
const UNANSWERED_MS = 5_000;
/** In which what is allowed by what was just learned is to come again. */
const RELEARNED_S = 1;

export class ChannelKind implements Kind<ChannelOwn>, Snapshots {
  own: ChannelOwn;
  readonly ref: ChannelRef;
  /** Who is in it; only kept for private channels. */
  readonly members: Set<string>;
  readonly snapshots = this;
  readonly #room: Room<ChannelOwn>;
  readonly #bumps: BumpSender;
  /** When the present policy was last asked for in vain. Epoch ms. */
  #unansweredAt = Number.NEGATIVE_INFINITY;

  constructor(room: Room<ChannelOwn>, ref: ChannelRef, own: ChannelOwn, members: Set<string>, bumps: BumpSender) {
    this.#room = room;
    this.ref = ref;
    this.own = own;
    this.members = members;
    this.#bumps = bumps;
  }

  get isBorn(): boolean {
    return this.own.policy !== null;
  }

  get floor(): number {
    return this.own.floor;
  }

  context(_actor: UserId, now: number): { at: number; seq: number } {
    return { at: Math.max(now, this.own.lastAt), seq: this.own.seq + 1 };
  }

  /** Somebody taken in again may be here before the word of it is; their token was given by who knows. */
  async reconsider(
    memory: Memory<ChannelOwn>,
    { user, perms, iat, sid }: AdmitRequest,
  ): Promise<Result<null, Failure>> {
    const { policy, deny } = this.own;
    const isOutOnly = policy !== null && policy.access !== "public" && !policy.deleted && perms.includes("read");
    if (!isOutOnly || deniedBy(deny, { user, iat, sid }) !== null) return ok(null);
    const seconds = this.#room.rates.take(`reconsider ${user}`, RECONSIDER_RATE, this.#room.host.now());
    // Not turned away, which would be for good: nobody knows.
    return seconds > 0 ? failed(failure("rate_limited", { seconds })) : this.birth(memory);
  }

  /** What the policy forbids, a later one may allow that is on its way here, and whoever writes may have heard of it ([OP12]). */
  async relearn(memory: Memory<ChannelOwn>, { code }: Failure): Promise<Failure | null> {
    const isForbidden = (): boolean =>
      code === "archived" ? this.own.policy?.archived === true : this.own.policy?.posting === "admins";
    if ((code !== "archived" && code !== "forbidden") || !isForbidden()) return null;
    const { rates, host } = this.#room;
    // Nobody knows; and whoever asks holds up everybody here for as long as no answer comes.
    if (Math.abs(host.now() - this.#unansweredAt) < UNANSWERED_MS) return failure("upstream_unavailable");
    if (rates.take("relearn", RELEARN_RATE, host.now()) > 0) return null;
    const learned = await this.birth(memory);
    if (!learned.ok && isHeld(learned.error.code)) {
      this.#unansweredAt = host.now();
      return learned.error;
    }
    return isForbidden() ? null : failure("rate_limited", { seconds: RELEARNED_S });
  }

  async birth(memory: Memory<ChannelOwn>): Promise<Result<null, Failure>> {
    const { workspace, channel } = this.ref;
    const asked = await this.#room.host
      .call({ party: "workspace", workspace }, "GET", `policy?channel=${channel}`)
      .catch(() => null);
    if (asked?.status === 404) return failed(failure("not_found"));
    const policy = asked?.status === 200 ? parse(policySchema, asked.body) : null;
    if (!policy?.ok) return failed(failure("upstream_unavailable"));
    await applyPolicy(this.#room, memory, this, policy.value);
    return ok(null);
  }

  admit({ user, perms, iat, sid }: AdmitRequest): Result<You, Failure> {
    const { policy, deny } = this.own;
    const denied = deniedBy(deny, { user, iat, sid });
    if (denied) return failed(failure(denied));
    if (!perms.includes("read")) return failed(failure("forbidden"));
    if (!policy || policy.deleted) return failed(failure("not_found"));
    if (policy.access !== "public" && !this.members.has(user)) return failed(failure("forbidden"));
    return ok({ user, role: roleOf(perms), can: [...perms] });
  }

  async arrived(): Promise<void> {}

  meant(op: AnyOp, user: UserId, device: DeviceId): Promise<Meant> {
    return asMeant(this.#room.host.storage, op, user, device);
  }

  refusal(call: OpCall): Failure | null {
    return this.own.policy ? refusalOf(call, this.own.policy) : failure("upstream_unavailable");
  }

  change(call: OpCall, made: readonly Unstamped[]): Change<ChannelOwn> {
    return changeOf(this.own, call, made);
  }

  project(entity: Entity): readonly Entity[] {
    return [entity];
  }

  audience(): string {
    return "all";
  }

  seesPerson(): boolean {
    return true;
  }

  sightSince(): number {
    return 0;
  }

  heads(): null {
    return null;
  }

  async newest(count: number, maxBytes: number): Promise<Pick<Snapshot, "entities" | "oldest">> {
    const found = await messagesAt(this.#room.host.storage, this.own, this.own.seq - count + 1, this.own.seq);
    const entities = newestThatFit(found, maxBytes);
    return { entities, oldest: entities[0]?.seq ?? null };
  }

  async history({ before, around, limit, maxBytes }: HistoryPlace): Promise<Pick<History, "messages" | "more">> {
    const end = around === undefined ? (before ?? 1) - 1 : Math.max(around + Math.floor((limit - 1) / 2), limit);
    const to = Math.min(end, this.own.seq);
    const found = await messagesAt(this.#room.host.storage, this.own, to - limit + 1, to);
    const messages = around === undefined ? newestThatFit(found, maxBytes) : aroundThatFit(found, around, maxBytes);
    const first = messages[0]?.seq ?? 0;
    return { messages, more: first > this.own.floor };
  }

  /** Rights change by a policy alone, which enforces itself. */
  enforce(): void {}

  settle(): void {
    this.#bumps.soon(this.own);
  }

  get owes(): boolean {
    return this.own.bump !== null;
  }

  settleNow(): Promise<void> {
    return this.#bumps.nowAndStore();
  }
}

/** A channel room knows no roles, only what the token grants; the names are the nearest. */
function roleOf(perms: readonly Perm[]): Role {
  if (perms.includes("manage")) return "admin";
  return perms.includes("pin") ? "member" : "guest";
}

export async function makeChannel(
  room: Room<ChannelOwn>,
  ref: RoomRef,
  own: ChannelOwn | null,
  bumps: BumpSender,
): Promise<ChannelKind> {
  if (ref.party !== "channel") throw new Error("Not a channel's id");
  // Also where there is no stem yet: the first list may have been cut off between its slices.
  const rows = await room.host.storage.list({ prefix: MEMBER_PREFIX });
  const members = new Set([...rows.keys()].map((key) => key.slice(MEMBER_PREFIX.length)));
  return new ChannelKind(room, ref, own ?? NEW_CHANNEL, members, bumps);
}
