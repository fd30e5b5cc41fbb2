/**
 * `npm run update-from -- <commit>`: builds an earlier commit of ours, and plays what somebody who has its pages open,
 * with things queued, goes through when this one is deployed, and who has this one's while that one's Worker runs
 * (e2e/releases). Needs the history, so a full clone.
 */
import { join } from "node:path";
import { ROOT } from "./paths.ts";
import { run, runTool } from "./run.ts";
import { scratchFolder, withUndo } from "./undo.ts";

const [commit, ...others] = process.argv.slice(2);
if (commit === undefined || others.length > 0) {
  console.error("Which commit? npm run update-from -- <commit>");
  process.exit(2);
}

const code = await withUndo(async (undo) => {
  const folder = scratchFolder(undo, "update-from");
  const archive = join(folder, "earlier.tar");
  const earlier = join(folder, "earlier");
  console.log(`Building ${commit}`);
  await must("git", ["archive", "--prefix=earlier/", `--output=${archive}`, commit], ROOT);
  await must("tar", ["-xf", archive, "-C", folder], folder);
  await must("npm", ["ci", "--no-audit", "--no-fund"], earlier);
  await must("npm", ["run", "build"], earlier);
  const [pages, worker] = [join(earlier, "web", "dist"), join(folder, "worker")];
  await must("npx", ["wrangler", "deploy", "--dry-run", "--outdir", worker, "--assets", pages], earlier);
  const env = { EARLIER_PAGES: pages, EARLIER_WORKER: worker };
  return (await runTool("vitest", ["run", "--project", "releases"], { env, isShown: true })).code;
});
process.exit(code);

/** A commit's own tools, under its own lock file. */
async function must(command: string, args: readonly string[], cwd: string): Promise<void> {
  const { code: exit, output } = await run(command, args, { cwd });
  if (exit !== 0) throw new Error(`${command} ${args.join(" ")} failed.\n${output}`);
}
