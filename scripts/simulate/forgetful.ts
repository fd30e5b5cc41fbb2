/**
 * The negative control: what the same client would do without numbers and without the id check. On every connection
 * it is another device that counts from 1, what it sends again is a new message, and it sends again in no order.
 * Sits between the real client and the wire, so that nothing else differs. See forgetful-socket.ts.
 */
import { randomUUID } from "node:crypto";
import type { DownFrame } from "#protocol/down.ts";
import type { OpFrame } from "#protocol/frames/op.ts";
import type { DeviceId, OpId } from "#protocol/ids.ts";
import type { UpFrame } from "#protocol/up.ts";
import type { Seeded } from "../../web/test/sim/seeded.ts";

/** What one client's connections to one channel room have in common. */
export interface ForgetfulRoom {
  /** Ops that went out once. */
  readonly sent: Set<string>;
  /** The highest of the client's numbers that was answered: what it is told that the room knows. */
  answered: number;
}

export interface ForgetfulOptions {
  readonly room: ForgetfulRoom;
  /** A copy's id → the id it was written under; filled here. */
  readonly originals: Map<string, string>;
  readonly random: Seeded;
}

/** One connection. Frames go in as client and room sent them and come out as the other side gets them. */
export class Forgetful {
  readonly #options: ForgetfulOptions;
  #next = 1;
  /** Number on the wire → the client's. */
  readonly #clientNumbers = new Map<number, number>();
  /** What comes right after the welcome is sent again in one go. */
  #again: OpFrame[] | null = null;

  constructor(options: ForgetfulOptions) {
    this.#options = options;
  }

  up(frame: UpFrame): UpFrame[] {
    if (frame.t === "hello") return [{ ...frame, device: randomUUID() as DeviceId }];
    if (frame.t === "skip") return [{ ...frame, n: this.#number(frame.n) }];
    if (frame.t !== "op") return [frame];
    if (this.#again === null) return [this.#anew(frame)];
    this.#again.push(frame);
    return [];
  }

  down(frame: DownFrame): DownFrame {
    const { room } = this.#options;
    if (frame.t === "welcome") {
      this.#again = [];
      return { ...frame, lastN: room.answered };
    }
    if (frame.t !== "ack" && frame.t !== "refuse") return frame;
    const n = this.#clientNumbers.get(frame.n) ?? frame.n;
    if (frame.t === "refuse" && frame.held) {
      this.#next = Math.min(this.#next, frame.expected ?? frame.n);
      return { ...frame, n, ...(frame.expected === undefined ? {} : { expected: n }) };
    }
    room.answered = Math.max(room.answered, n);
    return { ...frame, n };
  }

  /** What was waiting when the connection came, in any order; from now on ops pass one by one. */
  release(): UpFrame[] {
    const again = this.#options.random.shuffled(this.#again ?? []);
    this.#again = null;
    return again.map((op) => this.#anew(op));
  }

  #anew(op: OpFrame): OpFrame {
    const { sent } = this.#options.room;
    const numbered = { ...op, n: this.#number(op.n) };
    if (!sent.has(op.id)) {
      sent.add(op.id);
      return numbered;
    }
    return { ...numbered, id: randomUUID() as OpId, args: this.#asNewMessage(op.args) };
  }

  #number(client: number): number {
    const wire = this.#next;
    this.#next += 1;
    this.#clientNumbers.set(wire, client);
    return wire;
  }

  #asNewMessage(args: unknown): unknown {
    if (typeof args !== "object" || args === null || !("id" in args) || typeof args.id !== "string") return args;
    const copy = randomUUID();
    this.#options.originals.set(copy, args.id);
    return { ...args, id: copy };
  }
}
