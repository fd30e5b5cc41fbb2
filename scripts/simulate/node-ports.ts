/** The outside of one browser profile, in Node: its own database, cookies and sockets, and no other tabs. */
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { uuidv7 } from "uuidv7";
import type { PageEvent, Ports } from "../../web/sync/ports.ts";
import type { Seeded } from "./seeded.ts";

export interface Profile {
  readonly ports: Ports;
  readonly databases: IDBFactory;
  /** Tells the app what happens to its page. */
  readonly tell: (event: PageEvent) => void;
}

export interface ProfileOptions {
  /** The deployment's address, as this person reaches it. */
  readonly origin: string;
  readonly webSocket: typeof WebSocket;
  readonly random: Seeded;
  readonly report: (error: unknown) => void;
}

export function makeProfile({ origin, webSocket, random, report }: ProfileOptions): Profile {
  const databases = new IDBFactory();
  const listeners = new Set<(event: PageEvent) => void>();
  const ports: Ports = {
    indexedDB: databases,
    webSocket,
    fetch: fetchWithCookies(),
    locks: null,
    openBus: () => ({ send: () => undefined, listen: () => () => undefined, close: () => undefined }),
    storage: null,
    page: {
      isVisible: () => true,
      listen: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    timers: { set: (run, ms) => setTimeout(run, ms), clear: (timer) => clearTimeout(timer as NodeJS.Timeout) },
    updates: null,
    now: () => Date.now(),
    random: random.next,
    newId: uuidv7,
    origin,
    report,
  };
  return {
    ports,
    databases,
    tell: (event) => {
      for (const listener of listeners) listener(event);
    },
  };
}

/** As a browser keeps them for one origin. */
export function fetchWithCookies(): Ports["fetch"] {
  const cookies = new Map<string, string>();
  return async (input, init) => {
    const headers = new Headers(init.headers);
    if (cookies.size > 0) headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const response = await fetch(input, { ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const match = /^([^=]+)=([^;]*)/.exec(line);
      if (match?.[1] !== undefined && match[2] !== undefined) cookies.set(match[1], match[2]);
    }
    return response;
  };
}
