/**
 * The system's Firefox, over WebDriver BiDi: what Playwright has for it is new, and what it was made for is its own
 * build. `BROWSER=firefox` has the browser tests run there.
 */
import { type Browser, type LaunchOptions } from "playwright-core";
import { findProgram } from "./chromium.ts";

const PLACES = [
  "/usr/bin/firefox",
  "/usr/bin/firefox-esr",
  "/snap/bin/firefox",
  "/Applications/Firefox.app/Contents/MacOS/firefox",
];

/** `FIREFOX_PATH` first, then the usual places, then the search path. */
export function findFirefox(env: Readonly<Record<string, string | undefined>> = process.env): string | undefined {
  return findProgram("FIREFOX_PATH", PLACES, ["firefox", "firefox-esr"], env);
}

export function firefoxOptions(executablePath: string, isMotionReduced: boolean): LaunchOptions {
  return {
    executablePath,
    channel: "moz-firefox",
    firefoxUserPrefs: {
      "ui.prefersReducedMotion": isMotionReduced ? 1 : 0,
      // As a desktop would: a machine without a pointer has Firefox take the page for one on a phone.
      "ui.primaryPointerCapabilities": 6,
      "ui.allPointerCapabilities": 6,
    },
  };
}

interface Inside {
  readonly _browserSession: object;
}

/**
 * Playwright 1.65 has every page told its media features, for which Firefox 153 has no command: they are preferences here.
 * All sessions have the one prototype, so once is enough for what is launched later.
 */
export function leaveMediaAlone(browser: Browser): void {
  const { _connection } = browser as unknown as { readonly _connection: { toImpl(of: Browser): Inside } };
  // oxlint-disable-next-line no-underscore-dangle -- Playwright has no door to it
  const session = Object.getPrototypeOf(_connection.toImpl(browser)._browserSession) as {
    send: (method: string, params?: unknown) => Promise<unknown>;
  };
  const { send } = session;
  session.send = function sendKnown(method, params) {
    return method === "emulation.setMediaFeaturesOverride" ? Promise.resolve({}) : send.call(this, method, params);
  };
}

/** For Playwright 1.65 `fill` sets a value by script, of which React hears nothing; this types it. An init script. */
export function typeForReal(): void {
  Object.defineProperty(globalThis, "__pw_bidiInsertText", {
    get: () => (text: string) => void document.execCommand("insertText", false, text),
    set() {
      // Playwright's own, which comes later.
    },
  });
}
