// A line between one device and the rooms of a town, which tests cut, hang and restore. The rooms are the real ones; only
// what lies between is made up. Lines that do worse, by seed, are the campaign's.
import type { Town, Wire } from "../../../party/test/town.ts";

type State = "up" | "mute" | "deaf" | "hanging" | "down";

export class Line {
  readonly #town: Town;
  readonly #sockets = new Set<SimSocket>();
  #state: State = "up";
  #upBytesPerMs = Infinity;
  #downMs = 0;

  constructor(town: Town) {
    this.#town = town;
  }

  get isUp(): boolean {
    return this.#state === "up";
  }

  get isMute(): boolean {
    return this.#state === "mute";
  }

  /** Every connection breaks, and none comes about. */
  cut(): void {
    this.#state = "down";
    for (const socket of this.#sockets) socket.break();
  }

  /** Nothing gets through, and nobody is told. */
  hang(): void {
    this.#state = "hanging";
  }

  /** What others say still comes, and nothing that is said here gets through. */
  mute(): void {
    this.#state = "mute";
  }

  /** What is said here gets through, and nothing that others say, or answer. */
  deafen(): void {
    this.#state = "deaf";
  }

  get isDeaf(): boolean {
    return this.#state === "deaf";
  }

  /** What comes down takes so long. */
  slowDown(ms: number): void {
    this.#downMs = ms;
  }

  get downMs(): number {
    return this.#downMs;
  }

  /** What goes up takes as long as its size says, one after the other on each connection. */
  slowUp(bytesPerMs: number): void {
    this.#upBytesPerMs = bytesPerMs;
  }

  upMs(text: string): number {
    return new TextEncoder().encode(text).length / this.#upBytesPerMs;
  }

  get now(): number {
    return this.#town.now;
  }

  restore(): void {
    // What hung was lost on the way: a connection that missed a frame is no connection.
    if (this.#state !== "up") for (const socket of this.#sockets) socket.break();
    this.#state = "up";
  }

  /** For one tab: the class it is given for a `WebSocket`, and how its sockets end with it. */
  openSockets(): { readonly webSocket: typeof WebSocket; readonly die: () => void } {
    const line = this as Line;
    const own = new Set<SimSocket>();
    const webSocket = class extends SimSocket {
      constructor(url: string) {
        super(url, line, line.#town);
        line.#sockets.add(this);
        own.add(this);
      }
    } as unknown as typeof WebSocket;
    return {
      webSocket,
      die: () => {
        for (const socket of own) socket.vanish();
      },
    };
  }

  forget(socket: SimSocket): void {
    this.#sockets.delete(socket);
  }

  /** Carries something over; not at all when the line is not up by then. */
  carry(socket: SimSocket, deliver: () => void, ms = 0): void {
    if (this.#state === "hanging") return;
    this.#town.later(ms, async () => {
      if (this.#state !== "hanging" && this.#state !== "down" && socket.isOpen) deliver();
    });
  }
}

/** As much of a WebSocket as partysocket uses, in front of a room. */
class SimSocket extends EventTarget {
  binaryType = "blob";
  readyState: number = WebSocket.CONNECTING;
  readonly url: string;
  readonly #line: Line;
  #wire: Wire | null = null;
  /** When all that was sent is on the other side. */
  #sentAt = 0;

  constructor(url: string, line: Line, town: Town) {
    super();
    this.url = url;
    this.#line = line;
    town.later(1, async () => this.#open(town));
  }

  get isOpen(): boolean {
    return this.readyState === WebSocket.OPEN;
  }

  #open(town: Town): void {
    if (this.readyState !== WebSocket.CONNECTING) return;
    if (!this.#line.isUp) return this.break();
    const [, , party = "", id = ""] = new URL(this.url).pathname.split("/");
    const wire = town.at(`${party}:${id}`).open();
    const forget = wire.close.bind(wire);
    wire.send = (text: string): void => {
      if (wire.closed !== null) throw new Error("Closed");
      if (!this.#line.isDeaf) this.#line.carry(this, () => this.#deliver(text), this.#line.downMs);
    };
    wire.close = (code: number, reason: string): void => {
      if (wire.closed !== null) return;
      forget(code, reason);
      // Behind what was sent before it.
      if (!this.#line.isDeaf) this.#line.carry(this, () => this.#ended(code), this.#line.downMs);
    };
    this.#wire = wire;
    this.readyState = WebSocket.OPEN;
    this.dispatchEvent(new Event("open"));
  }

  #deliver(text: string): void {
    this.dispatchEvent(new MessageEvent("message", { data: text }));
  }

  send(text: string): void {
    const wire = this.#wire;
    if (wire === null || !this.isOpen || this.#line.isMute) return;
    const line = this.#line;
    this.#sentAt = Math.max(this.#sentAt, line.now) + line.upMs(text);
    line.carry(this, () => void wire.say(text).catch(() => this.break()), Math.ceil(this.#sentAt - line.now));
  }

  close(code = 1000): void {
    if (this.readyState === WebSocket.CLOSED) return;
    this.#wire?.drop();
    this.#ended(code);
  }

  /** The connection is gone, without a word to either side. */
  break(): void {
    if (this.readyState === WebSocket.CLOSED) return;
    this.#wire?.drop();
    this.#ended(1006);
  }

  /** The process that held it is gone. */
  vanish(): void {
    this.#wire?.drop();
    this.readyState = WebSocket.CLOSED;
    this.#line.forget(this);
  }

  #ended(code: number): void {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    this.#line.forget(this);
    const event = Object.assign(new Event("close"), { code, reason: "", wasClean: code !== 1006 });
    this.dispatchEvent(event);
  }
}
