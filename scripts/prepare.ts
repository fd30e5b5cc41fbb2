/**
 * Everything a local server needs before it starts: keys, database, pages. wrangler.toml calls this as
 * its build command, so that a plain `wrangler dev` works in a fresh clone.
 */
import { buildPages } from "./build.ts";
import { migrate } from "./migrate.ts";
import { stateDir } from "./paths.ts";
import { ensureSecrets } from "./secrets.ts";

export async function prepare(state: string): Promise<void> {
  ensureSecrets();
  await Promise.all([migrate(state), buildPages()]);
}

/** Set by those who have prepared already, and start wrangler themselves. */
export const PREPARED = "CAUSEWAY_PREPARED";

if (import.meta.main && process.env[PREPARED] === undefined) {
  try {
    await prepare(stateDir());
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
