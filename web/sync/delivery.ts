// Delivering what waits without a tab: the service worker leads for a moment, by the same lock and the same id in the
// database as a tab, and gives way to any tab that comes. Nothing is decided here that a tab wouldn't decide alike.
import { databaseOf, openIndex } from "../store/index-database.ts";
import { diskBackend, openDatabase } from "../store/database.ts";
import { openExisting } from "../store/open-existing.ts";
import { readOutbox } from "../store/outbox.ts";
import { MIGRATIONS } from "../store/schema.ts";
import { createStore, NotLeader, type Bus, type Store } from "../store/store.ts";
import { DEFAULT_CONFIG } from "./default-config.ts";
import { flushAll, sendable } from "./flush.ts";
import type { Flushed } from "./flush-room.ts";
import { keepJournal } from "./journal.ts";
import { startLeading, type Leading } from "./leading.ts";
import type { Ports } from "./ports.ts";
import { forgetRooms } from "./search/forget-rooms.ts";
import { isTabMessage, type TabMessage } from "./tab-messages.ts";
import { createTokens } from "./tokens.ts";

export interface DeliveryPorts extends Pick<
  Ports,
  "fetch" | "origin" | "timers" | "now" | "random" | "newId" | "locks" | "openBus" | "report"
> {
  readonly indexedDB: IDBFactory;
  /** Whether any tab of the app is open, of whatever build. */
  readonly hasTabs: () => Promise<boolean>;
  /** Aborted when a newer build takes over: its tabs deliver, and a platform has them wait for what is under way here. */
  readonly replaced: AbortSignal;
}

/** A tab that leads delivers by itself; so long it is watched doing so. */
const BESIDE_TAB_MS = 20_000;
/**
 * A tab that says it is here may not ask for the lock yet, while its code comes, or not at all. It has so long each time;
 * after so many times this delivers all the same, and a tab that lives takes the lock by force. Ms.
 */
const BEHIND_MS = 250;
const WAYS_MAX = 4;
/** The platform ends a worker's task after a few minutes; ours ends before, in order. */
const WITHIN_MS = 120_000;

/** `later`: it is worth another try by itself. */
export async function deliver(ports: DeliveryPorts): Promise<Flushed> {
  const index = await openIndex(ports.indexedDB);
  const { last: session, config } = await index.read().finally(() => index.close());
  // Nobody is here, or they must sign in first; nobody else's queue is touched ([OP11]).
  if (session?.state !== "signed-in") return "left";
  const name = databaseOf(session);
  if (!(await isOurs(ports, name))) return "left";
  // Without locks nothing tells whether a tab leads.
  if (ports.locks === null && (await ports.hasTabs())) return "left";
  const bus = ports.openBus(name);
  const gone = new AbortController();
  const store = await openStore(ports.indexedDB, name, bus, () => gone.abort());
  // What one left may leave the device here, with no tab to see to it.
  const stopForgetting = forgetRooms({ store, report: ports.report }, ports.indexedDB, name);
  try {
    if ((await waitingIn(store)) === 0) return "done";
    const { rooms } = config ?? DEFAULT_CONFIG;
    return await asLeader(
      ports,
      { store, bus, name, over: AbortSignal.any([gone.signal, ports.replaced]) },
      (leader, signal) =>
        flushAll({
          store,
          ports,
          leader,
          me: session.person.user,
          tokens: createTokens(ports, () => config ?? DEFAULT_CONFIG, session.person.user),
          roomsAt: () => (rooms === "" ? ports.origin : rooms),
          signal,
          pause: (ms) => pause(ports, ms, signal),
        }),
    );
  } finally {
    stopForgetting();
    store.close();
    bus.close();
  }
}

/**
 * A database of a newer build is left alone, and one of an older build while its tabs are open: opening it would take it
 * from them. One that isn't there isn't made.
 */
async function isOurs({ indexedDB, hasTabs }: DeliveryPorts, name: string): Promise<boolean> {
  const version = await versionOf(indexedDB, name);
  if (version === 0 || version > MIGRATIONS.length) return false;
  return version === MIGRATIONS.length || !(await hasTabs());
}

/** 0 where there is none. */
async function versionOf(factory: IDBFactory, name: string): Promise<number> {
  const listed = await factory.databases().catch(() => null);
  if (listed !== null) return listed.find((database) => database.name === name)?.version ?? 0;
  // Firefox (153) lists none where the file of one can't be read, which may be somebody else's.
  const db = await openExisting(factory, name);
  db?.close();
  return db?.version ?? 0;
}

async function openStore(factory: IDBFactory, name: string, bus: Bus, onClosed: () => void): Promise<Store> {
  const db = await openDatabase(factory, name, MIGRATIONS, { onClosed });
  return createStore(diskBackend(db), bus);
}

async function waitingIn(store: Store): Promise<number> {
  return sendable(await store.read(["outbox"], readOutbox)).length;
}

interface Place {
  readonly store: Store;
  readonly bus: Bus;
  /** Names the lock. */
  readonly name: string;
  /**
   * Nothing is to be done here any more: a newer build takes over, or the database was taken away and whoever has the
   * next one must be able to lead.
   */
  readonly over: AbortSignal;
}

/** Runs `flush` while this leads; while a tab does, waits for it to have delivered everything. */
function asLeader(
  ports: DeliveryPorts,
  { store, bus, name, over }: Place,
  flush: (leader: string, signal: AbortSignal) => Promise<Flushed>,
): Promise<Flushed> {
  const { timers } = ports;
  const id = `worker-${ports.newId()}`;
  const { promise, resolve, reject } = Promise.withResolvers<Flushed>();
  let leading: Leading | null = null;
  let waysGiven = 0;
  let behind: unknown = null;
  const tell = (message: TabMessage): void => bus.send(message);

  const lead = (): (() => Promise<void>) => {
    const given = new AbortController();
    // No tab is there to note what becomes of what was queued.
    const journal = keepJournal(store, ports, id);
    journal.note({ kind: "app", what: "delivering" });
    // A tab that follows says nothing by itself; asked, it does, and goes first.
    tell({ type: "who" });
    const flushing = flush(id, given.signal)
      .then((flushed) => {
        if (!given.signal.aborted) resolve(flushed);
      })
      .catch((error: unknown) => {
        // A tab has taken over; what was answered here is answered to it again ([OP3]).
        if (error instanceof NotLeader) return leading?.dispatch({ type: "lost" });
        if (!given.signal.aborted) reject(error);
      });
    return async () => {
      given.abort();
      await flushing;
      await journal.stop();
    };
  };

  const delivered = async (): Promise<void> => {
    if ((await waitingIn(store)) === 0) resolve("done");
  };

  const stopBus = bus.listen((message) => {
    if (!isTabMessage(message)) return;
    if (message.type === "pong") leading?.dispatch({ type: "ponged" });
    // A tab is here and wants to lead: it gets the lock at once, and this stands behind it.
    if ((message.type === "look" || message.type === "ping") && leading?.isLeading() === true && waysGiven < WAYS_MAX) {
      waysGiven += 1;
      leading.dispatch({ type: "frozen" });
      behind = timers.set(() => leading?.dispatch({ type: "returned" }), BEHIND_MS);
    }
  });
  const stopStore = store.listen((commit) => {
    if (commit.some(({ table }) => table === "outbox") && leading?.isLeading() !== true) delivered().catch(reject);
  });
  const timer = timers.set(() => {
    if (leading?.isLeading() !== true) resolve("later");
  }, BESIDE_TAB_MS);
  const last = timers.set(() => resolve("later"), WITHIN_MS);
  over.addEventListener("abort", () => resolve("later"));
  if (over.aborted) resolve("later");

  leading = startLeading({
    ports,
    store,
    name,
    tab: id,
    say: tell,
    lead: async () => lead,
    changed: () => undefined,
  });
  // One that hangs is overtaken, as by a tab that somebody looks at; one that lives hears that the network is back.
  leading.dispatch({ type: "looked" });
  tell({ type: "nudge" });

  return promise.finally(async () => {
    timers.clear(timer);
    timers.clear(last);
    timers.clear(behind);
    stopBus();
    stopStore();
    await leading?.close();
  });
}

function pause({ timers }: DeliveryPorts, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = timers.set(resolve, ms);
    signal.addEventListener("abort", () => {
      timers.clear(timer);
      resolve();
    });
  });
}
