// A browser profile in Node: one database and one set of cookies, and as many tabs on it as a test opens.
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { uuidv7 } from "uuidv7";
import type { Bus } from "../store/store.ts";
import type { Notes, PageEvent, Ports, Surroundings } from "../sync/ports.ts";
import { OPEN } from "../sync/holding.ts";
import { createLocks } from "./locks.ts";

export interface TabRig {
  readonly ports: Ports;
  /** What happens to the page. */
  readonly happen: (event: PageEvent) => void;
  readonly setVisible: (isVisible: boolean) => void;
  /** Timers that timers set are this late from now on, as those of a page nobody looks at. */
  readonly delayTimers: (ms: number) => void;
  /** Ends the tab as a crash does: nothing of it runs on, its locks go. */
  readonly crash: () => void;
  /** Hears nothing and does nothing from now on, but holds what it holds. */
  readonly hang: () => void;
  /** Holds no lock for the database that it has open, as a tab of a build before those. */
  readonly holdNoDatabase: () => void;
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
  /** Beside the databases; left out: nothing is noted. */
  readonly notes?: Notes;
  /** What bytes cost, where notes are kept; nothing, where left out. */
  readonly costs?: Surroundings["line"];
  /** When that is told; at once, where left out. */
  readonly untilTold?: () => Promise<unknown>;
}

/** So many in a row are in time, wherever the page is. */
const CHAINED_MAX = 5;

/** As a browser's `localStorage`, with no bound. */
export function memoryNotes(): Notes {
  const values = new Map<string, string>();
  const notes = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
  return () => notes;
}

export function createProfile(options: ProfileOptions): ProfileRig {
  const { notes } = options;
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
    let lateMs = 0;
    /** Of timers, each set by the one before. */
    let chained = 0;
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
      timers: {
        set: (run, ms) => {
          const links = chained + 1;
          const runOne = (): void => {
            if (!isAlive) return;
            chained = links;
            run();
            chained = 0;
          };
          return timers.set(runOne, links > CHAINED_MAX ? ms + lateMs : ms);
        },
        clear: timers.clear,
      },
      updates: null,
      ...(notes && {
        surroundings: async () => {
          await options.untilTold?.();
          return { line: options.costs ?? (() => "free"), listen: () => () => undefined, notes };
        },
      }),
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
      delayTimers: (ms) => {
        lateMs = ms;
      },
      hang: () => {
        isAlive = false;
      },
      holdNoDatabase: () => mine.letGo(OPEN),
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
