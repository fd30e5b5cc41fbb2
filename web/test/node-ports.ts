// A browser profile in Node: one database and one set of cookies, and as many tabs on it as a test opens.
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { uuidv7 } from "uuidv7";
import type { Bus } from "../store/store.ts";
import type { PageEvent, Ports } from "../sync/ports.ts";
import { createLocks } from "./locks.ts";

export interface TabRig {
  readonly ports: Ports;
  /** What happens to the page. */
  readonly happen: (event: PageEvent) => void;
  readonly setVisible: (isVisible: boolean) => void;
  /** Ends the tab as a crash does: nothing of it runs on, its locks go. */
  readonly crash: () => void;
  /** Hears nothing and does nothing from now on, but holds what it holds. */
  readonly hang: () => void;
  /** What it stores from now on it tells no other tab: it is about to end. */
  readonly mute: () => void;
}

export interface ProfileRig {
  readonly indexedDB: IDBFactory;
  /** @param webSocket a tab's own, where a test must tell the tabs' sockets apart */
  readonly openTab: (webSocket?: typeof WebSocket) => TabRig;
}

export interface ProfileOptions {
  readonly origin: string;
  readonly fetch?: Ports["fetch"];
  readonly webSocket?: typeof WebSocket;
  readonly timers?: Ports["timers"];
  readonly now?: () => number;
  readonly random?: () => number;
  readonly newId?: () => string;
  readonly report?: (error: unknown) => void;
  /** A browser that keeps nothing. */
  readonly withoutDisk?: boolean;
}

export function createProfile(options: ProfileOptions): ProfileRig {
  const indexedDB = new IDBFactory();
  const locks = createLocks();
  const buses = new Map<string, Set<(message: unknown) => void>>();
  const cookies = cookieFetch();

  const openTab = (webSocket?: typeof WebSocket): TabRig => {
    const listeners = new Set<(event: PageEvent) => void>();
    const mine = locks.openTab();
    let isVisible = true;
    let isAlive = true;
    let isMute = false;
    const openBus = (name: string): Bus => {
      const heard = buses.get(name) ?? new Set();
      buses.set(name, heard);
      const own = new Set<(message: unknown) => void>();
      const forward = (message: unknown): void => {
        if (isAlive) for (const listener of own) listener(message);
      };
      heard.add(forward);
      return {
        send: (message) => {
          if (!isAlive || isMute) return;
          if (!heard.has(forward)) throw new DOMException("Channel is closed", "InvalidStateError");
          const copy = structuredClone(message);
          for (const other of heard) if (other !== forward) queueMicrotask(() => other(copy));
        },
        listen: (listener) => {
          own.add(listener);
          return () => own.delete(listener);
        },
        close: () => heard.delete(forward),
      };
    };
    const timers = options.timers ?? {
      set: (run: () => void, ms: number) => setTimeout(run, ms),
      clear: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
    };
    const ports: Ports = {
      indexedDB: options.withoutDisk === true ? null : indexedDB,
      webSocket: webSocket ?? options.webSocket ?? WebSocket,
      fetch: options.fetch ?? cookies,
      locks: mine.locks,
      openBus,
      storage: null,
      page: {
        isVisible: () => isVisible,
        listen: (listener) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
      timers: { set: (run, ms) => timers.set(() => isAlive && run(), ms), clear: timers.clear },
      updates: null,
      now: options.now ?? (() => Date.now()),
      random: options.random ?? (() => Math.random()),
      newId: options.newId ?? uuidv7,
      origin: options.origin,
      report:
        options.report ??
        ((error) => {
          throw error;
        }),
    };
    const happen = (event: PageEvent): void => {
      if (isAlive) for (const listener of listeners) listener(event);
    };
    return {
      ports,
      happen,
      setVisible: (visible) => {
        isVisible = visible;
        happen(visible ? "visible" : "hidden");
      },
      hang: () => {
        isAlive = false;
      },
      mute: () => {
        isMute = true;
      },
      crash: () => {
        isAlive = false;
        listeners.clear();
        mine.close();
      },
    };
  };
  return { indexedDB, openTab };
}

/** Cookies as a browser keeps them for one origin. */
function cookieFetch(): Ports["fetch"] {
  const jar = new Map<string, string>();
  return async (input, init) => {
    const headers = new Headers(init.headers);
    if (jar.size > 0) headers.set("cookie", [...jar].map(([name, value]) => `${name}=${value}`).join("; "));
    const response = await fetch(input, { ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) jar.set(name, value);
    }
    return response;
  };
}
