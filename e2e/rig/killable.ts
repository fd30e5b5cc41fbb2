/** A Chromium on a profile of its own whose process can be killed with everything in memory, and started again. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { findChromium, PLAIN_CHROMIUM_ARGS } from "./chromium.ts";
import { removeFolder } from "./folder.ts";

export interface Killable {
  /** Starts it on the profile as it was left. */
  launch(): Promise<BrowserContext>;
  /** SIGKILL to all of its processes. */
  kill(): Promise<void>;
  /** Kills it and removes the profile. */
  remove(): Promise<void>;
}

const READY_WITHIN_MS = 30_000;
const ARGS = ["--headless", ...PLAIN_CHROMIUM_ARGS, "--disable-gpu", "--no-first-run", "--hide-scrollbars"];

/**
 * @param folder the profile; one of its own if left out
 * @param noDefaults as Playwright means it: else every page takes itself for the one in front, and only one that is out
 *   of sight can be frozen
 */
export function startKillable(
  folder = mkdtempSync(join(tmpdir(), "causeway-killable-")),
  { noDefaults = false } = {},
): Killable {
  let child: ChildProcess | null = null;
  let browser: Browser | null = null;
  const kill = async (): Promise<void> => {
    const running = child;
    child = null;
    if (running === null) return;
    const ended = new Promise((resolve) => running.once("close", resolve));
    // A group of its own: renderers end with it.
    if (running.exitCode === null) process.kill(-running.pid!, "SIGKILL");
    await ended;
    await browser?.close().catch(() => undefined);
  };
  return {
    async launch() {
      const executable = findChromium();
      if (executable === undefined) throw new Error("No Chromium on this machine: install it, or set CHROMIUM_PATH.");
      const portFile = join(folder, "DevToolsActivePort");
      rmSync(portFile, { force: true });
      const args = [...ARGS, "--remote-debugging-port=0", `--user-data-dir=${folder}`, "about:blank"];
      child = spawn(executable, args, { detached: true, stdio: "ignore" });
      const deadline = Date.now() + READY_WITHIN_MS;
      for (;;) {
        const [port, path] = read(portFile).split("\n");
        if (port && path) {
          browser = await chromium.connectOverCDP(`ws://127.0.0.1:${port}${path}`, { noDefaults });
          break;
        }
        if (Date.now() > deadline || child.exitCode !== null) throw new Error("Chromium didn't start");
        await after(20);
      }
      return browser.contexts()[0]!;
    },
    kill,
    async remove() {
      await kill();
      removeFolder(folder);
    },
  };
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
