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
