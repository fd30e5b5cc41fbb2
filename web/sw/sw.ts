// The service worker: the shell always opens, and what waits is delivered without a tab. Wiring only; what is answered
// how stands in strategies.ts, how the outbox drains in deliver.ts. Keeps no state of its own.
import type { PrecacheEntry } from "workbox-precaching";
import { registerRoute } from "workbox-routing";
import { deliversOnSync, type SyncEvent } from "./deliver.ts";
import { keepShell } from "./shell.ts";
import { CONFIG_PATH, answerConfig } from "./strategies.ts";

/** What a page says to the worker that waits; the same in app/updates.ts. */
const SKIP_WAITING = "SKIP_WAITING";
/** What that one says to the one before it. */
const GIVE_WAY = "GIVE_WAY";

declare const self: ServiceWorkerGlobalScope & { readonly __WB_MANIFEST: readonly (string | PrecacheEntry)[] };

// oxlint-disable-next-line no-underscore-dangle -- the build puts the list of files in for this very name
const shell = keepShell(self, self.__WB_MANIFEST);
self.addEventListener("install", shell.install);
self.addEventListener("activate", shell.activate);
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname === CONFIG_PATH,
  ({ request }) => answerConfig(request, (asked) => fetch(asked), caches),
);

// A new version waits until a person says so, or until no tab of the old one is left ([CF2] and product, point 4). Then the
// old one ends what it does: watching a tab that can't deliver it would keep the new one waiting for twenty seconds.
const replaced = new AbortController();
self.addEventListener("message", ({ data }: ExtendableMessageEvent) => {
  if (isOfType(data, GIVE_WAY)) replaced.abort();
  if (!isOfType(data, SKIP_WAITING)) return;
  void self.skipWaiting();
  // Asked by a second tab, it may be that one itself by now.
  if (self.registration.active !== self.serviceWorker) self.registration.active?.postMessage({ type: GIVE_WAY });
});

// The first worker serves the tab that installed it, so that the next opening is already offline-proof.
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

// Background Sync, where there is one: the platform says that there is a network, whether or not a tab is open ([OP8]).
const deliver = deliversOnSync(self, replaced.signal);
self.addEventListener("sync", (event) => deliver(event as SyncEvent));

function isOfType(data: unknown, type: string): boolean {
  return typeof data === "object" && data !== null && "type" in data && data.type === type;
}
