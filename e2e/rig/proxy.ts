/**
 * A bad network between a client and a server on this machine: a TCP proxy whose behaviour changes while
 * connections are open. A browser's own "offline" switch leaves open sockets alone; this doesn't.
 */
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** `up`: client to server. `down`: server to client. */
export type Direction = "up" | "down";

type Mode =
  | { readonly name: "up" }
  /** Every connection is reset, and so is every new one. */
  | { readonly name: "cut" }
  /** Connections stay open and bytes in these directions vanish. New connections are taken and never answered. */
  | { readonly name: "swallow"; readonly directions: readonly Direction[] }
  /** Passes this many more bytes of a direction, summed over all connections, then cuts. */
  | { readonly name: "cut-after"; readonly direction: Direction; readonly bytes: number }
  | { readonly name: "slow"; readonly kbps: number; readonly ms: number };

export interface Proxy {
  readonly port: number;
  readonly url: string;
  /** Open connections. */
  readonly connectionCount: number;
  /** Back to normal. Connections that lost bytes meanwhile are reset: TCP would never skip a byte. */
  up(): void;
  cut(): void;
  /** A dead link: nothing passes, nothing closes. */
  hang(): void;
  /** The server hears nothing; what it says arrives. */
  dropUp(): void;
  /** The server hears everything; what it answers is lost. */
  swallowDown(): void;
  /** Resolves when the cut has happened; the proxy then stays cut. */
  cutAfter(direction: Direction, bytes: number): Promise<void>;
  /** `kbps`: kilobits a second for each connection and direction; `ms`: one-way delay. */
  slow(link: { readonly kbps: number; readonly ms: number }): void;
  /** Everything goes to another server, as behind a captive portal, until `divert()` brings the first one back. */
  divert(port?: number): void;
  close(): Promise<void>;
}

/** Listens on a free port of 127.0.0.1 in front of `targetPort`, passing everything at first. */
export async function startProxy(targetPort: number): Promise<Proxy> {
  let mode: Mode = { name: "up" };
  let target = targetPort;
  let tripped: (() => void) | undefined;
  const links = new Set<Link>();

  const set = (next: Mode): void => {
    mode = next;
    tripped = undefined;
    for (const link of links) if (next.name === "cut" || link.hasLostBytes) link.reset();
  };

  const swallows = (direction: Direction): boolean => mode.name === "swallow" && mode.directions.includes(direction);

  /** How much of a chunk passes now; the rest is lost. */
  const passes = (direction: Direction, size: number): number => {
    if (swallows(direction)) return 0;
    if (mode.name !== "cut-after" || mode.direction !== direction) return size;
    const part = Math.min(size, mode.bytes);
    mode = { ...mode, bytes: mode.bytes - part };
    return part;
  };

  const server: Server = createServer({ allowHalfOpen: true }, (client) => {
    if (mode.name === "cut") {
      client.resetAndDestroy();
      return;
    }
    const isDead = swallows("up") && swallows("down");
    const upstream = isDead ? undefined : connect({ port: target, host: "127.0.0.1", allowHalfOpen: true });
    const link = new Link(client, upstream, {
      swallows,
      passes,
      delay: () => (mode.name === "slow" ? mode : undefined),
      passed: () => {
        if (mode.name !== "cut-after" || mode.bytes > 0) return;
        const done = tripped;
        set({ name: "cut" });
        done?.();
      },
      closed: () => links.delete(link),
    });
    links.add(link);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  return {
    port,
    url: `http://localhost:${port}`,
    get connectionCount() {
      return links.size;
    },
    up: () => set({ name: "up" }),
    cut: () => set({ name: "cut" }),
    hang: () => set({ name: "swallow", directions: ["up", "down"] }),
    dropUp: () => set({ name: "swallow", directions: ["up"] }),
    swallowDown: () => set({ name: "swallow", directions: ["down"] }),
    cutAfter(direction, bytes) {
      set({ name: "cut-after", direction, bytes });
      return new Promise((resolve) => (tripped = resolve));
    },
    slow: ({ kbps, ms }) => set({ name: "slow", kbps, ms }),
    divert(port = targetPort) {
      target = port;
      set({ name: "cut" });
      set({ name: "up" });
    },
    async close() {
      set({ name: "cut" });
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

interface LinkRules {
  swallows(direction: Direction): boolean;
  passes(direction: Direction, size: number): number;
  delay(): { readonly kbps: number; readonly ms: number } | undefined;
  /** After the bytes that may pass have been written. */
  passed(): void;
  closed(): void;
}

/** One connection of a client, and the proxy's own to the server. */
class Link {
  hasLostBytes = false;
  private isClosed = false;
  private readonly client: Socket;
  private readonly server: Socket | undefined;
  private readonly rules: LinkRules;

  constructor(client: Socket, server: Socket | undefined, rules: LinkRules) {
    this.client = client;
    this.server = server;
    this.rules = rules;
    // A connection taken while the link is dead can only be reset later.
    if (!server) this.hasLostBytes = true;
    this.pump("up", client, server);
    if (server) this.pump("down", server, client);
  }

  reset(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.client.resetAndDestroy();
    this.server?.resetAndDestroy();
    this.rules.closed();
  }

  private pump(direction: Direction, from: Socket, to: Socket | undefined): void {
    const deliver = slowly(this.rules);
    from.setNoDelay(true);
    from.on("error", () => this.reset());
    from.on("end", () => {
      if (this.rules.swallows(direction)) this.hasLostBytes = true;
      else deliver(0, () => to?.end());
    });
    from.on("close", () => this.closed());
    from.on("data", (chunk: Buffer) => {
      const part = this.rules.passes(direction, chunk.length);
      if (part < chunk.length) this.hasLostBytes = true;
      if (part > 0) {
        deliver(part, () => {
          if (!this.isClosed) to?.write(chunk.subarray(0, part), () => this.rules.passed());
        });
      } else this.rules.passed();
    });
  }

  private closed(): void {
    if (this.isClosed || !this.client.destroyed || !this.server?.destroyed) return;
    this.isClosed = true;
    this.rules.closed();
  }
}

/** Delivers at once, or in order with the delay and rate of a slow link. */
function slowly(rules: LinkRules): (size: number, act: () => void) => void {
  let freeAt = 0;
  const waiting: (() => void)[] = [];
  return (size, act) => {
    const link = rules.delay();
    if (!link && waiting.length === 0) return act();
    const now = performance.now();
    freeAt = Math.max(now, freeAt) + (link ? (size * 8) / link.kbps : 0);
    waiting.push(act);
    // Each timer lets the first go, whichever was set for it: timers that are due together fire in any order.
    setTimeout(() => waiting.shift()?.(), freeAt - now + (link?.ms ?? 0));
  };
}
