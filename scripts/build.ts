/**
 * Builds the pages into a staging folder and copies them over `web/dist`. Building straight into the
 * folder that `wrangler dev` watches leaves it with a stale list of files.
 */
import { cpSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { join, relative } from "node:path";
import { runTool } from "./run.ts";
import { DIST, STAGING } from "./paths.ts";

/** Pages opened before a new build still ask for its chunks; after this long the service worker has them all. */
const OLD_CHUNK_KEPT_MS = 24 * 60 * 60 * 1000;

export async function buildPages(): Promise<void> {
  const built = await runTool("vite", ["build", "--logLevel", "warn"]);
  if (built.code !== 0) throw new Error(`The pages don't build.\n${built.output}`);
  publish();
}

function publish(): void {
  mkdirSync(DIST, { recursive: true });
  const now = new Date();
  const fresh = new Set(filesOf(STAGING));
  // The page and the worker last: they name the others.
  const order = [...fresh].sort((a, b) => rank(a) - rank(b));
  for (const file of order) {
    cpSync(join(STAGING, file), join(DIST, file));
    utimesSync(join(DIST, file), now, now);
  }
  for (const file of filesOf(DIST)) {
    const isOld = now.getTime() - statSync(join(DIST, file)).mtimeMs > OLD_CHUNK_KEPT_MS;
    if (!fresh.has(file) && (isOld || !file.startsWith("assets/"))) rmSync(join(DIST, file));
  }
}

function rank(file: string): number {
  if (file === "sw.js") return 2;
  return file.endsWith(".html") ? 1 : 0;
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    // Vite's manifest is for bundle-size.ts, not for the world.
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith(".vite"))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
}
