/**
 * `npm run try-in -- firefox`: the main job without a network in another browser than the tests run in, by the same
 * tests: to post, to be cut off, to start again and to be back. Firefox comes from the system (`FIREFOX_PATH`).
 *
 *   npm run try-in -- firefox e2e/search.e2e.ts      other files of the browser tests
 *
 * What only Chromium can be asked for (a crash, a phone, a quota) fails there. So does typing in two tabs at once, for in
 * Firefox only one has the focus, as for a person.
 */
import { runTool } from "./run.ts";

const BROWSERS = ["chromium", "firefox"];
/** Not the portal: Firefox reports its redirect to another site as one that the page's policy forbids, which it does. */
const MAIN_JOB = ["e2e/offline.e2e.ts", "--testNamePattern", "plug pulled|cold start"];

const [browser = "", ...files] = process.argv.slice(2);
if (!BROWSERS.includes(browser)) {
  process.stderr.write(`npm run try-in -- ${BROWSERS.join("|")} [file …]\n`);
  process.exit(1);
}
const asked = files.length > 0 ? files : MAIN_JOB;
const ran = await runTool("vitest", ["run", "--project", "browser", "--maxWorkers=1", "--reporter=verbose", ...asked], {
  isShown: true,
  env: { BROWSER: browser },
});
process.exitCode = ran.code;
