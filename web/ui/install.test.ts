// The browser's offer to install the app, and the protection of its storage that is asked for with it.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { install, installOffer, watchForInstallOffer } from "./install.ts";

let page: EventTarget;
let asked: number;

beforeEach(() => {
  page = new EventTarget();
  asked = 0;
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  const persist = async (): Promise<boolean> => {
    asked += 1;
    return true;
  };
  vi.stubGlobal("navigator", { storage: { persist } });
});
afterEach(async () => {
  await install();
  vi.unstubAllGlobals();
});

/** As Chromium makes it; how often it was taken up is counted. */
function offered(): { readonly event: Event; readonly taken: () => number } {
  let taken = 0;
  const prompt = async (): Promise<void> => void (taken += 1);
  const event = Object.assign(new Event("beforeinstallprompt", { cancelable: true }), { prompt });
  page.dispatchEvent(event);
  return { event, taken: () => taken };
}

it("the browser is asked to protect the storage when the app is installed, and not when it is offered or taken up", async () => {
  watchForInstallOffer();
  offered();
  await install();
  expect(asked).toBe(0);
  page.dispatchEvent(new Event("appinstalled"));
  expect(asked).toBe(1);
});

it.each<[string, object]>([
  ["has no storage to be asked for, as over plain HTTP", {}],
  ["can't be asked to protect it", { storage: {} }],
])("installed in a browser that %s, the offer goes and nothing fails", (_what, navigator) => {
  vi.stubGlobal("navigator", navigator);
  const faults: unknown[] = [];
  // What a listener throws is no fault of who dispatches.
  vi.stubGlobal("addEventListener", (type: string, hear: (event: Event) => void) =>
    page.addEventListener(type, (event) => {
      try {
        hear(event);
      } catch (fault) {
        faults.push(fault);
      }
    }),
  );
  watchForInstallOffer();
  offered();
  expect(installOffer.snapshot()).toBe(true);
  page.dispatchEvent(new Event("appinstalled"));
  expect(installOffer.snapshot()).toBe(false);
  expect(faults).toEqual([]);
});

it("an offer is kept for the menu instead of being shown at once, told, and used once", async () => {
  watchForInstallOffer();
  const told: boolean[] = [];
  const stop = installOffer.subscribe(() => void told.push(installOffer.snapshot()));
  const { event, taken } = offered();
  expect(event.defaultPrevented).toBe(true);
  expect(told).toEqual([true]);
  await install();
  await install();
  expect([told, taken()]).toEqual([[true, false, false], 1]);
  stop();
  offered();
  expect(told).toHaveLength(3);
});
