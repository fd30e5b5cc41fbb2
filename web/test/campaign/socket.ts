// A WebSocket between a tab and a room, as much of it as either uses: each end has a life of its own, and what one end
// knows of the other it knows by what the line carried.
import type { Connection } from "../../../party/engine/host.ts";
import type { Session } from "../../../party/engine/session-state.ts";
import type { Line, Way } from "./line.ts";
import type { SimRoom } from "./rooms.ts";

export interface SocketHooks {
  readonly roomAt: (path: string) => SimRoom;
  /** Each frame as it arrives; a control may put another in its place, or none. */
  readonly passing: (way: Way, room: SimRoom, text: string, socket: SimSocket) => string | null;
  readonly mayMangle: (text: string) => boolean;
}

/** The room's end. Its state outlives the room's sleep, and nothing outlives its process. */
export class RoomEnd implements Connection {
  state: Session | null = null;
  readonly #socket: SimSocket;
  #isClosed = false;

  constructor(socket: SimSocket) {
    this.#socket = socket;
  }

  setState(state: Session | null): void {
    const text = JSON.stringify(state);
    if (text.length > 1_536) throw new Error("The state of a connection is too large");
    this.state = JSON.parse(text) as Session | null;
  }

  send(text: string): void {
    if (this.#isClosed) throw new Error("Closed");
    this.#socket.down(text);
  }

  close(code: number, _reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#socket.closedByRoom(code);
  }

  /** The process that held it is gone: as a rule the machine still says so. */
  lost(): void {
    this.#isClosed = true;
    this.#socket.roomLost();
  }

  ended(): void {
    this.#isClosed = true;
  }
}

export class SimSocket extends EventTarget {
  binaryType = "blob";
  readyState: number = 0;
  readonly url: string;
  /** When the last frame of each way arrives: what follows comes behind it. */
  readonly last: Record<Way, number> = { up: 0, down: 0 };
  /** Swallowed, and perhaps only late. */
  readonly held: Record<Way, (() => void)[]> = { up: [], down: [] };
  /** Looks open and carries nothing. */
  isZombie = false;
  readonly line: Line;
  readonly #hooks: SocketHooks;
  readonly #room: SimRoom;
  #end: RoomEnd | null = null;

  constructor(url: string, line: Line, hooks: SocketHooks) {
    super();
    this.url = url;
    this.line = line;
    this.#hooks = hooks;
    this.#room = hooks.roomAt(new URL(url).pathname);
    line.sockets.add(this);
    line.loop.later(1 + line.random.below(line.weather.delayMs), () => this.#open());
  }

  get isBroken(): boolean {
    return this.readyState === 3;
  }

  #open(): void {
    if (this.readyState !== 0) return;
    // On a line that hangs nothing is said, and the client gives up by itself.
    if (this.line.state === "down" || this.line.state === "portal") return this.break();
    if (!this.line.mayOpen) return void this.held.up.push(() => this.#open());
    this.#end = new RoomEnd(this);
    this.readyState = 1;
    this.#room.opened(this.#end);
    this.dispatchEvent(new Event("open"));
  }

  /** From the client. */
  send(text: string): void {
    if (this.readyState !== 1) return;
    this.#carry("up", text, (passed) => {
      if (this.#end !== null) this.#room.received(this.#end, passed);
    });
  }

  /** From the room. */
  down(text: string): void {
    this.#carry("down", text, (passed) => this.dispatchEvent(new MessageEvent("message", { data: passed })));
  }

  #carry(way: Way, text: string, deliver: (text: string) => void): void {
    const go = (): void => {
      const passed = this.#hooks.passing(way, this.#room, text, this);
      if (passed !== null) deliver(passed);
    };
    this.line.carry(this, way, go, this.#hooks.mayMangle(text));
  }

  /** The tab closes it. */
  close(code = 1000): void {
    if (this.readyState >= 2) return;
    this.#roomHears(this.line.random.below(200));
    this.#ended(code);
  }

  closedByRoom(code: number): void {
    // Behind what was sent before it.
    this.line.carry(this, "down", () => this.#ended(code), false);
    this.#roomHears(this.line.random.below(200));
  }

  roomLost(): void {
    this.#end = null;
    if (this.line.random.chance(0.8)) this.line.carry(this, "down", () => this.break(), false);
    else this.isZombie = true;
  }

  /** The connection is gone: the client knows, the room learns it later. */
  break(): void {
    if (this.readyState === 3) return;
    this.#roomHears(this.line.random.chance(0.7) ? this.line.random.below(100) : this.line.random.below(40_000));
    this.#ended(1006);
  }

  /** The process that held it is gone. */
  vanish(): void {
    if (this.readyState === 3) return;
    this.#roomHears(this.line.random.below(2_000));
    this.readyState = 3;
    this.line.sockets.delete(this);
  }

  /** What was swallowed comes after all. */
  release(): void {
    for (const way of ["up", "down"] as const) {
      const late = this.held[way].splice(0);
      for (const deliver of late) this.line.carry(this, way, deliver, false);
    }
  }

  #roomHears(afterMs: number): void {
    const end = this.#end;
    if (end === null) return;
    this.#end = null;
    this.line.loop.later(afterMs, () => {
      this.#room.gone(end);
      end.ended();
    });
  }

  #ended(code: number): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.line.sockets.delete(this);
    this.dispatchEvent(Object.assign(new Event("close"), { code, reason: "", wasClean: code !== 1006 }));
  }
}
