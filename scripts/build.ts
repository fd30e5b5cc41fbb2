/**
 * Builds the pages into a folder of its own and copies them over `web/dist`. Building straight into the
 * folder that `wrangler dev` watches leaves it with a stale list of files.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { DIST, inRoot } from "./paths.ts";
import { runTool } from "./run.ts";

/** Pages opened before a new build still ask for its chunks; after this long the service worker has them all. */
const OLD_CHUNK_KEPT_MS = 24 * 60 * 60 * 1000;

/** Builds into `folder`, which is emptied. Leaves Vite's manifest there, in `.vite/`. */
export async function buildInto(folder: string): Promise<void> {
  const built = await runTool("vite", ["build", "--logLevel", "warn", "--outDir", folder]);
  if (built.code !== 0) throw new Error(`The pages don't build.\n${built.output}`);
}

/** Makes a new folder for a build; the caller removes it. Two builds at once don't meet. */
export function stagingFolder(): string {
  mkdirSync(inRoot(".build"), { recursive: true });
  const folder = mkdtempSync(inRoot(".build", "pages-"));
  // Also where the script is ended in the midst of it; what it started may be writing for a moment longer.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }));
  return folder;
}

/** Builds and publishes to `web/dist`. */
export async function buildPages(): Promise<void> {
  const staging = stagingFolder();
  try {
    await buildInto(staging);
    publish(staging);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function publish(staging: string): void {
  const now = new Date();
  const fresh = new Set(filesOf(staging));
  // The page and the worker last: they name the others.
  for (const file of [...fresh].sort((a, b) => rank(a) - rank(b))) {
    mkdirSync(dirname(join(DIST, file)), { recursive: true });
    copyFileSync(join(staging, file), join(DIST, file));
    utimesSync(join(DIST, file), now, now);
  }
  for (const file of filesOf(DIST)) {
    const isOld = now.getTime() - statSync(join(DIST, file)).mtimeMs > OLD_CHUNK_KEPT_MS;
    if (!fresh.has(file) && (isOld || !file.startsWith("assets/"))) rmSync(join(DIST, file), { force: true });
  }
}

function rank(file: string): number {
  if (file === "sw.js") return 2;
  return file.endsWith(".html") ? 1 : 0;
}

function filesOf(folder: string): string[] {
  return (
    readdirSync(folder, { recursive: true, withFileTypes: true })
      // Vite's manifest is for bundle-size.ts, not for the world.
      .filter((entry) => entry.isFile() && !entry.parentPath.endsWith(".vite"))
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
  );
}

if (import.meta.main) await buildPages();
