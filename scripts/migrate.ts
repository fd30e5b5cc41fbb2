/** Applies the database migrations to a local state folder; costs nothing when they have been. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inRoot, persistDir } from "./paths.ts";
import { runTool } from "./run.ts";

const MIGRATIONS = inRoot("edge", "db", "migrations");

export async function migrate(state: string): Promise<void> {
  const persist = persistDir(state);
  // Beside the database, so that deleting the database deletes the mark.
  const database = join(persist, "v3", "d1");
  const mark = join(database, "migrated.sha256");
  const wanted = fingerprint();
  if (existsSync(mark) && readFileSync(mark, "utf8") === wanted) return;
  const applied = await runTool("wrangler", ["d1", "migrations", "apply", "DB", "--local", "--persist-to", persist]);
  if (applied.code !== 0) throw new Error(`The database can't be migrated.\n${applied.output}`);
  mkdirSync(database, { recursive: true });
  writeFileSync(mark, wanted);
}

function fingerprint(): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(MIGRATIONS)
    .filter((file) => file.endsWith(".sql"))
    .sort()) {
    hash
      .update(name)
      .update("\0")
      .update(readFileSync(join(MIGRATIONS, name)))
      .update("\0");
  }
  return hash.digest("hex");
}
