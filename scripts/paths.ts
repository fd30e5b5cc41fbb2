/** Where things are in the clone, so that every script works from any current directory. */
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

export const inRoot = (...parts: string[]): string => join(ROOT, ...parts);

/** What wrangler serves. */
export const DIST = inRoot("web", "dist");

/** All that a local server keeps: database, rooms, files. `STATE_DIR` lets several run side by side. */
export function stateDir(): string {
  const chosen = process.env["STATE_DIR"];
  return chosen ? resolve(chosen) : inRoot(".wrangler");
}

/** The folder that wrangler calls `--persist-to`; without `STATE_DIR` its own default. */
export const persistDir = (state: string): string => join(state, "state");
