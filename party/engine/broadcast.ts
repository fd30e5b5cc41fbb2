// What happened, on its way to everybody who may see it: one `changes` for all that happened within a short window
// ([SY7]), encoded once for all who see the same, and a mark for each connection of what it was last sent ([SY1]).
// Outlives the room's memory: what is committed is delivered, though a later write failed.
import type { Entity } from "#protocol/entities/entity.ts";
import { failure, rowOf, type Failure } from "#protocol/errors.ts";
import { writeFrame } from "#protocol/frame.ts";
import type { UserId } from "#protocol/ids.ts";
import { COALESCE_MS, STRAGGLER_MS } from "#protocol/limits.ts";
import type { Connection } from "./host.ts";
import { keyOf } from "./keys.ts";
import type { Kind } from "./kind.ts";
import type { Memory, Room } from "./room.ts";
import type { Session } from "./session-state.ts";

/** Where a live connection stands. */
interface Mark {
  /** The `to` it was last sent. */
  cursor: number;
  /** All up to here was looked at for it, seen or not. */
  covered: number;
}

/** Committed and not yet sent, from a rev on; the latest state of each entity. */
interface Pending {
  readonly from: number;
  to: number;
  readonly entities: Map<string, Entity>;
}

export class Broadcast<Own> {
  readonly #room: Room<Own>;
  readonly #marks = new Map<Connection, Mark>();
  readonly #dismissed = new WeakSet<Connection>();
  #pending: Pending | null = null;
  #flushedAt = 0;
  #isFlushDue = false;
  #isStragglerDue = false;
  /** The room's head as far as this has heard of it; null before anything was loaded. */
  #head: number | null = null;

  constructor(room: Room<Own>) {
    this.#room = room;
  }

  /** After hibernation all live connections stand where they stood before it: at head. */
  loaded(head: number): void {
    const known = this.#head;
    this.#head = head;
    if (known === null) {
      for (const connection of this.#room.host.connections()) {
        if (connection.state?.live) this.#marks.set(connection, { cursor: head, covered: head });
      }
    } else if (known !== head) {
      this.#missed(head);
    }
  }

  /** A write that was taken for failed was done: nothing here knows what it changed, so everybody pulls. */
  #missed(head: number): void {
    this.#pending = null;
    for (const connection of this.#marks.keys()) {
      const session = connection.state;
      this.leave(connection);
      if (!session) continue;
      connection.setState({ ...session, live: false });
      this.send(connection, session, writeFrame({ t: "changes", from: head, to: head, entities: [], more: false }));
    }
  }

  isDismissed(connection: Connection): boolean {
    return this.#dismissed.has(connection);
  }

  leave(connection: Connection): void {
    this.#marks.delete(connection);
  }

  add(rev: number, entities: readonly Entity[]): void {
    this.#head = rev;
    this.#pending ??= { from: rev - 1, to: rev, entities: new Map() };
    this.#pending.to = rev;
    for (const entity of entities) this.#pending.entities.set(keyOf(entity), entity);
  }

  /** Whether nothing but `rev` is on its way to it: then the ack may be its `changes` too ([SY3]). */
  isOnlyBehindBy(connection: Connection, rev: number): boolean {
    const mark = this.#marks.get(connection);
    return mark !== undefined && mark.cursor === rev - 1 && mark.covered === rev - 1;
  }

  /** It was sent all up to `rev`, by other means than a flush, and gets what happens after. */
  caughtUp(connection: Connection, rev: number): void {
    this.#marks.set(connection, { cursor: rev, covered: rev });
  }

  /** At the end of a step: sends at once in a quiet room, else soon. Only inside `alone`. */
  soon(memory: Memory<Own>): void {
    if (!this.#pending) return;
    // No longer where the clock was set back since.
    const waitMs = Math.min(COALESCE_MS, this.#flushedAt + COALESCE_MS - this.#room.host.now());
    if (waitMs <= 0) {
      this.#flush(memory);
      return;
    }
    if (this.#isFlushDue) return;
    this.#isFlushDue = true;
    this.#room.host.later(waitMs, () => {
      this.#isFlushDue = false;
      return this.#room.alone(async (current) => this.#flush(current));
    });
  }

  /** Passed on and not kept, to the live connections that may have it. */
  signal(text: string, isFor: (session: Session) => boolean): void {
    for (const connection of this.#marks.keys()) {
      const session = connection.state;
      if (session && isFor(session)) this.send(connection, session, text);
    }
  }

  /** What the person sees changed as a whole ([RV5]): their connections say hello again. */
  reset(user: UserId, head: number): void {
    for (const connection of this.#marks.keys()) {
      const session = connection.state;
      if (session?.user !== user) continue;
      this.leave(connection);
      connection.setState({ ...session, live: false });
      this.send(
        connection,
        session,
        writeFrame({ t: "changes", from: head, to: head, entities: [], more: false, reset: true }),
      );
    }
  }

  /** Sends a frame, or closes where the token has run out ([AU12]). False when it is gone. */
  send(connection: Connection, session: Session, text: string): boolean {
    if (!this.isStanding(connection, session)) return false;
    const isSent = sendText(connection, text);
    if (!isSent) this.leave(connection);
    return isSent;
  }

  /** Whether its token still holds; closes it where not. */
  isStanding(connection: Connection, session: Session): boolean {
    if (!this.#isExpired(session)) return true;
    this.dismiss(connection, failure("token_expired"));
    return false;
  }

  /** Says why and closes; what still comes from it is not listened to. */
  dismiss(connection: Connection, error: Failure): void {
    this.leave(connection);
    this.#dismissed.add(connection);
    sendText(connection, writeFrame({ t: "error", code: error.code, detail: error.detail }));
    connection.close(rowOf(error.code).close ?? CLOSE_INTERNAL, error.code);
  }

  /** Closes all without a reason: they come again at once, and are told where the room stands now. */
  restart(): void {
    for (const connection of this.#room.host.connections()) {
      this.leave(connection);
      this.#dismissed.add(connection);
      connection.close(CLOSE_RESTART, "restored");
    }
  }

  #isExpired({ until }: Session): boolean {
    return this.#room.host.now() > until * 1_000;
  }

  #flush({ kind }: Memory<Own>): void {
    const pending = this.#pending;
    if (!pending) return;
    this.#pending = null;
    this.#flushedAt = this.#room.host.now();
    const encoder = new Encoder(kind, pending);
    for (const [connection, mark] of this.#marks) {
      const session = connection.state;
      if (!session) continue;
      const text = encoder.textFor(session, mark);
      if (text !== null) {
        if (!this.send(connection, session, text)) continue;
        mark.cursor = pending.to;
      }
      mark.covered = pending.to;
    }
    this.#watchStragglers();
  }

  /** Whoever saw nothing of the last revs is told that there was nothing, so that all stand at head. */
  #watchStragglers(): void {
    if (this.#isStragglerDue) return;
    if (![...this.#marks.values()].some(({ cursor, covered }) => cursor < covered)) return;
    this.#isStragglerDue = true;
    this.#room.host.later(STRAGGLER_AFTER_MS, async () => {
      this.#isStragglerDue = false;
      for (const [connection, mark] of this.#marks) {
        const session = connection.state;
        if (!session || mark.cursor >= mark.covered) continue;
        const { cursor: from, covered: to } = mark;
        if (this.send(connection, session, writeFrame({ t: "changes", from, to, entities: [], more: false })))
          mark.cursor = to;
      }
    });
  }
}

/** Sooner than promised, by more than a timer is ever late. */
const STRAGGLER_AFTER_MS = STRAGGLER_MS - 1_000;
/** "network, bug": the client comes back. */
const CLOSE_INTERNAL = 1011;
const CLOSE_RESTART = 1012;

/** The frame for each connection, made once for all who stand at the same place and see the same. */
class Encoder<Own> {
  readonly #kind: Kind<Own>;
  readonly #pending: Pending;
  readonly #byAudience = new Map<string, string | null>();
  readonly #byContents = new Map<string, string>();

  constructor(kind: Kind<Own>, pending: Pending) {
    this.#kind = kind;
    this.#pending = pending;
  }

  /** Null when there is nothing that the person may see. */
  textFor(viewer: Session, { cursor, covered }: Mark): string | null {
    const audience = `${cursor} ${covered} ${this.#kind.audience(viewer)}`;
    const known = this.#byAudience.get(audience);
    if (known !== undefined) return known;
    const text = this.#encode(cursor, this.#seenBy(viewer, covered));
    this.#byAudience.set(audience, text);
    return text;
  }

  #encode(from: number, entities: Entity[]): string | null {
    if (entities.length === 0) return null;
    const contents = `${from} ${entities.map((entity) => `${keyOf(entity)}@${entity.rev}${isGone(entity)}`).join(" ")}`;
    const text =
      this.#byContents.get(contents) ?? writeFrame({ t: "changes", from, to: this.#pending.to, entities, more: false });
    this.#byContents.set(contents, text);
    return text;
  }

  #seenBy(viewer: Session, covered: number): Entity[] {
    const seen = new Map<string, Entity>();
    for (const entity of this.#pending.entities.values()) {
      if (entity.rev <= covered) continue;
      for (const visible of this.#kind.project(entity, viewer)) seen.set(keyOf(visible), visible);
    }
    return [...seen.values()];
  }
}

/** The one thing about an entity that depends on who looks. */
function isGone(entity: Entity): string {
  return entity.kind === "membership" && entity.deleted && entity.gone ? "!" : "";
}

export function sendText(connection: Connection, text: string): boolean {
  try {
    connection.send(text);
    return true;
  } catch {
    // Closed while we were writing: its close event follows, and the client catches up when it comes back.
    return false;
  }
}
