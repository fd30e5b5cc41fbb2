// Delivering the outbox when the platform says that there is a network: the worker's own ports around the engine's
// delivery. One at a time, however many tags were registered.
import { deliver, type DeliveryPorts } from "../sync/delivery.ts";
import { turnLogAlone } from "../store/turn-log.ts";
import type { Flushed } from "../sync/flush-room.ts";
import { broadcastBus, platformTimers } from "../sync/platform.ts";
import { uuidv7 } from "../sync/uuid.ts";

/** What tags for delivering begin with; the same in app/updates.ts. */
const TAG = "outbox";

/** Of the platform, not in TypeScript's types. */
export interface SyncEvent extends ExtendableEvent {
  readonly tag: string;
  /** The browser won't try again by itself. */
  readonly lastChance: boolean;
}

interface Syncing {
  readonly sync?: { readonly register: (tag: string) => Promise<void> };
}

export interface Deliverer {
  readonly onSync: (event: SyncEvent) => void;
  /** A newer build takes over, and is kept waiting for as long as anything is under way here. */
  readonly giveWay: () => void;
}

export function deliversOnSync(worker: ServiceWorkerGlobalScope, begin: typeof deliver = deliverAndTurn): Deliverer {
  let running: Promise<Flushed> | null = null;
  let replaced = new AbortController();
  let isTold = false;
  // Told by the second of two tabs, it may be the newer one itself: then nothing waits behind it, and it goes on.
  const isReplaced = (): boolean => isTold && worker.registration.waiting !== null;
  const once = (): Promise<Flushed> => {
    if (running !== null) return running;
    // What stood behind the delivery that was called off would keep the newer build waiting for a delivery more.
    if (isReplaced()) return Promise.resolve("later");
    replaced = new AbortController();
    running = begin(portsOf(worker, replaced.signal)).finally(() => {
      running = null;
    });
    return running;
  };
  /** What comes while one is under way is news of a network that this one may have begun without. */
  const next = async (): Promise<Flushed> => {
    if (running === null) return once();
    const flushed = await running;
    return flushed === "later" ? once() : flushed;
  };
  return {
    onSync: (event) => {
      if (event.tag.startsWith(TAG)) event.waitUntil(settle(worker, next(), event.lastChance));
    },
    giveWay: () => {
      isTold = worker.registration.waiting !== null;
      if (isTold) replaced.abort();
    },
  };
}

/**
 * What it stored may stand behind what was torn, and no tab may come. A browser that syncs in the background may tear its log.
 * A tab that does so isn't waited for: a newer build would wait for it with this worker.
 */
async function deliverAndTurn(ports: DeliveryPorts): Promise<Flushed> {
  const flushed = await deliver(ports);
  const goOn = async (): Promise<void> => ports.replaced.throwIfAborted();
  if (!ports.replaced.aborted) await turnLogAlone(ports.indexedDB, ports.locks, null, goOn).catch(() => undefined);
  return flushed;
}

/** A failure is how the browser is told to try again, and it does so with longer and longer pauses. */
async function settle(worker: ServiceWorkerGlobalScope, delivering: Promise<Flushed>, isLast: boolean): Promise<void> {
  if ((await delivering) !== "later") return;
  if (!isLast) throw new Error("not all could be delivered yet");
  // Where a worker may not ask by itself, the next start of the app delivers.
  await (worker.registration as Syncing).sync?.register(`${TAG}-${Date.now()}`).catch(() => undefined);
}

function portsOf(worker: ServiceWorkerGlobalScope, replaced: AbortSignal): DeliveryPorts {
  return {
    indexedDB: worker.indexedDB,
    fetch: (input, init) => worker.fetch(input, init),
    origin: worker.location.origin,
    locks: "locks" in worker.navigator ? worker.navigator.locks : null,
    openBus: broadcastBus,
    timers: platformTimers,
    now: Date.now,
    random: Math.random,
    newId: () => uuidv7(Date.now(), crypto.getRandomValues(new Uint8Array(10))),
    hasTabs: async () => (await worker.clients.matchAll({ type: "window", includeUncontrolled: true })).length > 0,
    replaced,
    report: (error) => worker.reportError(error),
  };
}
