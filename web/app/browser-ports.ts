// The browser's own platform, as the engine wants it handed in.
import type { Page, PageEvent, Ports, Updates } from "../sync/ports.ts";
import { uuidv7 } from "./uuid.ts";

/** @param firstScreen resolves when there is something to see */
export function browserPorts(firstScreen: Promise<unknown>): Ports {
  return {
    indexedDB: "indexedDB" in globalThis ? indexedDB : null,
    webSocket: WebSocket,
    fetch: (input, init) => fetch(input, init),
    locks: "locks" in navigator ? navigator.locks : null,
    openBus: (name) => {
      const channel = new BroadcastChannel(name);
      return {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
        send: (message) => channel.postMessage(message),
        listen: (listener) => {
          const hear = (event: MessageEvent): void => listener(event.data);
          channel.addEventListener("message", hear);
          return () => channel.removeEventListener("message", hear);
        },
        close: () => channel.close(),
      };
    },
    storage: "storage" in navigator ? navigator.storage : null,
    page,
    timers: {
      set: (run, ms) => setTimeout(run, ms),
      clear: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
    },
    updates: laterUpdates(firstScreen),
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
function laterUpdates(firstScreen: Promise<unknown>): Updates {
  const updates = firstScreen.then(async () => (await import("./updates.ts")).watchForUpdates());
  updates.catch(reportError);
  return {
    listen: (listener) => {
      const listening = updates.then((worker) => worker?.listen(listener));
      return () => void listening.then((stop) => stop?.());
    },
    apply: () => void updates.then((worker) => worker?.apply()),
  };
}

/** event of the platform → what it means, by what it is heard on */
const ON_WINDOW: Readonly<Record<string, PageEvent>> = {
  focus: "focus",
  online: "online",
  offline: "offline",
  pagehide: "leave",
};
const ON_DOCUMENT: Readonly<Record<string, PageEvent>> = { freeze: "freeze", resume: "resume" };

const page: Page = {
  isVisible: () => document.visibilityState === "visible",
  listen: (listener) => {
    const stop = new AbortController();
    const { signal } = stop;
    for (const [type, event] of Object.entries(ON_WINDOW)) addEventListener(type, () => listener(event), { signal });
    for (const [type, event] of Object.entries(ON_DOCUMENT)) {
      document.addEventListener(type, () => listener(event), { signal });
    }
    // Back from the back-forward cache, which froze it without an event of its own.
    addEventListener("pageshow", ({ persisted }) => persisted && listener("resume"), { signal });
    document.addEventListener("visibilitychange", () => listener(document.visibilityState), { signal });
    return () => stop.abort();
  },
};
