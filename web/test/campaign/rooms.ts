// The real rooms on a made-up platform: processes that end at any point, sleep when nothing keeps them, and call one
// another over a network of their own.
import { SignJWT } from "jose";
import { problemOf, rowOf } from "#protocol/errors.ts";
import type { UserId } from "#protocol/ids.ts";
import { parseRoomName, roomIdOf, roomNameOf, type RoomName, type RoomRef } from "#protocol/room-name.ts";
import type { ChannelOwn } from "../../../party/channel/state.ts";
import { CHANNEL } from "../../../party/channel/parts.ts";
import { legacyOf, type Device, type Legacy } from "../../../party/engine/devices.ts";
import type { CallAnswer, Host, Rows } from "../../../party/engine/host.ts";
import { devicePrefix, legacyRow } from "../../../party/engine/keys.ts";
import { startRoom, type Running } from "../../../party/engine/start.ts";
import { Verifier } from "../../../party/engine/tokens.ts";
import { WORKSPACE } from "../../../party/workspace/parts.ts";
import type { WorkspaceOwn } from "../../../party/workspace/state.ts";
import type { Seeded } from "../sim/seeded.ts";
import type { RoomEnd } from "./socket.ts";
import type { Loop } from "./loop.ts";
import { RoomDisk } from "./room-disk.ts";

const SECRET = "a secret of the simulator that is long enough";

export interface RoomsDeps {
  readonly loop: Loop;
  readonly random: Seeded;
  readonly newId: () => string;
  readonly trace: (line: string) => void;
  /** Every write of every room, as it happens. */
  readonly wrote: (room: SimRoom, puts: Rows, deletes: readonly string[]) => void;
}

export class SimRoom {
  readonly ref: RoomRef;
  readonly name: RoomName;
  readonly disk: RoomDisk;
  readonly ends = new Set<RoomEnd>();
  /** Its storage is of another history than it says. */
  isTurningBack = false;
  readonly #rooms: Rooms;
  #running: Running<ChannelOwn> | Running<WorkspaceOwn>;
  #life = 0;
  /** Steps under way and timers set: either keeps it in memory. */
  #busy = 0;
  #cancelAlarm: (() => void) | null = null;

  constructor(rooms: Rooms, ref: RoomRef) {
    this.#rooms = rooms;
    this.ref = ref;
    this.name = roomNameOf(ref);
    const { loop, random, wrote } = rooms.deps;
    this.disk = new RoomDisk(loop, random, (puts, deletes) => wrote(this, puts, deletes));
    this.#running = this.#start();
  }

  get isIdle(): boolean {
    return this.#busy === 0;
  }

  /** Out of memory, sockets and storage kept. Only while nothing keeps it in memory. */
  sleep(): boolean {
    if (!this.isIdle) return false;
    this.#begin();
    this.#rooms.deps.trace(`${this.name} sleeps`);
    return true;
  }

  /** The process is gone, whatever it was doing. */
  crash(): void {
    this.#rooms.deps.trace(`${this.name} crashes, ${this.#busy} under way`);
    const gone = [...this.ends];
    this.ends.clear();
    this.#begin();
    for (const end of gone) end.lost();
  }

  /** As when the person has come with too many others since. */
  forgetDevicesOf(user: UserId): void {
    const { rows } = this.disk;
    const devices = [...rows.keys()].filter((row) => row.startsWith(devicePrefix(user)));
    const before = (this.disk.value(legacyRow(user)) ?? []) as Legacy;
    const legacy = legacyOf(
      before,
      devices.map((row) => this.disk.value(row) as Device),
    );
    if (devices.length > 0) rows.set(legacyRow(user), JSON.stringify(legacy));
    for (const row of devices) rows.delete(row);
  }

  /** Back to what its storage held earlier; and as an operator does, it is told so until it has heard ([SV4]). */
  async restore(rows: ReadonlyMap<string, string>): Promise<void> {
    const { loop, newId, trace } = this.#rooms.deps;
    const epoch = newId();
    this.isTurningBack = true;
    this.disk.rows = new Map(rows);
    this.crash();
    for (;;) {
      const answer = await Promise.race([
        this.call("POST", "restored", { epoch }).catch(() => null),
        loop.sleep(10_000),
      ]);
      if (answer?.status === 200) break;
      trace(`${this.name} can't be told that it is restored`);
      await loop.sleep(1_000);
    }
    this.isTurningBack = false;
    trace(`${this.name} goes on as restored`);
  }

  opened(end: RoomEnd): void {
    this.ends.add(end);
    this.#running.sessions.opened(end, null);
  }

  received(end: RoomEnd, text: string): void {
    const { sessions } = this.#running;
    void this.#counted(
      sessions.received(end, text).catch(() => {
        if (this.ends.has(end)) end.close(1011, "internal");
      }),
    );
  }

  gone(end: RoomEnd): void {
    if (this.ends.delete(end)) this.#running.sessions.closed(end);
  }

  async call(method: string, action: string, body?: unknown): Promise<CallAnswer> {
    const [name = "", query = ""] = action.split("?");
    const asked = { call: `${method} ${name}`, query: new URLSearchParams(query), body: clone(body) };
    const result = await this.#counted(this.#running.call(asked) ?? Promise.resolve(null));
    if (result === null) return { status: 404, body: {} };
    return result.ok
      ? { status: 200, body: clone(result.value) }
      : { status: rowOf(result.error.code).http ?? 500, body: problemOf(result.error) };
  }

  /** As a browser would over HTTP. */
  async http(method: string, action: string, token: string, body: unknown): Promise<CallAnswer> {
    const text = body === undefined ? "" : JSON.stringify(body);
    const request = { method, path: action, authorization: `Bearer ${token}`, body: async () => text };
    const [name = "", query = ""] = action.split("?");
    const answer = this.#running.http.answer(request, name, new URLSearchParams(query));
    const result = await this.#counted(answer);
    if (result?.ok === true) return { status: 200, body: clone(result.value) };
    const error = result?.error;
    return error ? { status: rowOf(error.code).http ?? 500, body: problemOf(error) } : { status: 404, body: {} };
  }

  #begin(): void {
    this.#life += 1;
    this.#busy = 0;
    this.#running = this.#start();
    this.#setAlarm();
  }

  #counted<T>(work: Promise<T>): Promise<T> {
    const life = this.#life;
    this.#busy += 1;
    return work.finally(() => {
      if (life === this.#life) this.#busy -= 1;
    });
  }

  #setAlarm(): void {
    const { loop, trace } = this.#rooms.deps;
    this.#cancelAlarm?.();
    const { alarm } = this.disk;
    if (alarm === null) return;
    this.#cancelAlarm = loop.later(alarm - loop.now, () => {
      if (this.disk.alarm !== alarm) return;
      this.disk.alarm = null;
      trace(`${this.name} alarm`);
      void this.#counted(this.#running.room.rang());
    });
  }

  #start(): Running<ChannelOwn> | Running<WorkspaceOwn> {
    const issuer = { issuer: "causeway", audience: "causeway", role: "admin", secret: SECRET } as const;
    const verifier = new Verifier([issuer], () => Promise.reject(new Error("No keys here")));
    const host = this.#host();
    return this.ref.party === "channel" ? startRoom(host, CHANNEL, verifier) : startRoom(host, WORKSPACE, verifier);
  }

  #host(): Host {
    const life = this.#life;
    const { deps } = this.#rooms;
    const isAlive = (): boolean => life === this.#life;
    return {
      id: roomIdOf(this.ref),
      storage: this.disk.openFor(isAlive, () => this.#setAlarm()),
      connections: () => [...this.ends],
      now: () => deps.loop.now,
      randomId: deps.newId,
      later: (delayMs, task) => {
        this.#busy += 1;
        let isOver = false;
        const over = (): void => {
          if (isAlive() && !isOver) this.#busy -= 1;
          isOver = true;
        };
        const cancel = deps.loop.later(delayMs, () => {
          if (!isAlive() || isOver) return;
          void task()
            .catch(() => deps.trace(`${this.name} a timer failed`))
            .finally(over);
        });
        return () => {
          cancel();
          over();
        };
      },
      call: (ref, method, action, body) => this.#rooms.between(isAlive, ref, method, action, body),
      log: (event, details) => deps.trace(`${this.name} says ${event} ${JSON.stringify(details)}`),
    };
  }
}

/** What calls between rooms suffer: not delivered, or delivered without an answer. */
export interface CallTrouble {
  readonly lost: number;
  readonly unanswered: number;
  readonly delayMs: number;
}

export class Rooms {
  readonly deps: RoomsDeps;
  readonly all = new Map<RoomName, SimRoom>();
  trouble: CallTrouble = { lost: 0, unanswered: 0, delayMs: 4 };

  constructor(deps: RoomsDeps) {
    this.deps = deps;
  }

  at(ref: RoomRef): SimRoom {
    const name = roomNameOf(ref);
    const known = this.all.get(name) ?? new SimRoom(this, ref);
    this.all.set(name, known);
    return known;
  }

  named(name: string): SimRoom {
    const ref = parseRoomName(name);
    if (ref === null) throw new Error(`${name} is no room`);
    return this.at(ref);
  }

  /** One room calls another, while its process lives. */
  async between(
    isAlive: () => boolean,
    ref: RoomRef,
    method: string,
    action: string,
    body: unknown,
  ): Promise<CallAnswer> {
    const { loop, random } = this.deps;
    const { lost, unanswered, delayMs } = this.trouble;
    const isLost = random.chance(lost);
    const isUnanswered = random.chance(unanswered);
    await loop.sleep(1 + random.below(delayMs));
    if (isLost) throw new Error("The call was lost");
    const answer = await Promise.race([this.at(ref).call(method, action, body), loop.sleep(10_000)]);
    await loop.sleep(1 + random.below(delayMs));
    if (!isAlive()) return new Promise(() => undefined);
    if (isUnanswered || answer === undefined) throw new Error("No answer came");
    return answer;
  }

  /** As the edge signs it. @param perms room → what is allowed there */
  async token(
    user: string,
    perms: Readonly<Record<string, readonly string[]>>,
    lifeS: number,
    sid: string,
  ): Promise<string> {
    const iat = Math.floor(this.deps.loop.now / 1_000);
    return new SignJWT({ iss: "causeway", aud: "causeway", sub: user, iat, exp: iat + lifeS, ws: "w", perms, sid })
      .setProtectedHeader({ alg: "HS256", kid: "sim" })
      .sign(new TextEncoder().encode(SECRET));
  }
}

function clone<T>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);
}
