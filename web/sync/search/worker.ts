// The search worker: `serve.ts` on a worker's own platform.
import { broadcastBus } from "../platform.ts";
import type { ToWorker } from "./asked.ts";
import { serveSearch } from "./serve.ts";

declare const self: DedicatedWorkerGlobalScope;

const { hear } = serveSearch({
  factory: "indexedDB" in self ? self.indexedDB : null,
  openBus: broadcastBus,
  storage: "storage" in self.navigator ? self.navigator.storage : null,
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no target
  send: (message) => self.postMessage(message),
  report: (error) => self.reportError(error),
});

self.addEventListener("message", (event: MessageEvent<ToWorker>) => hear(event.data));
