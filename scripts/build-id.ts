/** What `/config.json`, `/healthz` and the status page call this build. */
import { readFileSync } from "node:fs";
import { inRoot } from "./paths.ts";
import { run } from "./run.ts";

/** The version, and the commit where the clone is one. */
export async function buildId(): Promise<string> {
  const { version } = JSON.parse(readFileSync(inRoot("package.json"), "utf8")) as { version: string };
  const commit = await run("git", ["rev-parse", "--short", "HEAD"]).catch(() => undefined);
  return commit?.code === 0 ? `${version}+${commit.output.trim()}` : version;
}
