// Rooms without a platform: storage that counts and can fail, a clock that stands still until told, sockets one can
// read. Whole workspaces with their channels run in it, and can be put to sleep or struck down at any point.
import { SignJWT } from "jose";
import type { DownFrame } from "#protocol/down.ts";
import { writeFrame } from "#protocol/frame.ts";
import type { UpFrame } from "#protocol/up.ts";
import { parseRoomName, roomIdOf, roomNameOf, type RoomName, type RoomRef } from "#protocol/room-name.ts";
import { CHANNEL } from "../channel/parts.ts";
import type { ChannelOwn } from "../channel/state.ts";
import type { CallAnswer, Connection, Host } from "../engine/host.ts";
import type { Session } from "../engine/session-state.ts";
import { startRoom, type Running } from "../engine/start.ts";
import { Verifier } from "../engine/tokens.ts";
import { problemOf, rowOf } from "#protocol/errors.ts";
import { MemoryStorage } from "./memory-storage.ts";
import { WORKSPACE } from "../workspace/parts.ts";
import type { WorkspaceOwn } from "../workspace/state.ts";

const SECRET = "a secret of the tests that is long enough";
/** Some day at noon. */
const START = Date.UTC(2026, 10, 21, 12);

/** The far end of a socket. */
export class Wire implements Connection {
  state: Session | null = null;
  readonly frames: DownFrame[] = [];
  readonly texts: string[] = [];
  closed: { code: number; reason: string } | null = null;
  readonly #room: Site;

  constructor(room: Site) {
    this.#room = room;
  }

  setState(state: Session | null): void {
    if (JSON.stringify(state).length > 1_536) throw new Error("The state of a connection is too large");
    this.state = state;
  }

  send(text: string): void {
    if (this.closed) throw new Error("Closed");
    this.texts.push(text);
    if (text.startsWith("{")) this.frames.push(JSON.parse(text) as DownFrame);
  }

  close(code: number, reason: string): void {
    this.closed ??= { code, reason };
    this.#room.forget(this);
  }

  /** Says something and waits until the room has dealt with it. */
  async say(frame: UpFrame | Record<string, unknown> | string): Promise<void> {
    const text = typeof frame === "string" ? frame : writeFrame(frame as UpFrame);
    await this.#room.running.sessions.received(this, text);
  }

  /** The network went. */
  drop(): void {
    this.closed ??= { code: 1006, reason: "" };
    this.#room.forget(this);
    this.#room.running.sessions.closed(this);
  }

  all<T extends DownFrame["t"]>(t: T): Extract<DownFrame, { t: T }>[] {
    return this.frames.filter((frame): frame is Extract<DownFrame, { t: T }> => frame.t === t);
  }

  last<T extends DownFrame["t"]>(t: T): Extract<DownFrame, { t: T }> {
    const frame = this.all(t).at(-1);
    if (!frame) throw new Error(`No ${t} among ${this.texts.join("\n")}`);
    return frame;
  }

  /** Forgets what came so far. */
  clear(): void {
    this.frames.length = 0;
    this.texts.length = 0;
  }
}

/** One room and its storage. */
export class Site {
  readonly storage = new MemoryStorage();
  readonly wires = new Set<Wire>();
  running: Running<ChannelOwn> | Running<WorkspaceOwn>;
  readonly #town: Town;
  readonly #ref: RoomRef;
  /** Timers of a life before don't ring any more. */
  #life = 0;

  constructor(town: Town, ref: RoomRef) {
    this.#town = town;
    this.#ref = ref;
    this.running = this.#start();
  }

  /** Out of memory, sockets and storage kept: hibernation. */
  sleep(): void {
    this.#life += 1;
    this.running = this.#start();
  }

  /** The process is gone, sockets and all. */
  crash(): void {
    for (const wire of this.wires) wire.closed ??= { code: 1006, reason: "" };
    this.wires.clear();
    this.sleep();
  }

  open(token: string | null = null): Wire {
    const wire = new Wire(this);
    this.wires.add(wire);
    this.running.sessions.opened(wire, token);
    return wire;
  }

  forget(wire: Wire): void {
    this.wires.delete(wire);
  }

  async ring(): Promise<void> {
    this.storage.alarm = null;
    await this.running.room.rang();
  }

  async call(method: string, action: string, body?: unknown): Promise<CallAnswer> {
    const [name = "", query = ""] = action.split("?");
    const asked = { call: `${method} ${name}`, query: new URLSearchParams(query), body: structuredClone(body) };
    const result = await this.running.call(asked);
    if (!result) return { status: 404, body: {} };
    return result.ok
      ? { status: 200, body: structuredClone(result.value) }
      : { status: rowOf(result.error.code).http ?? 500, body: problemOf(result.error) };
  }

  async http(method: string, action: string, token: string, body?: unknown): Promise<unknown> {
    const [name = "", query = ""] = action.split("?");
    const text = body === undefined ? "" : JSON.stringify(body);
    const request = { method, path: action, authorization: `Bearer ${token}`, body: async () => text };
    const result = await this.running.http.answer(request, name, new URLSearchParams(query));
    return result?.ok ? result.value : result?.error;
  }

  #start(): Running<ChannelOwn> | Running<WorkspaceOwn> {
    const verifier = new Verifier(
      [{ issuer: "causeway", audience: "causeway", role: "admin", secret: SECRET }],
      async () => Promise.reject(new Error("No keys here")),
    );
    return this.#ref.party === "channel"
      ? startRoom(this.#host(), CHANNEL, verifier)
      : startRoom(this.#host(), WORKSPACE, verifier);
  }

  #host(): Host {
    const life = this.#life;
    const town = this.#town;
    return {
      id: roomIdOf(this.#ref),
      storage: this.storage,
      connections: () => [...this.wires],
      now: () => town.now,
      randomId: () => town.newId(),
      later: (delayMs, task) => town.later(delayMs, async () => (life === this.#life ? task() : undefined)),
      call: (ref, method, action, body) => town.call(ref, method, action, body),
      log: (event, details) => town.logs.push({ event, ...details }),
    };
  }
}

interface Timer {
  readonly at: number;
  readonly task: () => Promise<void>;
}

export class Town {
  now = START;
  readonly logs: Record<string, unknown>[] = [];
  /** Calls between rooms so far. */
  calls = 0;
  /** Makes calls between rooms fail. */
  isCut = false;
  readonly #sites = new Map<RoomName, Site>();
  readonly #timers = new Set<Timer>();
  #ids = 0;
  #busy = 0;

  site(ref: RoomRef): Site {
    const name = roomNameOf(ref);
    const site = this.#sites.get(name) ?? new Site(this, ref);
    this.#sites.set(name, site);
    return site;
  }

  at(name: string): Site {
    const ref = parseRoomName(name);
    if (!ref) throw new Error(`${name} is no room`);
    return this.site(ref);
  }

  /** Of the form of a UUIDv7, in order. */
  newId(): string {
    this.#ids += 1;
    const time = this.now.toString(16).padStart(12, "0");
    const count = this.#ids.toString(16).padStart(12, "0");
    return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${count}`;
  }

  async token(
    user: string,
    ref: RoomRef,
    perms: readonly string[],
    claims: Record<string, unknown> = {},
  ): Promise<string> {
    const iat = Math.floor(this.now / 1_000);
    return new SignJWT({
      iss: "causeway",
      aud: "causeway",
      sub: user,
      iat,
      exp: iat + 3_600,
      ws: ref.workspace,
      perms: { [roomNameOf(ref)]: perms },
      ...claims,
    })
      .setProtectedHeader({ alg: "HS256", kid: "test" })
      .sign(new TextEncoder().encode(SECRET));
  }

  later(delayMs: number, task: () => Promise<void>): () => void {
    const timer = { at: this.now + delayMs, task };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  async call(ref: RoomRef, method: string, action: string, body?: unknown): Promise<CallAnswer> {
    this.calls += 1;
    this.#busy += 1;
    try {
      await Promise.resolve();
      if (this.isCut) throw new Error("Cut");
      return await this.site(ref).call(method, action, body);
    } finally {
      this.#busy -= 1;
    }
  }

  /** Lets everything that is due and on its way come to rest, without time going by. */
  async quiet(): Promise<void> {
    for (let idle = 0; idle < 3; idle += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      for (const timer of this.#timers) {
        if (timer.at > this.now) continue;
        this.#timers.delete(timer);
        await timer.task();
        idle = -1;
      }
      if (this.#busy > 0) idle = -1;
    }
  }

  /** Lets time go by, timer by timer. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    await this.quiet();
    for (;;) {
      const next = Math.min(...[...this.#timers].map(({ at }) => at));
      if (next > end) break;
      this.now = Math.max(this.now, next);
      await this.quiet();
    }
    this.now = end;
  }
}
