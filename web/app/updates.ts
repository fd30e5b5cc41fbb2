// The service worker as the page sees it: registered after the start, checked for a newer build, applied by consent, and
// asked to deliver what waits when the page can't.
import type { Updates } from "../sync/ports.ts";
import { scriptAddress } from "./script-address.ts";

const WORKER = "/sw.js";
/** What the worker's tags for delivering begin with; the same in sw/sw.ts. */
const DELIVER = "outbox";
const CHECK_EVERY_MS = 60 * 60_000;

/** Of the platform, not in TypeScript's types; some browsers have none. */
interface Syncing {
  readonly sync?: { readonly register: (tag: string) => Promise<void> };
}

export interface Worker extends Updates {
  readonly deliverLater: () => void;
}

/** Null where there is no worker: while developing, and where the browser has none. */
export function startWorker(): Worker | null {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return null;
  const workers = navigator.serviceWorker;
  const registered = workers.register(scriptAddress(WORKER));
  // The first worker of all takes over without a reload; a newer build's, accepted in any tab, reloads them all.
  const isFirst = workers.controller === null;
  if (!isFirst) workers.addEventListener("controllerchange", () => location.reload(), { once: true });

  return {
    listen: (listener) => {
      const stop = new AbortController();
      void watch(registered, listener, stop.signal);
      return () => stop.abort();
    },
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no target
    apply: () => void registered.then(({ waiting }) => waiting?.postMessage({ type: "SKIP_WAITING" })),
    deliverLater: () => {
      // A tag of its own each time: one that failed before waits for minutes, and would keep this one waiting with it.
      void registered
        .then((registration) => (registration as Syncing).sync?.register(`${DELIVER}-${Date.now()}`))
        // Refused by the person's settings: then it goes when a tab is next open.
        .catch(() => undefined);
    },
  };
}

async function watch(
  registered: Promise<ServiceWorkerRegistration>,
  listener: () => void,
  signal: AbortSignal,
): Promise<void> {
  const registration = await registered;
  const tell = (): void => {
    if (registration.waiting !== null && navigator.serviceWorker.controller !== null) listener();
  };
  const follow = (worker: ServiceWorker | null): void => worker?.addEventListener("statechange", tell, { signal });
  tell();
  follow(registration.installing);
  registration.addEventListener("updatefound", () => follow(registration.installing), { signal });
  // A page that stays open for weeks hears of a build too; failing to ask is what being offline is.
  const check = (): void => void registration.update().catch(() => undefined);
  const timer = setInterval(check, CHECK_EVERY_MS);
  signal.addEventListener("abort", () => clearInterval(timer));
  addEventListener("online", check, { signal });
}
