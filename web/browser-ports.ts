// The browser's own outside for the engine. The only file that reads `window` and `document` for it.
import { uuidv7 } from "uuidv7";
import type { Bus } from "./store/store.ts";
import type { PageEvent, Ports, Updates } from "./sync/ports.ts";

/** @param report where bugs are shown; see main.tsx */
export function browserPorts(updates: Updates | null, report: (error: unknown) => void): Ports {
  return {
    indexedDB: globalThis.indexedDB ?? null,
    webSocket: WebSocket,
    fetch: (input, init) => fetch(input, init),
    // Missing outside secure contexts.
    locks: navigator.locks ?? null,
    openBus,
    storage: navigator.storage ?? null,
    page: { isVisible: () => document.visibilityState === "visible", listen: listenToPage },
    timers: { set: (run, ms) => setTimeout(run, ms), clear: (timer) => clearTimeout(timer as number | undefined) },
    updates,
    now: () => Date.now(),
    random: () => Math.random(),
    newId: uuidv7,
    origin: location.origin,
    report,
  };
}

function openBus(name: string): Bus {
  const channel = new BroadcastChannel(name);
  return {
    send: (message) => channel.postMessage(message),
    listen: (listener) => {
      const hear = ({ data }: MessageEvent<unknown>): void => listener(data);
      channel.addEventListener("message", hear);
      return () => channel.removeEventListener("message", hear);
    },
    close: () => channel.close(),
  };
}

function listenToPage(listener: (event: PageEvent) => void): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const on = (target: EventTarget, type: string, event: () => PageEvent): void =>
    target.addEventListener(type, () => listener(event()), { signal });
  on(document, "visibilitychange", () => (document.visibilityState === "visible" ? "visible" : "hidden"));
  on(document, "freeze", () => "freeze");
  on(document, "resume", () => "resume");
  on(window, "focus", () => "focus");
  on(window, "online", () => "online");
  on(window, "offline", () => "offline");
  on(window, "pagehide", () => "leave");
  // A page that comes back from the back-forward cache was frozen without a word.
  window.addEventListener("pageshow", (event) => event.persisted && listener("resume"), { signal });
  return () => ended.abort();
}
