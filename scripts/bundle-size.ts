/**
 * How much JavaScript a person waits for, from Vite's manifest: what the page loads at once with all its
 * static imports, and what the channel screen adds. Fails over budget. It builds the pages for that, or is told where some are.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildInto, stagingFolder } from "./build.ts";
import { inRoot } from "./paths.ts";

/** One entry of Vite's manifest; the key is the source module, or `_name` for a shared chunk. */
export interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
}
export type Manifest = Readonly<Record<string, Chunk>>;

interface Budget {
  readonly what: string;
  /** Source modules that are loaded by then, each with its static imports. */
  readonly modules: readonly string[];
  readonly maxBytes: number;
}

/** The page, and what the channel route loads on the way to a usable composer. */
const COMPOSER = ["index.html", "app/Workspace.tsx", "app/ChannelScreen.tsx"];
/** Asked for when the composer stands there, side by side; plain text renders without Markdown. All else waits for it. */
const HISTORY = ["store/timeline.ts", "app/ChannelTimeline.tsx", "features/timeline/markdown/render-markdown.tsx"];

const BUDGETS: readonly Budget[] = [
  { what: "until the composer is usable in a channel", modules: COMPOSER, maxBytes: 95_000 },
  { what: "until the history is rendered with Markdown", modules: [...COMPOSER, ...HISTORY], maxBytes: 126_000 },
];

/** The files of these modules, and of all that they import statically. A module without a chunk of its own is in one of those. */
export function filesNeeded(manifest: Manifest, modules: readonly string[]): Set<string> {
  const files = new Set<string>();
  const seen = new Set<string>();
  const visit = (key: string): void => {
    if (seen.has(key)) return;
    seen.add(key);
    const chunk = manifest[key];
    if (!chunk) return;
    if (chunk.file.endsWith(".js")) files.add(chunk.file);
    chunk.imports?.forEach(visit);
  };
  modules.forEach(visit);
  return files;
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`.padStart(9);

function checkNames(): void {
  const gone = BUDGETS.flatMap(({ modules }) => modules).filter((module) => !existsSync(inRoot("web", module)));
  if (gone.length > 0) throw new Error(`The budgets name modules that aren't there: ${gone.join(", ")}`);
}

/** Prints the report; true if every budget is kept. */
export function report(folder: string): boolean {
  const manifest = JSON.parse(readFileSync(join(folder, ".vite", "manifest.json"), "utf8")) as Manifest;
  const sizes = new Map<string, number>();
  for (const { file } of Object.values(manifest)) {
    if (file.endsWith(".js")) sizes.set(file, gzipSync(readFileSync(join(folder, file)), { level: 9 }).length);
  }
  console.log("JavaScript, gzip:");
  const first = filesNeeded(manifest, BUDGETS[0]?.modules ?? []);
  const all = filesNeeded(
    manifest,
    BUDGETS.flatMap((budget) => budget.modules),
  );
  for (const [file, bytes] of [...sizes].sort((a, b) => b[1] - a[1])) {
    const when = first.has(file) ? "composer" : all.has(file) ? "history" : "later";
    console.log(`  ${kilobytes(bytes)}  ${when.padEnd(8)}  ${file}`);
  }
  let isKept = true;
  for (const { what, modules, maxBytes } of BUDGETS) {
    const bytes = [...filesNeeded(manifest, modules)].reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0);
    const verdict = bytes <= maxBytes ? "kept" : `OVER by ${bytes - maxBytes} bytes`;
    console.log(`  ${kilobytes(bytes)} of ${kilobytes(maxBytes).trim()} ${what}: ${verdict}`);
    isKept &&= bytes <= maxBytes;
  }
  return isKept;
}

async function reportNewBuild(): Promise<boolean> {
  const folder = stagingFolder();
  try {
    await buildInto(folder);
    return report(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const [built] = process.argv.slice(2);
  try {
    checkNames();
    if (!(built === undefined ? await reportNewBuild() : report(built))) process.exitCode = 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
