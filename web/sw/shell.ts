// The files of this build in the cache: kept whole and only if they are ours, healed when the browser lost some, and those
// of the build before kept as long as its tabs may ask for them.
import { PrecacheController, PrecacheRoute, type PrecacheEntry } from "workbox-precaching";
import { NavigationRoute, registerRoute } from "workbox-routing";
import { isOfBuild, PAGE } from "./of-build.ts";
import { NOT_PAGES } from "./strategies.ts";

const ASSETS = "/assets/";
const BEFORE = "causeway-build-before";

/** The page is found at another address, and what was redirected may not answer a navigation. */
async function plain(response: Response): Promise<Response> {
  return response.redirected ? new Response(await response.blob(), { headers: response.headers }) : response;
}

export interface Shell {
  readonly install: (event: ExtendableEvent) => void;
  readonly activate: (event: ExtendableEvent) => void;
}

export function keepShell(worker: ServiceWorkerGlobalScope, files: readonly (string | PrecacheEntry)[]): Shell {
  const controller = new PrecacheController({ plugins: [{ cacheWillUpdate }] });
  controller.addToCacheList([...files]);
  const keys = controller.getURLsToCacheKeys();
  const assets = new Set([...keys.keys()].map((url) => new URL(url).pathname));
  let healing: Promise<void> | null = null;

  async function cacheWillUpdate({
    request,
    response,
  }: {
    request: Request;
    response: Response;
  }): Promise<Response | null> {
    return (await isOfBuild(new URL(request.url).pathname, response, assets)) ? response : null;
  }

  const open = (): Promise<Cache> => worker.caches.open(controller.strategy.cacheName);

  /** Fetches what is missing. Where the server has moved on, the newer build is asked for instead. */
  const heal = async (): Promise<void> => {
    const cache = await open();
    let isOurs = true;
    for (const [url, key] of keys) {
      if ((await cache.match(key)) !== undefined) continue;
      const response = await worker.fetch(url, { cache: "reload" });
      isOurs &&= await isOfBuild(new URL(url).pathname, response, assets);
      if (isOurs) await cache.put(key, await plain(response));
    }
    if (!isOurs) await worker.registration.update();
  };

  /** At most one at a time; without a network there is another navigation. */
  const healSoon = (): Promise<void> => {
    healing ??= heal()
      .catch(() => undefined)
      .finally(() => {
        healing = null;
      });
    return healing;
  };

  /** Before the controller drops them: tabs of the build before may still be open, with parts of it not loaded yet. */
  const keepBefore = async (): Promise<void> => {
    const expected = new Set(keys.values());
    const cache = await open();
    const old = (await cache.keys()).filter(
      ({ url }) => !expected.has(url) && new URL(url).pathname.startsWith(ASSETS),
    );
    if (old.length === 0) return;
    await worker.caches.delete(BEFORE);
    const before = await worker.caches.open(BEFORE);
    for (const request of old) {
      const response = await cache.match(request);
      if (response !== undefined) await before.put(request, response);
    }
  };

  /** Wakes the browser's database while the page is on its way: in one that has just been started that takes a while. */
  const wakeDatabase = async (): Promise<unknown> => worker.indexedDB.databases();

  registerRoute(new PrecacheRoute(controller));
  registerRoute(
    new NavigationRoute(
      async (options) => {
        // Blocked or unknown, the page finds out for itself.
        wakeDatabase().catch(() => undefined);
        const key = controller.getCacheKeyForURL(PAGE);
        const page = key === undefined ? undefined : await (await open()).match(key);
        if (page !== undefined) return page;
        options.event.waitUntil(healSoon());
        // Asked as the browser would: the page under another address is redirected to, which no navigation may be.
        return worker.fetch(options.request);
      },
      { denylist: [...NOT_PAGES] },
    ),
  );
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith(ASSETS) && !assets.has(url.pathname),
    async ({ request }) => (await worker.caches.match(request, { cacheName: BEFORE })) ?? worker.fetch(request),
  );

  return {
    install: (event) => void controller.install(event),
    activate: (event) =>
      // Nothing kept of the build before is worth staying on it.
      event.waitUntil(
        keepBefore()
          .catch(() => undefined)
          .then(() => controller.activate(event)),
      ),
  };
}
