// Everything of the outside that the engine uses, handed in: the browser's own in the app, Node's in tests and scripts.
import type { UserId } from "#protocol/ids.ts";
import type { BesideDisk } from "../store/beside.ts";
import type { Beside } from "../store/index-database.ts";
import type { Bus, Store } from "../store/store.ts";
import type { SearchPort } from "./search/worker-link.ts";

/** What happens to the page that the engine must know of. */
export type PageEvent = "visible" | "hidden" | "focus" | "online" | "offline" | "freeze" | "resume" | "pagehide";

export interface Page {
  readonly isVisible: () => boolean;
  /** All who listen hear of an event before anything else runs. */
  readonly listen: (listener: (event: PageEvent) => void) => () => void;
}

export interface Timers {
  readonly set: (run: () => void, ms: number) => unknown;
  readonly clear: (timer: unknown) => void;
}

/** `ready`: a newer build waits. `needed`: this one can't go on; its code is gone, or the newer one has taken over. */
export type UpdateNews = "ready" | "needed";

/** The part of a service worker's registration that the app's update needs. */
export interface Updates {
  readonly listen: (listener: (news: UpdateNews) => void) => () => void;
  /** Lets the newer build take over, fetched first where it isn't here; all tabs reload when it has. */
  readonly apply: () => void;
}

/** The browser's storage manager; only pages may ask to keep. */
export interface DeviceStorage extends Pick<StorageManager, "estimate" | "persisted"> {
  readonly persist?: () => Promise<boolean>;
}

/** Short notes beside the databases, which stay where those go. Whatever is asked of it may throw: blocked, or full. */
export type Notes = () => {
  readonly getItem: (key: string) => string | null;
  readonly setItem: (key: string, value: string) => void;
  readonly removeItem: (key: string) => void;
};

/** What the browser tells of the person and the line, and the place for notes. */
export interface Surroundings {
  /** What bytes cost now. */
  readonly line: () => "free" | "saving" | "metered" | "slow";
  /** `used`: somebody scrolled, typed or pressed something, a few times a second at most. `line`: it costs otherwise. */
  readonly listen: (listener: (what: "used" | "line") => void) => () => void;
  readonly notes: Notes;
  /** Whether the browser goes on writing behind what was torn (store/turn-log.ts). */
  readonly mayTearLog?: boolean;
  /** Copies what this person's composers and editors hold beside the database. */
  readonly keepBeside?: (user: UserId, disk: BesideDisk, store: Store) => KeptBeside;
}

/** Of one person, for as long as they are here. */
export interface KeptBeside {
  /** The database is another one: where the rest of the site's data went with it, what is held is put back. */
  readonly remade: () => void;
  readonly end: () => void;
}

export interface Ports {
  /** Null where the platform has none. */
  readonly indexedDB: IDBFactory | null;
  readonly webSocket: typeof WebSocket;
  readonly fetch: (input: string, init: RequestInit) => Promise<Response>;
  /** Null where the platform has none: then this tab leads alone. */
  readonly locks: LockManager | null;
  /** A bus between the tabs of this profile. */
  readonly openBus: (name: string) => Bus;
  readonly storage: DeviceStorage | null;
  readonly page: Page;
  readonly timers: Timers;
  /** Its code comes behind the first screen. Left out where there is nobody to look after. */
  readonly surroundings?: () => Promise<Surroundings>;
  /**
   * Makes what this person's composers and editors hold beside the database what the copy says, where it is from before
   * that. Until then nobody is at a composer; left out where there are none.
   */
  readonly putRight?: (user: UserId, kept: Beside, store: Store) => Promise<void>;
  readonly updates: Updates | null;
  /**
   * Asks the service worker to deliver what waits as soon as there is a network, with or without a tab. Nothing happens
   * where the platform can't: then it goes when a tab is next open.
   */
  readonly deliverLater?: () => void;
  /** A tab of an older build holds the database; opening goes on when it lets go. */
  readonly onBlocked?: () => void;
  /**
   * Resolves when the first screen stands. What reading and writing from the disk doesn't need, the network first of all,
   * waits for it, code included. Left out where there is no screen to wait for.
   */
  readonly firstScreen?: Promise<unknown>;
  /** Starts a search worker of this tab; left out where there are no workers. */
  readonly openSearchWorker?: () => Promise<SearchPort>;
  /** Epoch ms. */
  readonly now: () => number;
  /** 0 to 1. */
  readonly random: () => number;
  /** A UUIDv7. */
  readonly newId: () => string;
  /** Where relative addresses of the configuration lead: `https://…`, no path. */
  readonly origin: string;
  /** A bug, on its way to the one place that shows those. */
  readonly report: (error: unknown) => void;
}
