/**
 * A finished build of everything, made once for a run of the browser tests: Worker, pages, keys and a
 * migrated empty database. Servers start from copies, so neither the clone's own data nor an edit in it
 * touches a running test.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildInto } from "../../scripts/build.ts";
import { migrate } from "../../scripts/migrate.ts";
import { inRoot } from "../../scripts/paths.ts";
import { PREPARED } from "../../scripts/prepare.ts";
import { runTool } from "../../scripts/run.ts";
import { makeSecrets, writeVars } from "../../scripts/secrets.ts";

export interface Snapshot {
  /** The wrangler configuration to start. */
  readonly config: string;
  /** A state folder with an empty, migrated database. */
  readonly state: string;
}

/** Names the folder of one that is made already, for the steps of `npm test`. */
export const SNAPSHOT = "CAUSEWAY_SNAPSHOT";

export function snapshotIn(folder: string): Snapshot {
  return { config: join(folder, "wrangler.toml"), state: join(folder, "state") };
}

/** What is served of it, with Vite's manifest. */
export const pagesOf = (folder: string): string => join(folder, "pages");

export async function makeSnapshot(folder: string): Promise<Snapshot> {
  const pages = pagesOf(folder);
  const snapshot = snapshotIn(folder);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, ".dev.vars"), writeVars({ ...makeSecrets() }));
  // Both to their end: what still runs after a failure would write into a folder that is being removed.
  const made = await Promise.allSettled([
    migrate(snapshot.state),
    buildInto(pages).then(() => bundleWorker(folder, pages)),
  ]);
  for (const part of made) if (part.status === "rejected") throw part.reason;
  writeFileSync(snapshot.config, configOf(readFileSync(inRoot("wrangler.toml"), "utf8")));
  return snapshot;
}

/** A state folder of its own for one server. */
export function copyState(snapshot: Snapshot, to: string): void {
  cpSync(snapshot.state, to, { recursive: true });
}

async function bundleWorker(folder: string, pages: string): Promise<void> {
  const bundled = await runTool(
    "wrangler",
    ["deploy", "--dry-run", "--outdir", join(folder, "worker"), "--assets", pages],
    { env: { [PREPARED]: "1" } },
  );
  if (bundled.code !== 0) throw new Error(`The Worker can't be bundled.\n${bundled.output}`);
}

/** The project's own configuration, with what is built in the place of what builds. */
function configOf(toml: string): string {
  return toml
    .replace(/^main = .*$/m, 'main = "worker/worker.js"\nno_bundle = true')
    .replace(/\n\[build\]\n(?:(?!\[).*\n)*/, "\n")
    .replace(/^directory = .*$/m, 'directory = "pages"');
}
