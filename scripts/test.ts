/**
 * `npm test`: everything that must hold, from formatting to real browsers, and one line at the end:
 * `N passed, N failed`. Each static check counts as one, each test as one.
 *
 *   npm test -- --static         only the checks that start no test runner (npm run check)
 *   npm test -- --only unit,rooms
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findChromium } from "../e2e/rig/chromium.ts";
import { removeFolder } from "../e2e/rig/folder.ts";
import { makeSnapshot, pagesOf, SNAPSHOT } from "../e2e/rig/snapshot.ts";
import { type Ran, run, runTool } from "./run.ts";
import { type Count, countOf, enoughOf } from "./test-report.ts";
import { UNTIL_MS } from "./until.ts";

interface Step {
  readonly name: string;
  readonly isStatic: boolean;
  readonly run: () => Promise<Count>;
}

/**
 * All of `npm test` is to stay under 35 minutes on two cores, and takes more than 60 where those are half as fast; a step
 * beyond this hangs. Where `.ci/run` says when no more tests are begun, those that were have some minutes to end.
 */
const STEP_TIMEOUT_MS = 75 * 60_000;
const ENDS_WITHIN_MS = 5 * 60_000;
const patienceMs = (): number => Math.max(1_000, Math.min(STEP_TIMEOUT_MS, UNTIL_MS + ENDS_WITHIN_MS - Date.now()));
const PASSED: Count = { passed: 1, failed: 0, skipped: 0, notRun: [], failures: [] };
const FAILED: Count = { ...PASSED, passed: 0, failed: 1 };

const isStaticOnly = process.argv.includes("--static");

const script = (file: string, ...args: string[]): Promise<Ran> => run(process.execPath, [`scripts/${file}`, ...args]);

/**
 * One line after the other; what stands on one line is side by side, as none of it fills the machine. Two browsers do: three
 * took as long, and were late wherever something waits for them.
 */
const steps: readonly (readonly Step[])[] = [
  [
    check("format", () => runTool("oxfmt", ["--check"])),
    check("lint", () => runTool("oxlint", [])),
    check("types", () => runTool("typescript", ["-b"], {}, "tsc")),
    check("rules", () => script("rules.ts"), true),
    check("dead-code", () => runTool("knip", ["--no-progress"])),
    check("bundle-size", () => (isStaticOnly ? script("bundle-size.ts") : bundleSizeOfBuild()), true),
  ],
  [
    runs("unit", () => vitest(["unit"])),
    runs("rooms", () => vitest(["rooms"])),
    runs("restart", () => served(["restart"])),
  ],
  // In one run: of two, each ends with one processor idle behind its last file.
  [runs("browsers", () => browser(["browser", "faults"]))],
];

/** A command whose exit code is the result; its output is shown when it fails, or when it is a report. */
function check(name: string, command: () => Promise<Ran>, isReport = false): Step {
  return {
    name,
    isStatic: true,
    async run() {
      const { code, output } = await command();
      if (code !== 0 || isReport) process.stdout.write(output.endsWith("\n") ? output : `${output}\n`);
      return code === 0 ? PASSED : FAILED;
    },
  };
}

function runs(name: string, test: () => Promise<Count>): Step {
  return { name, isStatic: false, run: test };
}

/** What the steps serve that need the app: one build for all of them. */
let build: { readonly folder: string; readonly making: Promise<unknown> } | null = null;

async function built(): Promise<string> {
  if (build === null) {
    const folder = mkdtempSync(join(tmpdir(), "causeway-build-"));
    build = { folder, making: makeSnapshot(folder) };
  }
  await build.making;
  return build.folder;
}

async function served(projects: readonly string[]): Promise<Count> {
  return vitest(projects, { [SNAPSHOT]: await built() });
}

async function bundleSizeOfBuild(): Promise<Ran> {
  return script("bundle-size.ts", pagesOf(await built()));
}

function removeBuild(): void {
  if (build !== null) removeFolder(build.folder);
}

async function vitest(projects: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Count> {
  const folder = mkdtempSync(join(tmpdir(), "causeway-test-"));
  const file = join(folder, "report.json");
  try {
    const ran = await runTool(
      "vitest",
      [
        "run",
        ...projects.flatMap((project) => ["--project", project]),
        "--passWithNoTests",
        "--reporter=default",
        "--reporter=json",
        `--outputFile=${file}`,
      ],
      { isShown: true, timeoutMs: patienceMs(), env },
    );
    return countOf(existsSync(file) ? readFileSync(file, "utf8") : undefined, ran);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function browser(projects: readonly string[]): Promise<Count> {
  await installChromium();
  if (!findChromium()) {
    console.log(
      "The browser tests need Chromium: install it (on Debian or Ubuntu: apt-get install chromium), or set CHROMIUM_PATH.",
    );
    return FAILED;
  }
  return enoughOf(await served(projects));
}

/** On Debian as root, as in a fresh container, the machine's own package manager has it. */
async function installChromium(): Promise<void> {
  if (findChromium()) return;
  if (process.env["CHROMIUM_PATH"] || !existsSync("/etc/debian_version") || process.getuid?.() !== 0) return;
  console.log("Installing Chromium (apt-get install chromium)");
  const settings = { env: { DEBIAN_FRONTEND: "noninteractive" } };
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", "chromium"]]) {
    const { code, output } = await run("apt-get", args, settings);
    if (code === 0) continue;
    console.log(output);
    return;
  }
}

function chosen(): readonly (readonly Step[])[] {
  const args = process.argv.slice(2);
  const at = args.indexOf("--only");
  const names = at < 0 ? null : new Set((args[at + 1] ?? "").split(","));
  const known = steps.flatMap((line) => line.map(({ name }) => name));
  const unknown = names === null ? [] : [...names].filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    console.log(`No step is called ${unknown.join(", ")}. There are ${known.join(", ")}.`);
    process.exit(2);
  }
  return steps.map((line) => line.filter((step) => names?.has(step.name) ?? (step.isStatic || !isStaticOnly)));
}

async function play(step: Step): Promise<void> {
  const from = Date.now();
  console.log(`\n── ${step.name}`);
  const count = await step.run().catch((error: unknown) => {
    console.log(error instanceof Error ? error.message : error);
    return FAILED;
  });
  total.passed += count.passed;
  total.failed += count.failed;
  total.skipped += count.skipped;
  if (count.failed > 0) failedSteps.push(step.name);
  notRun.push(...count.notRun);
  failures.push(...count.failures.map((failure) => `── ${step.name}: ${failure}`));
  console.log(
    `── ${step.name}: ${count.failed > 0 ? "failed" : "passed"} in ${((Date.now() - from) / 1000).toFixed(1)} s`,
  );
}

const total = { passed: 0, failed: 0, skipped: 0 };
const failedSteps: string[] = [];
const notRun: string[] = [];
const failures: string[] = [];
for (const line of chosen()) await Promise.all(line.map(play));
removeBuild();
for (const file of notRun) console.log(`\nNot run: ${file}`);
for (const failure of failures) console.log(`\n${failure}`);
if (failedSteps.length > 0) console.log(`\nFailed: ${failedSteps.join(", ")}`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : "";
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = total.failed > 0 ? 1 : 0;
