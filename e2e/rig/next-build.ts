/**
 * The next version of the app: a real build of the sources with a later form of the database. Changing a copy of the
 * sources, rather than what was built, means that page and service worker are a build as a release has it.
 */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binOf, run } from "../../scripts/run.ts";
import { inRoot } from "../../scripts/paths.ts";

/** What the next version's own migration does, as source, with `db` and `tx` of the upgrade. */
export interface NextBuild {
  readonly migration?: string;
}

const SOURCES = ["web", "party/protocol", "package.json", "tsconfig.json", "vite.config.ts"];
const LEFT_OUT = /\/(?:dist|\.tsbuild|test|node_modules)$/;

/** Builds into `pages`; `folder` is where the copy is made. */
export async function makeNextBuild(folder: string, pages: string, { migration }: NextBuild = {}): Promise<void> {
  mkdirSync(join(folder, "party"), { recursive: true });
  for (const path of SOURCES) {
    cpSync(inRoot(path), join(folder, path), { recursive: true, filter: (from) => !LEFT_OUT.test(from) });
  }
  symlinkSync(inRoot("node_modules"), join(folder, "node_modules"));
  change(folder, "web/index.html", "</head>", '<meta name="build" content="next" /></head>');
  change(folder, "web/ui/strings.ts", 'someone: "someone"', 'someone: "someone else"');
  if (migration !== undefined) {
    const list = "export const MIGRATIONS: readonly Migration[] = [";
    const schema = readFileSync(join(folder, "web/store/schema.ts"), "utf8");
    const end = schema.indexOf("\n];", schema.indexOf(list));
    if (end < 0) throw new Error("schema.ts lists its migrations in another way");
    const next = `${schema.slice(0, end)}\n  (db, tx) => {\n${migration}\n  },${schema.slice(end)}`;
    writeFileSync(join(folder, "web/store/schema.ts"), next);
  }
  const built = await run(process.execPath, [
    binOf("vite"),
    "build",
    "--config",
    join(folder, "vite.config.ts"),
    "--logLevel",
    "warn",
    "--outDir",
    pages,
  ]);
  if (built.code !== 0) throw new Error(`The next version doesn't build.\n${built.output}`);
}

function change(folder: string, path: string, from: string, to: string): void {
  const text = readFileSync(join(folder, path), "utf8");
  if (!text.includes(from)) throw new Error(`${path} has no ${from}`);
  writeFileSync(join(folder, path), text.replace(from, to));
}
