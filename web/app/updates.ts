// The service worker as the page sees it: registered after the start, checked for a newer build, applied by consent, and
// asked to deliver what waits when the page can't.
import type { Updates, UpdateNews } from "../sync/ports.ts";
import { scriptAddress } from "./script-address.ts";
import { holdsUnkeptText } from "./unkept-text.ts";

const WORKER = "/sw.js";
/** What the worker's tags for delivering begin with; the same in sw/deliver.ts. */
const DELIVER = "outbox";
const PART = /\/assets\/[\w.-]+/;
const CHECK_EVERY_MS = 60 * 60_000;
/** Where none came whole, it is asked for again; each time after twice as long. */
const AGAIN_AFTER_MS = 10_000;
/**
 * A newer build is fetched whole before it may take over, and the old one's worker is waited for while it answers this
 * page; after so long the page is reloaded as things are.
 */
const WITHIN_MS = 30_000;

/** Of the platform, not in TypeScript's types; some browsers have none. */
interface Syncing {
  readonly sync?: { readonly register: (tag: string) => Promise<void> };
}

export interface Worker extends Updates {
  readonly deliverLater: () => void;
}

let started: Worker | null = null;

/** Null where there is no worker: while developing, and where the browser has none. Started once, whoever asks. */
export function startWorker(): Worker | null {
  started ??= start();
  return started;
}

function start(): Worker | null {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return null;
  const workers = navigator.serviceWorker;
  const listeners = new Set<(news: UpdateNews) => void>();
  const address = scriptAddress(WORKER);
  let isAsked = false;
  /** The first worker of all takes over without a reload. */
  let isFirst = workers.controller === null;
  let againAfter = AGAIN_AFTER_MS;
  let isToAsk = false;

  const tell = (news: UpdateNews): void => {
    for (const listener of listeners) listener(news);
  };

  /** Null where it can't be had now: no network yet, or a portal's page in its place. It is asked for again. */
  const register = async (): Promise<ServiceWorkerRegistration | null> =>
    watched(await workers.register(address).catch(() => null));

  const isReady = (registration: ServiceWorkerRegistration | null): boolean =>
    !!registration?.waiting && workers.controller !== null;

  const again = async (): Promise<void> => {
    isToAsk = false;
    if (!isKept(await registered)) registered = register();
  };

  /** A line that lost a part doesn't say when it is better, nor does a portal. */
  const askAgain = (): void => {
    // Told twice of a worker, and of each of several.
    if (isToAsk) return;
    isToAsk = true;
    setTimeout(() => void again(), againAfter);
    againAfter = Math.min(againAfter * 2, CHECK_EVERY_MS);
  };

  const watched = (registration: ServiceWorkerRegistration | null): ServiceWorkerRegistration | null => {
    if (registration === null) {
      askAgain();
      return null;
    }
    const look = (): void => {
      if (isReady(registration)) tell("ready");
    };
    const follow = (worker: ServiceWorker | null): void =>
      worker?.addEventListener("statechange", () => {
        look();
        if (worker.state === "redundant" && registration.active === null) askAgain();
      });
    look();
    follow(registration.installing);
    registration.addEventListener("updatefound", () => follow(registration.installing));
    return registration;
  };
  let registered = register();

  // A page that stays open for weeks hears of a build too; failing to ask is what being offline is.
  const check = async (): Promise<void> => {
    const registration = await registered;
    if (isKept(registration)) againAfter = AGAIN_AFTER_MS;
    if (isKept(registration)) await registration.update().catch(() => undefined);
    else registered = register();
  };
  setInterval(() => void check(), CHECK_EVERY_MS);
  addEventListener("online", () => void check());

  // A newer build, accepted in any tab, takes over all of them. What is typed where no draft keeps it is waited for.
  workers.addEventListener("controllerchange", () => {
    const isGone = workers.controller === null;
    // With the browser's data: nobody took over, and the next one is the first again. Where the data is gone, what waits is
    // in this page and nowhere else until it is stored anew.
    if (isGone) registered = register();
    if (isGone) isAsked = false;
    if (isGone || (isFirst && !isAsked)) isFirst = isGone;
    else if (isAsked || !holdsUnkeptText()) location.reload();
    else tell("needed");
  });

  // A part of this build that isn't on the device any more, nor on the server. Offline it is only not here yet.
  addEventListener("vite:preloadError", ({ payload }) => void isGone(payload).then((is) => is && tell("needed")));
  // On its way before it is needed: it says that code is missing.
  import("./UpdateBar.tsx").catch(() => undefined);

  const apply = async (): Promise<void> => {
    isAsked = true;
    setTimeout(() => isAsked && location.reload(), WITHIN_MS);
    const registration = await registered;
    const waiting = registration === null ? null : (registration.waiting ?? (await fetchNewest(registration)));
    if (waiting === null) return location.reload();
    tellWorker(workers.controller, "GIVE_WAY");
    tellWorker(waiting, "SKIP_WAITING");
  };

  return {
    listen: (listener) => {
      listeners.add(listener);
      void registered.then((registration) => {
        if (isReady(registration)) listener("ready");
      });
      return () => listeners.delete(listener);
    },
    apply: () => void apply(),
    deliverLater: () => {
      // A tag of its own each time: one that failed before waits for minutes, and would keep this one waiting with it.
      void registered
        .then((registration) => (registration as Syncing | null)?.sync?.register(`${DELIVER}-${Date.now()}`))
        // Refused by the person's settings: then it goes when a tab is next open.
        .catch(() => undefined);
    },
  };
}

/** The browser forgets a registration whose first worker didn't come whole; it is none any more, and takes no update. */
function isKept(registration: ServiceWorkerRegistration | null): registration is ServiceWorkerRegistration {
  return registration !== null && (registration.installing ?? registration.waiting ?? registration.active) !== null;
}

/** What a worker does with it stands in sw/sw.ts. */
function tellWorker(worker: ServiceWorker | null, type: "GIVE_WAY" | "SKIP_WAITING"): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no target
  worker?.postMessage({ type });
}

/** The newer build's worker when all of it is on the device; null where there is none. */
async function fetchNewest(registration: ServiceWorkerRegistration): Promise<ServiceWorker | null> {
  await registration.update().catch(() => undefined);
  const { installing } = registration;
  if (installing !== null) await new Promise((resolve) => installing.addEventListener("statechange", resolve));
  return registration.waiting;
}

/** Whether our own server answers, and has no such part. A line that was bad for a moment says nothing of it. */
async function isGone({ message }: Error): Promise<boolean> {
  if (!(await isServed())) return false;
  // Not every browser says which.
  const part = PART.exec(message)?.[0];
  if (part === undefined) return true;
  try {
    const { status, headers } = await fetch(part, { cache: "no-store" });
    // A page that stands in for what isn't there is no part of the app.
    return status === 404 || headers.get("content-type")?.startsWith("text/html") === true;
  } catch {
    return false;
  }
}

/** Whether our own server answers at all. */
async function isServed(): Promise<boolean> {
  try {
    const response = await fetch("/healthz", { cache: "no-store", redirect: "error" });
    const body = (await response.json()) as { readonly ok?: unknown };
    return body.ok === true;
  } catch {
    return false;
  }
}
