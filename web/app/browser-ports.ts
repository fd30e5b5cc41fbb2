// The browser's own platform, as the engine wants it handed in.
import { versionHere } from "../features/composer/last-words.ts";
import type { Page, PageEvent, Ports, Updates } from "../sync/ports.ts";
import { broadcastBus, platformTimers } from "../sync/platform.ts";
import { untilHere } from "../sync/until-here.ts";
import { uuidv7 } from "../sync/uuid.ts";

/** Its code may have to come over a line that hangs. */
const PUT_RIGHT_WITHIN_MS = 2_000;

/** @param firstScreen resolves when there is something to see */
export function browserPorts(firstScreen: Promise<unknown>, onBlocked: () => void): Ports {
  const worker = laterWorker(firstScreen);
  return {
    indexedDB: "indexedDB" in globalThis ? indexedDB : null,
    webSocket: WebSocket,
    fetch: (input, init) => fetch(input, init),
    locks: "locks" in navigator ? navigator.locks : null,
    openBus: broadcastBus,
    storage: "storage" in navigator ? navigator.storage : null,
    page: openPage(),
    timers: platformTimers,
    surroundings: async () => (await import("./surroundings.ts")).surroundings(),
    putRight: async (user, kept, store) => {
      if (versionHere(user) >= kept.version) return;
      const done = import("./surroundings.ts").then((code) => code.putRight(user, kept, store));
      await Promise.race([done, new Promise((resolve) => setTimeout(resolve, PUT_RIGHT_WITHIN_MS))]);
    },
    updates: worker,
    deliverLater: worker.deliverLater,
    onBlocked,
    openSearchWorker: async () => (await import("./search-worker.ts")).openSearchWorker(),
    firstScreen,
    now: Date.now,
    random: Math.random,
    newId: () => uuidv7(Date.now(), crypto.getRandomValues(new Uint8Array(10))),
    origin: location.origin,
    // The browser's own error log is that one place; nothing leaves the device.
    // Called on `ports`, which the browser's own function takes for a wrong window and throws.
    report: (error) => reportError(error),
  };
}

/** The worker fetches all of the app, which must not be in the first screen's way. */
function laterWorker(firstScreen: Promise<unknown>): Updates & { readonly deliverLater: () => void } {
  const started = firstScreen
    .then(() => untilHere(() => import("./behind.ts"), platformTimers))
    .then(({ startWorker }) => startWorker());
  started.catch(reportError);
  return {
    listen: (listener) => {
      const listening = started.then((worker) => worker?.listen(listener));
      return () => void listening.then((stop) => stop?.());
    },
    apply: () => void started.then((worker) => (worker === null ? location.reload() : worker.apply())),
    deliverLater: () => void started.then((worker) => worker?.deliverLater()),
  };
}

const listeners = new Set<(event: PageEvent) => void>();

/** All in one go: between two listeners of its own the platform lets promises run on, and who stops one in them would. */
function happen(event: PageEvent): void {
  for (const listener of listeners) listener(event);
}

function openPage(): Page {
  for (const type of ["focus", "online", "offline", "pagehide"] as const) addEventListener(type, () => happen(type));
  for (const type of ["freeze", "resume"] as const) document.addEventListener(type, () => happen(type));
  // Back from the back-forward cache, which froze it without an event of its own.
  addEventListener("pageshow", ({ persisted }) => persisted && happen("resume"));
  document.addEventListener("visibilitychange", () => happen(document.visibilityState));
  return {
    isVisible: () => document.visibilityState === "visible",
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
