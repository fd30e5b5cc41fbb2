/**
 * What is put into a page before the app, each function whole in itself, for it is sent there as text. They stand between
 * the app and the browser's own WebSocket or clock, so that nothing of the app differs.
 */

/** Row 15: frames from a room come twice, swapped with the next, or again much later. On while `causewayFrames` is true. */
export function unrulyFrames(): void {
  const Real = WebSocket;
  const unruly = /^\{"t":"(?:changes|ack|history|signal|heads)"/;
  const KEPT = 20;
  globalThis.WebSocket = class Unruly extends Real {
    readonly #listeners = new Set<EventListenerOrEventListenerObject>();
    readonly #earlier: MessageEvent[] = [];
    #kept: MessageEvent | null = null;

    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols);
      super.addEventListener("message", (event) => this.#came(event));
    }

    override addEventListener(
      type: string,
      listener: EventListenerOrEventListenerObject | null,
      options?: unknown,
    ): void {
      if (type === "message" && listener !== null) this.#listeners.add(listener);
      else if (listener !== null) super.addEventListener(type, listener, options as AddEventListenerOptions);
    }

    override removeEventListener(type: string, listener: EventListenerOrEventListenerObject | null): void {
      if (type === "message" && listener !== null) this.#listeners.delete(listener);
      else if (listener !== null) super.removeEventListener(type, listener);
    }

    #came(event: MessageEvent): void {
      const isOn = (globalThis as { causewayFrames?: boolean }).causewayFrames === true;
      if (!isOn || typeof event.data !== "string" || !unruly.test(event.data)) {
        this.#deliver(event);
        this.#release();
        return;
      }
      this.#earlier.push(event);
      if (this.#earlier.length > KEPT) this.#earlier.shift();
      const chance = Math.random();
      if (chance < 0.2 && this.#kept === null) {
        this.#kept = event;
        setTimeout(() => this.#release(), 30);
        return;
      }
      this.#deliver(event);
      if (chance < 0.4) this.#deliver(event);
      else if (chance < 0.5) this.#deliver(this.#earlier[Math.floor(Math.random() * this.#earlier.length)] ?? event);
      this.#release();
    }

    #release(): void {
      const event = this.#kept;
      this.#kept = null;
      if (event !== null) this.#deliver(event);
    }

    #deliver(event: MessageEvent): void {
      for (const listener of this.#listeners) {
        if (typeof listener === "function") listener.call(this, event);
        else listener.handleEvent(event);
      }
    }
  };
}

/**
 * Nobody looks: all is laid out and nothing but the composer painted, which takes most of a page's time. What isn't
 * painted can't be pressed: `data-painted` on the root is for whoever needs that.
 */
export function unpainted(composer: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`html:not([data-painted]) { visibility: hidden } textarea#${composer} { visibility: visible }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** Row 8: this device's clock is wrong by so much. */
export function wrongClock(byMs: number): void {
  const Real = Date;
  const now = (): number => Real.now() + byMs;
  globalThis.Date = class extends Real {
    constructor(...given: unknown[]) {
      if (given.length === 0) super(now());
      else super(...(given as [number]));
    }
    static override now(): number {
      return now();
    }
  } as DateConstructor;
}

/**
 * The negative controls: on every connection to a channel's room this client is another device that counts from 1.
 * `again`: what it sends again is a new message, in no order: no numbers, no id check. `never`: it sends nothing again,
 * and takes for delivered what left once.
 */
export function forgetful(mode: "again" | "never"): void {
  interface Frame {
    readonly t: string;
    readonly n?: number;
    readonly id?: string;
    readonly args?: { readonly id?: string };
    readonly [field: string]: unknown;
  }
  const Real = WebSocket;
  /** Path → the ops that left once, and the highest of the client's numbers that was answered. */
  const rooms = new Map<string, { sent: Set<string>; answered: number }>();
  const AGAIN_WITHIN_MS = 60;
  globalThis.WebSocket = class Forgetful extends Real {
    readonly #room: { sent: Set<string>; answered: number } | null;
    readonly #listeners = new Set<EventListenerOrEventListenerObject>();
    /** Number on the wire → the client's. */
    readonly #numbers = new Map<number, number>();
    #next = 1;
    #again: Frame[] | null = null;

    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols);
      const { pathname } = new URL(address);
      const isChannel = pathname.startsWith("/parties/channel/");
      const room = rooms.get(pathname) ?? { sent: new Set<string>(), answered: 0 };
      rooms.set(pathname, room);
      this.#room = isChannel ? room : null;
      super.addEventListener("message", (event) => this.#came(event));
    }

    override addEventListener(
      type: string,
      listener: EventListenerOrEventListenerObject | null,
      options?: unknown,
    ): void {
      if (type === "message" && listener !== null) this.#listeners.add(listener);
      else if (listener !== null) super.addEventListener(type, listener, options as AddEventListenerOptions);
    }

    override send(data: string): void {
      if (this.#room === null || !data.startsWith("{")) return super.send(data);
      const frame = JSON.parse(data) as Frame;
      if (frame.t === "hello") return super.send(JSON.stringify({ ...frame, device: crypto.randomUUID() }));
      if (frame.t !== "op") return super.send(data);
      if (this.#again === null) this.#anew(frame);
      else this.#again.push(frame);
    }

    #anew(op: Frame): void {
      const room = this.#room!;
      const isAgain = room.sent.has(op.id!);
      if (isAgain && mode === "never") {
        room.answered = Math.max(room.answered, op.n!);
        return this.#deliver({ t: "ack", n: op.n!, rev: null, entities: [] });
      }
      room.sent.add(op.id!);
      const n = this.#next;
      this.#next += 1;
      this.#numbers.set(n, op.n!);
      const copy = isAgain ? { id: crypto.randomUUID(), args: { ...op.args, id: crypto.randomUUID() } } : {};
      super.send(JSON.stringify({ ...op, n, ...copy }));
    }

    #came(event: MessageEvent): void {
      if (this.#room === null || typeof event.data !== "string" || !event.data.startsWith("{"))
        return this.#pass(event);
      const frame = JSON.parse(event.data) as Frame;
      if (frame.t === "welcome") {
        this.#again = [];
        setTimeout(() => this.#release(), AGAIN_WITHIN_MS);
        return this.#deliver({ ...frame, lastN: this.#room.answered });
      }
      if (frame.t !== "ack" && frame.t !== "refuse") return this.#pass(event);
      const n = this.#numbers.get(frame.n!) ?? frame.n!;
      if (frame["held"] !== true) this.#room.answered = Math.max(this.#room.answered, n);
      this.#deliver({ ...frame, n });
    }

    #release(): void {
      const again = (this.#again ?? []).sort(() => Math.random() - 0.5);
      this.#again = null;
      if (this.readyState === Real.OPEN) for (const op of again) this.#anew(op);
    }

    #deliver(frame: Frame): void {
      this.#pass(new MessageEvent("message", { data: JSON.stringify(frame) }));
    }

    #pass(event: MessageEvent): void {
      for (const listener of this.#listeners) {
        if (typeof listener === "function") listener.call(this, event);
        else listener.handleEvent(event);
      }
    }
  };
}
