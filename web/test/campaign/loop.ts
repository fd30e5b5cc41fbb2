// One clock for everything in a run: time moves only from timer to timer, and only when nothing else is left to do.
// What runs on the platform's own timers (partysocket, fake-indexeddb) is put on it too, so a run is the same twice.
import { createHmac } from "node:crypto";
import type { Seeded } from "../sim/seeded.ts";

type Run = () => void;

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly run: Run;
  isOff: boolean;
}

/** Timers of a whole run: more is a loop without an end. */
const FIRED_MAX = 400_000;
/** Turns at one moment, before what still asks is put off. */
const PATIENCE = 5_000;

/** The platform's, whatever a run puts in its place. */
const real = { setTimeout, clearTimeout, setImmediate, clearImmediate };

export class Loop {
  now: number;
  /** Disks that are slow now and then: so likely, and up to so many ms. */
  slowDisk: { readonly chance: number; readonly ms: number } = { chance: 0, ms: 0 };
  readonly #timers: Timer[] = [];
  readonly #random: Seeded;
  #order = 0;
  #immediates = 0;
  #fired = 0;
  #hops = 0;

  constructor(start: number, random: Seeded) {
    this.now = start;
    this.#random = random;
  }

  /** Runs it when so much time has gone by, in whole ms as platforms count; answers how to call it off. */
  later(ms: number, run: Run): Run {
    const timer = { at: this.now + Math.max(0, Math.ceil(ms)), order: this.#order++, run, isOff: false };
    push(this.#timers, timer);
    return () => {
      timer.isOff = true;
    };
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.later(ms, resolve));
  }

  /** Lets so much time go by, timer by timer. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    await this.#quiet();
    for (;;) {
      const next = this.#timers[0];
      if (next === undefined || next.at > end) break;
      pop(this.#timers);
      if (next.isOff) continue;
      this.now = Math.max(this.now, next.at);
      this.#fired += 1;
      if (this.#fired > FIRED_MAX) throw new Error("runs away");
      next.run();
      await this.#quiet();
    }
    this.now = end;
  }

  /** Lets time go by until it is so; answers whether it became so. */
  async until(isSo: () => boolean, withinMs: number, stepMs = 50): Promise<boolean> {
    const end = this.now + withinMs;
    await this.#quiet();
    while (!isSo()) {
      if (this.now >= end) return false;
      await this.pass(stepMs);
    }
    return true;
  }

  /** Runs something that needs time to go by. */
  async during<Value>(work: Promise<Value>): Promise<Value> {
    let isDone = false;
    const marked = work.finally(() => {
      isDone = true;
    });
    marked.catch(() => undefined);
    if (!(await this.until(() => isDone, 3_600_000, 5))) throw new Error("never ended");
    return marked;
  }

  /** Until no step of this process is left that needs no time. */
  async #quiet(): Promise<void> {
    this.#hops = 0;
    do {
      await new Promise((resolve) => real.setImmediate(resolve));
      this.#hops += 1;
    } while (this.#immediates > 0);
    this.#hops = 0;
  }

  /** Puts the platform's timers on this clock, and makes signatures without a thread of their own. Answers the undoing. */
  install(): Run {
    const undo = [
      put(globalThis, "setTimeout", (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
        this.later(ms, () => run(...args)),
      ),
      put(globalThis, "clearTimeout", (timer: unknown) => (typeof timer === "function" ? void timer() : undefined)),
      put(globalThis, "setImmediate", (run: (...args: unknown[]) => void, ...args: unknown[]) => {
        const { chance, ms } = this.slowDisk;
        if (this.#random.chance(chance)) return this.later(this.#random.below(ms), () => run(...args));
        // Whoever asks again and again whether a slow disk is done must let time go by.
        if (this.#hops > PATIENCE) return this.later(1, () => run(...args));
        this.#immediates += 1;
        real.setImmediate(() => {
          this.#immediates -= 1;
          run(...args);
        });
        return undefined;
      }),
      // What goes to disk is plain; the platform's own copying takes a third of a run's time.
      put(globalThis, "structuredClone", copy),
      put(crypto.subtle, "importKey", async (_format: string, secret: Uint8Array) => ({
        [Symbol.toStringTag]: "CryptoKey",
        type: "secret",
        algorithm: { name: "HMAC", hash: { name: "SHA-256" }, length: 256 },
        usages: ["sign", "verify"],
        secret,
      })),
      put(crypto.subtle, "sign", async (_: unknown, key: Secret, data: Uint8Array) => hmac(key, data).buffer),
      put(crypto.subtle, "verify", async (_: unknown, key: Secret, signature: Uint8Array, data: Uint8Array) =>
        Buffer.from(hmac(key, data)).equals(Buffer.from(signature)),
      ),
    ];
    return () => {
      for (const back of undo) back();
    };
  }
}

function copy(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copy);
  // What is set aside of a disk is megabytes: byte by byte they took nine tenths of the time.
  if (value instanceof Uint8Array) return value.slice();
  const plain: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) plain[key] = copy(inner);
  return plain;
}

interface Secret {
  readonly secret: Uint8Array;
}

function hmac({ secret }: Secret, data: Uint8Array): Uint8Array {
  return new Uint8Array(createHmac("sha256", secret).update(data).digest());
}

function put(target: object, name: string, value: unknown): Run {
  const before = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { value, configurable: true, writable: true });
  return () => {
    if (before === undefined) Reflect.deleteProperty(target, name);
    else Object.defineProperty(target, name, before);
  };
}

// — a heap by time, then by who came first —

function isBefore(one: Timer, other: Timer): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

function push(heap: Timer[], timer: Timer): void {
  let at = heap.push(timer) - 1;
  while (at > 0) {
    const above = (at - 1) >> 1;
    const parent = heap[above];
    if (parent === undefined || !isBefore(timer, parent)) break;
    heap[at] = parent;
    at = above;
  }
  heap[at] = timer;
}

function pop(heap: Timer[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    const [left, right] = [heap[child], heap[child + 1]];
    if (left === undefined) break;
    if (right !== undefined && isBefore(right, left)) child += 1;
    const lower = heap[child] as Timer;
    if (!isBefore(lower, last)) break;
    heap[at] = lower;
    at = child;
  }
  heap[at] = last;
}
