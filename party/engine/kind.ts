// What the engine asks of a kind of room: who comes in, what an op makes, who sees what. The engine keeps order,
// durability and delivery, and knows no message.
import type { Entity, Unstamped } from "#protocol/entities/entity.ts";
import type { Failure } from "#protocol/errors.ts";
import type { You } from "#protocol/frames/base.ts";
import type { Snapshot } from "#protocol/frames/snapshot.ts";
import type { History } from "#protocol/frames/history.ts";
import type { Heads } from "#protocol/frames/welcome.ts";
import type { DeviceId, UserId } from "#protocol/ids.ts";
import type { Lookup, OpContext } from "#protocol/ops/op.ts";
import type { AnyOp } from "#protocol/ops/all.ts";
import type { Result } from "#protocol/result.ts";
import type { Rows } from "./host.ts";
import type { Memory } from "./room.ts";
import type { Identity } from "./tokens.ts";

/** What one step writes, atomically. Without entities and `own` the head stays. */
export interface Change<Own> {
  readonly entities: readonly Unstamped[];
  readonly own?: Own;
  readonly rows?: Rows;
  readonly deletes?: readonly string[];
  /** Whether another room is to hear of it: then the net is there before the write is ([SV1]). */
  readonly owes?: boolean;
  /** Changes to memory, run once the write succeeded. */
  readonly after?: (stamped: readonly Entity[]) => void;
}

/** An op as it is meant in this room. */
export interface Meant {
  readonly op: AnyOp;
  /** Written beside its effect, also where it has none. */
  readonly rows?: Rows;
  /** It is to have none. */
  readonly isVoid?: true;
}

export interface OpCall {
  readonly op: AnyOp;
  readonly ctx: OpContext;
  readonly you: You;
  readonly lookup: Lookup;
}

/** Who looks: a connection's user in the present role. */
export type Viewer = Pick<You, "user" | "role">;

/** What is known of a connection or call when its rights are asked for, now and again later. */
export type AdmitRequest = Pick<Identity, "user" | "perms" | "iat" | "sid">;

export interface Kind<Own> {
  /** What the stem keeps for it; the engine sets it after a commit. */
  own: Own;
  /** Whether the room is there: a workspace was made, a channel has its policy. */
  readonly isBorn: boolean;
  /** The messages below this place are gone ([RV3]). */
  readonly floor: number;
  /** The clock and place for an op, from the room's own state. */
  context(actor: UserId, now: number): { readonly at: number; readonly seq: number };
  /** Asked on hello, on renewal, for each HTTP call, and again after every change of rights. */
  admit(asked: AdmitRequest): Result<You, Failure>;
  /** Learns what it is, if it can; `not_found` where nobody knows the room ([RM6]). */
  birth(memory: Memory<Own>): Promise<Result<null, Failure>>;
  /** Only inside `alone`, before somebody is turned away: learns what may have changed, where that could let them in. */
  reconsider(memory: Memory<Own>, asked: AdmitRequest): Promise<Result<null, Failure>>;
  /**
   * Only inside `alone`, before an op is refused: learns what may have changed. Null where the refusal stands; else why it is
   * held, for whoever sent it may not be let in any more by what was learned.
   */
  relearn(memory: Memory<Own>, refusal: Failure): Promise<Failure | null>;
  /** Only inside `alone`, before somebody is told where things stand: does what was put off until they look. */
  arrived(memory: Memory<Own>, user: UserId): Promise<void>;
  /** Only inside `alone`, of each op: what it is about may be known here by another name. */
  meant(op: AnyOp, user: UserId, device: DeviceId): Promise<Meant>;
  /** Whether one may, after arguments were parsed and entities loaded; null if so ([OP13]). */
  refusal(call: OpCall): Failure | null;
  /** What it makes beyond the reducer's entities. Only called when there are any. */
  change(call: OpCall, made: readonly Unstamped[]): Change<Own>;
  /** The entity as this viewer may see it, with whatever comes into sight by it; none if unseen ([RV5]). */
  project(entity: Entity, viewer: Viewer): readonly Entity[];
  /** A name that all viewers share who see the same of everything. */
  audience(viewer: Viewer): string;
  /** Whether the viewer may know that the person is here. */
  seesPerson(user: UserId, viewer: Viewer): boolean;
  /** Since when the viewer sees what they see: a replica begun before it must start anew ([RV5]). */
  sightSince(user: UserId): number;
  /** The newest messages instead of changes; null in a room that answers by changes from 0 ([SY4]). */
  readonly snapshots: Snapshots | null;
  /** Heads changed since the counter, as the viewer may see them; null in a channel room. */
  heads(since: number, viewer: Viewer, maxBytes: number): Heads | null;
  /** After a step was answered and before it is shown: whoever lost rights by it goes, the others learn theirs. */
  enforce(): void;
  /** After something was committed or the room was loaded: what it owes to other rooms gets on its way. */
  settle(): void;
  /** Whether other rooms aren't known to have heard of everything. */
  readonly owes: boolean;
  /** From the alarm: tries everything at once, and stores what was delivered, so that the alarm comes to rest. */
  settleNow(): Promise<void>;
}

export interface Snapshots {
  newest(count: number, maxBytes: number): Promise<Pick<Snapshot, "entities" | "oldest">>;
  history(asked: HistoryPlace): Promise<Pick<History, "messages" | "more">>;
}

/** `before` or `around`, a place each. */
export interface HistoryPlace {
  readonly before?: number;
  readonly around?: number;
  readonly limit: number;
  readonly maxBytes: number;
}
