// One connection's talk with the room: hello, then whatever frames come, each in its turn. What goes wrong on a
// connection ends that connection at most, never the room, and nothing of how it went wrong reaches the other side.
import { failure, type Failure } from "#protocol/errors.ts";
import { PING, PONG, readUpFrame, writeFrame } from "#protocol/frame.ts";
import type { DownFrame } from "#protocol/down.ts";
import type { UpFrame } from "#protocol/up.ts";
import type { Auth } from "#protocol/frames/auth.ts";
import type { Hello } from "#protocol/frames/hello.ts";
import { pageBytesOf } from "#protocol/frames/base.ts";
import { historyLimit, type HistoryAsked } from "#protocol/frames/history.ts";
import type { OpFrame, SkipFrame } from "#protocol/frames/op.ts";
import type { Pull } from "#protocol/frames/pull.ts";
import type { UserId } from "#protocol/ids.ts";
import {
  CLIENT_FRAME_MAX_BYTES,
  CONNECTIONS_MAX,
  HELLO_WITHIN_MS,
  NOT_FRAMES_MAX,
  OPS_IN_FLIGHT_MAX,
} from "#protocol/limits.ts";
import { failed, type Result } from "#protocol/result.ts";
import { parseRoom } from "#protocol/room-name.ts";
import { OLDEST_SERVED_VERSION } from "#protocol/version.ts";
import { faultOf } from "./config-error.ts";
import { sendText } from "./broadcast.ts";
import type { Connection } from "./host.ts";
import { greet, pullHeads, sendChanges } from "./greeting.ts";
import { answerOp, brokenAnswer } from "./ops.ts";
import { admit } from "./admission.ts";
import { Presence } from "./presence.ts";
import { Queue } from "./queue.ts";
import type { Memory, Room } from "./room.ts";
import { sessionOf, youOf, type Session } from "./session-state.ts";
import type { Identity, Verifier } from "./tokens.ts";

/** What is known of a connection while the room is in memory. */
interface Talk {
  /** Its frames, one after the other. */
  readonly turns: Queue;
  /** Frames that wait for their turn. */
  waiting: number;
  waitingBytes: number;
  notFrames: number;
  /** From the address. */
  token: string | null;
  /** Calls off the wait for hello. */
  greeted: (() => void) | null;
}

/** A window of ops, and what a client may ask besides; who sends more doesn't wait for answers. */
const FRAMES_WAITING_MAX = 4 * OPS_IN_FLIGHT_MAX;
const BYTES_WAITING_MAX = OPS_IN_FLIGHT_MAX * CLIENT_FRAME_MAX_BYTES;
/** Stands for a frame too large to be kept until its turn. */
const TOO_LARGE = Symbol("too large");

export class Sessions<Own> {
  readonly #room: Room<Own>;
  readonly #verifier: Verifier;
  readonly #presence: Presence<Own>;
  readonly #talks = new Map<Connection, Talk>();

  constructor(room: Room<Own>, verifier: Verifier) {
    this.#room = room;
    this.#verifier = verifier;
    this.#presence = new Presence(room);
  }

  /** @param token from the address, for clients that can't put one into hello; ours never use it */
  opened(connection: Connection, token: string | null): void {
    const count = [...this.#room.host.connections()].length;
    if (count > CONNECTIONS_MAX) {
      this.#room.broadcast.dismiss(connection, failure("rate_limited", { seconds: 30 }));
      return;
    }
    this.#talkOf(connection).token = token;
  }

  async received(connection: Connection, message: unknown): Promise<void> {
    if (message === PING) {
      sendText(connection, PONG);
      return;
    }
    if (this.#room.broadcast.isDismissed(connection)) return;
    const talk = this.#talkOf(connection);
    const size = typeof message === "string" ? bytesOfText(message) : 0;
    const text = typeof message !== "string" ? "" : size > CLIENT_FRAME_MAX_BYTES ? TOO_LARGE : message;
    const kept = text === TOO_LARGE ? 0 : size;
    if (talk.waiting >= FRAMES_WAITING_MAX || talk.waitingBytes + kept > BYTES_WAITING_MAX) {
      this.#end(connection, failure("rate_limited", { seconds: 1 }));
      return;
    }
    talk.waiting += 1;
    talk.waitingBytes += kept;
    await talk.turns.run(async () => {
      talk.waiting -= 1;
      talk.waitingBytes -= kept;
      if (this.#room.broadcast.isDismissed(connection)) return;
      try {
        await this.#take(connection, talk, text);
      } catch (error) {
        this.#broke(connection, error);
      }
    });
  }

  closed(connection: Connection): void {
    this.#talks.get(connection)?.greeted?.();
    this.#talks.delete(connection);
    this.#room.broadcast.leave(connection);
    this.#presence.left(connection);
  }

  async #take(connection: Connection, talk: Talk, text: string | typeof TOO_LARGE): Promise<void> {
    if (text === TOO_LARGE) {
      this.#end(connection, failure("too_large", { field: "A frame", limit: CLIENT_FRAME_MAX_BYTES }));
      return;
    }
    const read = readUpFrame(text);
    const session = connection.state;
    if (!read.ok || (!session && read.value.t !== "hello")) {
      if (!read.ok && read.error === "unknown" && session) return;
      talk.notFrames += 1;
      if (talk.notFrames >= NOT_FRAMES_MAX) this.#end(connection, failure("invalid", { rule: "not a frame" }));
      return;
    }
    if (read.value.t === "hello") await this.#hello(connection, talk, read.value);
    else if (session) await this.#answer(connection, session, read.value);
  }

  async #answer(connection: Connection, session: Session, frame: Exclude<UpFrame, Hello>): Promise<void> {
    if (frame.t !== "signal") await this.#paced(session.user, frame.t === "op" || frame.t === "skip" ? "op" : "read");
    switch (frame.t) {
      case "op":
      case "skip":
        return this.#op(connection, frame);
      case "pull":
        return this.#pull(connection, frame);
      case "history":
        return this.#history(connection, frame);
      case "auth":
        return this.#auth(connection, session, frame);
      case "signal":
        // A person whose token ran out isn't here any more.
        if (!this.#room.broadcast.isStanding(connection, session)) return;
        return this.#presence.signalled(connection, session, frame);
    }
  }

  async #hello(connection: Connection, talk: Talk, frame: Hello): Promise<void> {
    talk.greeted?.();
    talk.greeted = null;
    if (frame.v < OLDEST_SERVED_VERSION) return this.#end(connection, failure("upgrade_required"));
    const identity = await this.#verify(frame.token === "" ? (talk.token ?? "") : frame.token);
    if (!identity.ok) return this.#end(connection, identity.error);
    const before = connection.state;
    if (before && before.user !== identity.value.user) return this.#end(connection, failure("forbidden"));
    await this.#paced(identity.value.user, "read");
    await this.#room.alone(async (memory) => {
      const you = await admit(memory, identity.value);
      if (!you.ok) return this.#end(connection, you.error);
      await memory.kind.arrived(memory, identity.value.user);
      const sight = memory.kind.sightSince(identity.value.user);
      const session = sessionOf(identity.value, you.value, { device: frame.device, sight }, before);
      connection.setState(session);
      this.#room.broadcast.leave(connection);
      const present = this.#presence.present(memory, session, pageBytesOf(frame.bytes));
      await greet(this.#room, memory, connection, session, frame, present);
      if (!before) this.#presence.arrived(memory, connection, session);
    });
  }

  async #auth(connection: Connection, session: Session, frame: Auth): Promise<void> {
    const identity = await this.#verify(frame.token);
    if (!identity.ok) return this.#end(connection, identity.error);
    if (identity.value.user !== session.user) return this.#end(connection, failure("forbidden"));
    await this.#room.alone(async (memory) => {
      const you = await admit(memory, identity.value);
      if (!you.ok) return this.#end(connection, you.error);
      const current = connection.state ?? session;
      const renewed = { ...sessionOf(identity.value, you.value, current, current), live: current.live };
      connection.setState(renewed);
      const expiresAt = renewed.exp * 1_000;
      this.#send(connection, renewed, { t: "authed", ...echo(frame.q), expiresAt, you: youOf(renewed) });
    });
  }

  async #op(connection: Connection, frame: OpFrame | SkipFrame): Promise<void> {
    try {
      await this.#inTurn(connection, async (memory, session) => {
        const { broadcast } = this.#room;
        const { device, live } = session;
        const { answer, done } = await answerOp(this.#room, memory, { you: youOf(session), device }, frame);
        const isChanges = done !== null && live && broadcast.isOnlyBehindBy(connection, done.rev);
        this.#send(connection, session, isChanges && answer.t === "ack" ? { ...answer, from: done.rev - 1 } : answer);
        if (isChanges) broadcast.caughtUp(connection, done.rev);
        if (done) this.#room.finish(memory);
        if (answer.t === "refuse" && answer.code === "device_conflict") this.#end(connection, answer);
      });
    } catch (error) {
      if (connection.state) this.#send(connection, connection.state, brokenAnswer(this.#room, frame.n, error));
    }
  }

  #pull(connection: Connection, { q, since, heads, bytes }: Pull): Promise<void> {
    return this.#inTurn(connection, async (memory, session) => {
      const maxBytes = pageBytesOf(bytes);
      const known = { since: heads ?? 0, maxBytes };
      if (heads !== undefined) this.#send(connection, session, pullHeads(memory, session, known, echo(q)));
      if (since === undefined) return;
      await sendChanges(this.#room, memory, connection, session, { since, maxBytes }, echo(q));
    });
  }

  #history(connection: Connection, { q, before, around, limit, bytes }: HistoryAsked): Promise<void> {
    return this.#inTurn(connection, async ({ kind, stem }, session) => {
      const place = before === undefined ? { around: around ?? 0 } : { before };
      const page = kind.snapshots
        ? await kind.snapshots.history({ ...place, limit: historyLimit(limit), maxBytes: pageBytesOf(bytes) })
        : { messages: [], more: false };
      this.#send(connection, session, { t: "history", ...echo(q), ...page, rev: stem.head });
    });
  }

  /** Holds up this connection's turns, and nobody else's, until the person has asked for no more than they may. */
  async #paced(user: UserId, what: "read" | "op"): Promise<void> {
    const { host, rates } = this.#room;
    for (let waitS = rates.ask(user, what, host.now()); waitS > 0; waitS = rates.ask(user, what, host.now())) {
      await new Promise<void>((resolve) => void host.later(waitS * 1_000, async () => resolve()));
    }
  }

  /** Runs alone, with the rights that the person has at that moment; not at all if they have none any more. */
  #inTurn(connection: Connection, task: (memory: Memory<Own>, session: Session) => Promise<void>): Promise<void> {
    const { broadcast } = this.#room;
    return this.#room.alone(async (memory) => {
      const session = connection.state;
      if (!session || broadcast.isDismissed(connection) || !broadcast.isStanding(connection, session)) return;
      const you = memory.kind.admit(session);
      if (!you.ok) return this.#end(connection, you.error);
      await task(memory, { ...session, role: you.value.role, can: you.value.can });
    });
  }

  async #verify(token: string): Promise<Result<Identity, Failure>> {
    const { host, party } = this.#room;
    const ref = parseRoom(party, host.id ?? "");
    return ref ? this.#verifier.verify(token, ref, host.now()) : failed(failure("not_found"));
  }

  #send(connection: Connection, session: Session, frame: DownFrame): void {
    this.#room.broadcast.send(connection, session, writeFrame(frame));
  }

  #end(connection: Connection, error: Failure): void {
    this.#room.broadcast.dismiss(connection, error);
  }

  #broke(connection: Connection, error: unknown): void {
    const reference = this.#room.host.randomId().slice(-8);
    this.#room.host.log("internal", {
      where: "frame",
      reference,
      error: faultOf(error),
    });
    this.#end(connection, failure("internal", { reference }));
  }

  #talkOf(connection: Connection): Talk {
    const known = this.#talks.get(connection);
    if (known) return known;
    const talk: Talk = { turns: new Queue(), waiting: 0, waitingBytes: 0, notFrames: 0, token: null, greeted: null };
    if (!connection.state) {
      talk.greeted = this.#room.host.later(HELLO_WITHIN_MS, async () => this.#end(connection, failure("no_hello")));
    }
    this.#talks.set(connection, talk);
    return talk;
  }
}

function echo(q: number | undefined): { q?: number } {
  return q === undefined ? {} : { q };
}

/** Counted only where it could be too large: a unit takes at most three bytes. */
function bytesOfText(text: string): number {
  return text.length * 3 <= CLIENT_FRAME_MAX_BYTES ? text.length : new TextEncoder().encode(text).length;
}
