// A workspace as a kind of room: the directory, everybody's own state, heads, and what it owes to channel rooms.
import type { Entity, Unstamped } from "#protocol/entities/entity.ts";
import { failure, type Failure } from "#protocol/errors.ts";
import { writeFrame } from "#protocol/frame.ts";
import type { You } from "#protocol/frames/base.ts";
import type { Heads } from "#protocol/frames/welcome.ts";
import { headOf } from "#protocol/heads.ts";
import type { ChannelId, UserId, WorkspaceId } from "#protocol/ids.ts";
import type { AnyOp } from "#protocol/ops/all.ts";
import { failed, ok, type Result } from "#protocol/result.ts";
import type { RoomRef } from "#protocol/room-name.ts";
import { readmitAll } from "../engine/admission.ts";
import { deniedBy } from "../engine/denials.ts";
import type { AdmitRequest, Change, Kind, Meant, OpCall, Viewer } from "../engine/kind.ts";
import type { Memory, Room } from "../engine/room.ts";
import { Directory } from "./directory.ts";
import { draftAsMeant, withSince } from "./drafts.ts";
import { effectsOf, gained, type Effects, type Maker, type Notice } from "./effects.ts";
import { Grants } from "./grants.ts";
import { HeadBook } from "./heads.ts";
import { OwedBook, PolicySender } from "./owed.ts";
import { permsOf, refusalOf } from "./rights.ts";
import { projected } from "./sight.ts";
import { stampMoves } from "./mover.ts";
import { withinHistory } from "./restored.ts";
import { headRow, NEW_WORKSPACE, owedRow, sightRow, type HeadRow, type SightRow, type WorkspaceOwn } from "./state.ts";

/** What outlives the memory of the room: timers and calls on their way. */
export interface Senders {
  readonly policies: PolicySender;
}

export function makeSenders(room: () => Room<WorkspaceOwn>): Senders {
  return {
    policies: new PolicySender(room, (memory) => kindOf(memory)),
  };
}

/** The memory of a workspace room holds a workspace. */
export function kindOf(memory: Memory<WorkspaceOwn>): WorkspaceKind {
  if (!(memory.kind instanceof WorkspaceKind)) throw new Error("Not a workspace");
  return memory.kind;
}

interface Parts {
  readonly directory: Directory;
  readonly heads: HeadBook;
  readonly owed: OwedBook;
  readonly sight: Map<UserId, number>;
}

export class WorkspaceKind implements Kind<WorkspaceOwn> {
  own: WorkspaceOwn;
  readonly id: WorkspaceId;
  readonly directory: Directory;
  readonly book: HeadBook;
  readonly owed: OwedBook;
  readonly grants: Grants;
  readonly snapshots = null;
  readonly floor = 0;
  readonly #room: Room<WorkspaceOwn>;
  readonly #sight: Map<UserId, number>;
  readonly #senders: Senders;
  /** Set by a step that changed members, until it is enforced; and once for whatever happened before this memory. */
  #areRightsNew = true;
  readonly #resighted: UserId[] = [];
  readonly #regained: (readonly [ChannelId, HeadRow])[] = [];

  constructor(room: Room<WorkspaceOwn>, id: WorkspaceId, own: WorkspaceOwn, parts: Parts, senders: Senders) {
    this.#room = room;
    this.id = id;
    this.own = own;
    this.directory = parts.directory;
    this.book = parts.heads;
    this.owed = parts.owed;
    this.#sight = parts.sight;
    this.grants = new Grants(room.host);
    this.#senders = senders;
  }

  get isBorn(): boolean {
    return this.own.general !== null;
  }

  context(_actor: UserId, now: number): { at: number; seq: number } {
    return { at: now, seq: 0 };
  }

  async birth(): Promise<Result<null, Failure>> {
    return failed(failure("not_found"));
  }

  admit({ user, perms, iat, sid }: AdmitRequest): Result<You, Failure> {
    const denied = deniedBy(this.own.deny, { user, iat, sid });
    if (denied) return failed(failure(denied));
    const member = this.directory.active(user);
    if (!member) return failed(failure("forbidden"));
    const can = permsOf(member.role).filter((perm) => perms.includes(perm));
    return can.includes("read") ? ok({ user, role: member.role, can }) : failed(failure("forbidden"));
  }

  meant(op: AnyOp, user: UserId): Promise<Meant> {
    return draftAsMeant(this.#room.host.storage, op, user);
  }

  refusal(call: OpCall): Failure | null {
    return refusalOf(this.directory, call);
  }

  change(call: OpCall, made: readonly Unstamped[]): Change<WorkspaceOwn> {
    const { actor, at, rev } = call.ctx;
    const standing = withSince(call, withinHistory(this.book, call, made));
    if (standing.length === 0) return { entities: [] };
    const entities = isOwnState(call.op) ? this.#withMoves(actor, standing) : standing;
    const effects = effectsOf(this.maker(actor, at), call, entities);
    return this.changeWith(entities, effects, rev);
  }

  /** Read positions that posts moved, as a step. @param rev the rev they will be stamped with */
  stamping(reads: readonly Unstamped[], rev: number): Change<WorkspaceOwn> {
    return this.changeWith(reads, { notices: new Map(), resighted: [], denied: [] }, rev);
  }

  async reconsider(): Promise<Result<null, Failure>> {
    return ok(null);
  }

  async relearn(): Promise<null> {
    return null;
  }

  async arrived(memory: Memory<WorkspaceOwn>, user: UserId): Promise<void> {
    if (this.book.due(user, 1).length > 0) await stampMoves(this.#room, memory, this, user);
  }

  maker(actor: UserId, at: number): Maker {
    return { directory: this.directory, actor, at, newId: () => this.#room.host.randomId() };
  }

  /** The entities with all they mean for others, to be written at once. @param rev the rev they will be stamped with */
  changeWith(entities: readonly Unstamped[], effects: Effects, rev: number): Change<WorkspaceOwn> {
    const notices = this.#withDenials(effects);
    const now = this.#room.host.now();
    const owed = [...notices].map(([channel, notice]) => [channel, this.owed.with(channel, notice, rev, now)] as const);
    const regained = this.#headsAgain(entities);
    const rows = Object.fromEntries<unknown>([
      ...owed.map(([channel, row]) => [owedRow(channel), row] as const),
      ...regained.map(([channel, row]) => [headRow(channel), row] as const),
      ...effects.resighted.map((user) => [sightRow(user), rev] as const),
    ]);
    return {
      entities,
      rows,
      owes: owed.length > 0,
      after: (stamped) => {
        this.directory.learn(stamped);
        this.#forgetMoves(stamped);
        for (const [channel, row] of owed) this.owed.set(channel, row);
        for (const [channel, row] of regained) this.book.set(channel, row);
        this.#regained.push(...regained);
        for (const user of effects.resighted) this.#sight.set(user, rev);
        this.#areRightsNew ||= stamped.some(({ kind }) => kind === "member");
        this.#resighted.push(...effects.resighted);
      },
    };
  }

  project(entity: Entity, viewer: Viewer): readonly Entity[] {
    return projected(this.directory, entity, viewer);
  }

  audience({ user, role }: Viewer): string {
    return `${role} ${user}`;
  }

  seesPerson(user: UserId, viewer: Viewer): boolean {
    return this.directory.seesPerson(user, viewer);
  }

  sightSince(user: UserId): number {
    return this.#sight.get(user) ?? 0;
  }

  heads(since: number, viewer: Viewer, maxBytes: number): Heads {
    return this.book.since(since, (channel) => this.directory.sees(channel, viewer), maxBytes);
  }

  enforce(): void {
    if (!this.#areRightsNew) return;
    this.#areRightsNew = false;
    readmitAll(this.#room, this);
    for (const user of this.#resighted.splice(0)) this.#room.broadcast.reset(user, this.sightSince(user));
  }

  settle(): void {
    for (const [channel, row] of this.#regained.splice(0)) this.tellHead(channel, row);
    this.#senders.policies.soon(this.owed);
  }

  /** To everybody who sees the channel and listens. */
  tellHead(channel: ChannelId, row: HeadRow, author?: UserId): void {
    const by = author === undefined ? {} : { author };
    const text = writeFrame({ t: "signal", kind: "bump", channel, ...headOf(row), ...by, counter: row.counter });
    this.#room.broadcast.signal(text, (session) => this.directory.sees(channel, session));
  }

  get owes(): boolean {
    return this.owed.isDue || this.book.hasMoves;
  }

  async settleNow(): Promise<void> {
    await this.#senders.policies.now(this.owed);
    await this.#room.alone((memory) => stampMoves(this.#room, memory, kindOf(memory)));
  }

  /** What the person's posts moved goes along with whatever they do here. */
  #withMoves(actor: UserId, made: readonly Unstamped[]): readonly Unstamped[] {
    const moved = made.map((one) => this.#withMove(one));
    const ids = new Set(moved.filter(({ kind }) => kind === "read").map(({ id }) => id));
    return [...moved, ...this.book.due(actor, MOVES_PER_OP).filter(({ id }) => !ids.has(id))];
  }

  /** One's own post counts as read though the device that says so hadn't heard of it. */
  #withMove(made: Unstamped): Unstamped {
    if (made.kind !== "read" || made.root !== undefined || made.unreadRev !== undefined) return made;
    const move = this.book.moveOf(made.channel, made.user);
    return move ? { ...made, seq: Math.max(made.seq, move.seq) } : made;
  }

  #forgetMoves(stamped: readonly Entity[]): void {
    for (const entity of stamped) {
      if (entity.kind === "read" && entity.root === undefined) this.book.settled(entity.channel, entity.user);
    }
  }

  #withDenials({ notices, denied }: Effects): ReadonlyMap<ChannelId, Notice> {
    const all = new Map(notices);
    for (const denial of denied) {
      for (const channel of this.grants.of(denial)) {
        const notice = all.get(channel) ?? { changed: [], lines: [], deny: [] };
        all.set(channel, { ...notice, deny: [...notice.deny, denial] });
      }
    }
    return all;
  }

  /** Whoever gains sight of a channel may have a later counter than its head: the head is told again. */
  #headsAgain(entities: readonly Unstamped[]): (readonly [ChannelId, HeadRow])[] {
    let counter = this.book.nextCounter;
    const again: (readonly [ChannelId, HeadRow])[] = [];
    for (const channel of gained(this.directory, entities)) {
      const head = this.book.get(channel);
      if (head) again.push([channel, { ...head, counter: counter++ }]);
    }
    return again;
  }
}

/** Moves that go along with an op of their author's. */
const MOVES_PER_OP = 10;

/** Ops about nothing but one's own state: what else they bring is seen by nobody but oneself either. */
function isOwnState({ op }: OpCall["op"]): boolean {
  return op === "read.set" || op === "draft.set" || op === "channel.prefs";
}

export async function makeWorkspace(
  room: Room<WorkspaceOwn>,
  ref: RoomRef,
  own: WorkspaceOwn | null,
  senders: Senders,
): Promise<WorkspaceKind> {
  if (ref.party !== "workspace") throw new Error("Not a workspace's id");
  const { storage } = room.host;
  const prefix = sightRow("" as UserId);
  const sight = await storage.list({ prefix });
  const parts = {
    directory: await Directory.load(storage),
    heads: await HeadBook.load(storage),
    owed: await OwedBook.load(storage),
    sight: new Map([...sight].map(([key, rev]) => [key.slice(prefix.length) as UserId, rev as SightRow])),
  };
  const kind = new WorkspaceKind(room, ref.workspace, own ?? NEW_WORKSPACE, parts, senders);
  await kind.grants.load();
  return kind;
}
