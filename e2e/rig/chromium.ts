/** Where Chromium is on this machine. The browser comes from the system: npm can't bring it. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/opt/google/chrome/chrome",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];
const NAMES = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/**
 * What Playwright switches off for its tests (chromiumSwitches.ts of playwright-core 1.x), since the last
 * `--disable-features` is the one that counts.
 */
const OFF_FOR_TESTS = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
];

/**
 * Pages that the browser makes for its own window, which nobody sees here: the lists below its address bar, and a process
 * for the next tab. They cost three times what a context does (2.1 and 0.6 s of a processor in Chromium 156).
 */
const OF_ITS_WINDOW = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "WebUIOmniboxFullPopup",
  "SpareRendererForSitePerProcess",
];

// A container has no user to sandbox as and little shared memory.
const IN_A_CONTAINER = ["--no-sandbox", "--disable-dev-shm-usage"];

/** Beside what Playwright starts it with. */
export const CHROMIUM_ARGS: readonly string[] = [
  ...IN_A_CONTAINER,
  `--disable-features=${[...OFF_FOR_TESTS, ...OF_ITS_WINDOW].join(",")}`,
];

/** As a person's, but for its window. */
export const PLAIN_CHROMIUM_ARGS: readonly string[] = [
  ...IN_A_CONTAINER,
  `--disable-features=${OF_ITS_WINDOW.join(",")}`,
];

/** `CHROMIUM_PATH` first, then the usual places, then the search path. */
export function findChromium(env: Env = process.env): string | undefined {
  return findProgram("CHROMIUM_PATH", PLACES, NAMES, env);
}

type Env = Readonly<Record<string, string | undefined>>;

export function findProgram(
  variable: string,
  places: readonly string[],
  names: readonly string[],
  env: Env,
): string | undefined {
  const chosen = env[variable];
  if (chosen) return isExecutable(chosen) ? chosen : undefined;
  const onPath = (env["PATH"] ?? "").split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return [...places, ...onPath].find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
