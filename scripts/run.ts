/** Runs the tools of node_modules under the Node that runs this script (24, from the platform packages). */
import { spawn, type SpawnOptions } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { inRoot, ROOT } from "./paths.ts";

/**
 * No telemetry, no banner, no look-ups: a local server asks nobody anything. The same as in `.env`, which
 * is for a wrangler that somebody starts by hand.
 */
const TOOL_SETTINGS: Readonly<Record<string, string>> = {
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
};

/** The environment for a tool. Started by a test runner or not, it builds the same. */
export function toolEnv(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const { NODE_ENV: _env, VITEST: _vitest, ...inherited } = process.env;
  return { ...inherited, ...TOOL_SETTINGS, ...extra };
}

const require = createRequire(inRoot("package.json"));

/** Path of a package's command. */
export function binOf(packageName: string, command = packageName): string {
  const manifest = findManifest(packageName);
  const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { bin?: string | Record<string, string> };
  const file = typeof bin === "string" ? bin : bin?.[command];
  if (!file) throw new Error(`${packageName} has no command ${command}`);
  return join(dirname(manifest), file);
}

function findManifest(packageName: string): string {
  for (const folder of require.resolve.paths(packageName) ?? []) {
    const manifest = join(folder, packageName, "package.json");
    try {
      readFileSync(manifest);
      return manifest;
    } catch {
      // Not in this folder: the next one up.
    }
  }
  throw new Error(`${packageName} isn't installed: run npm ci`);
}

export interface Ran {
  readonly code: number;
  /** Standard output and error, in the order they came. */
  readonly output: string;
}

export interface RunOptions {
  /** The repository's root when left out. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Print as it comes, too. */
  readonly isShown?: boolean;
  readonly timeoutMs?: number;
}

/** Runs a command of node_modules to its end. A non-zero exit is a value, not an exception. */
export function runTool(
  packageName: string,
  args: readonly string[],
  options: RunOptions = {},
  command = packageName,
): Promise<Ran> {
  return run(process.execPath, [binOf(packageName, command), ...args], options);
}

export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const settings: SpawnOptions = {
    cwd: options.cwd ?? ROOT,
    env: toolEnv(options.env),
    stdio: ["ignore", "pipe", "pipe"],
    ...(options.timeoutMs === undefined ? {} : { timeout: options.timeoutMs, killSignal: "SIGKILL" as const }),
  };
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args], settings);
    // What this script was ended in the midst of is of no use to anybody.
    const end = (): unknown => child.kill("SIGKILL");
    process.prependOnceListener("exit", end);
    child.once("close", () => process.off("exit", end));
    let output = "";
    const take = (chunk: Buffer): void => {
      output += chunk.toString();
      if (options.isShown) process.stdout.write(chunk);
    };
    child.stdout?.on("data", take);
    child.stderr?.on("data", take);
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}
