// The service worker: the shell always opens, and what waits is delivered without a tab. Wiring only; what is answered
// how stands in strategies.ts, how the outbox drains in deliver.ts. Keeps no state of its own.
import type { PrecacheEntry } from "workbox-precaching";
import { registerRoute } from "workbox-routing";
import { deliversOnSync, type SyncEvent } from "./deliver.ts";
import { keepShell } from "./shell.ts";
import { CONFIG_PATH, answerConfig } from "./strategies.ts";

declare const self: ServiceWorkerGlobalScope & { readonly __WB_MANIFEST: readonly (string | PrecacheEntry)[] };

// oxlint-disable-next-line no-underscore-dangle -- the build puts the list of files in for this very name
const shell = keepShell(self, self.__WB_MANIFEST);
self.addEventListener("install", shell.install);
self.addEventListener("activate", shell.activate);
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname === CONFIG_PATH,
  ({ request, event }) =>
    answerConfig(
      request,
      (asked) => fetch(asked),
      caches,
      (work) => event.waitUntil(work),
    ),
);

// Background Sync, where there is one: the platform says that there is a network, whether or not a tab is open ([OP8]).
const deliverer = deliversOnSync(self);
self.addEventListener("sync", (event) => deliverer.onSync(event as SyncEvent));

// A new version waits until a person says so, or until no tab of the old one is left ([CF2] and product, point 4). The old
// one hears of it too: it would be waited for.
self.addEventListener("message", ({ data }: ExtendableMessageEvent) => {
  if (isOrder(data, "SKIP_WAITING")) void self.skipWaiting();
  if (isOrder(data, "GIVE_WAY")) deliverer.giveWay();
});

// The first worker serves the tab that installed it, so that the next opening is already offline-proof.
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

function isOrder(data: unknown, type: "SKIP_WAITING" | "GIVE_WAY"): boolean {
  return typeof data === "object" && data !== null && "type" in data && data.type === type;
}
