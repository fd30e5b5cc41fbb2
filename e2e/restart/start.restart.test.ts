/** `npm start`, as a newcomer types it: one line, and the next start finds everything. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { ROOT } from "../../scripts/paths.ts";
import { toolEnv } from "../../scripts/run.ts";
import { freePort } from "../rig/app.ts";
import { removeFolder } from "../rig/folder.ts";
import { Person } from "../rig/people.ts";

const state = mkdtempSync(join(tmpdir(), "causeway-start-"));
let running: Started | undefined;

interface Started {
  readonly npm: ChildProcess;
  /** All that was printed. */
  readonly output: () => string;
  readonly ended: Promise<unknown>;
}

function start(port: number): Started {
  const npm = spawn("npm", ["start", "--silent"], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    env: toolEnv({ PORT: String(port), STATE_DIR: state }),
  });
  let output = "";
  for (const stream of [npm.stdout, npm.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise((resolve) => npm.once("close", resolve));
  return { npm, output: () => output, ended };
}

/** The command lines of those that bear this state's name in their environment. */
function commands(): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    try {
      const isOurs = readFileSync(`/proc/${pid}/environ`, "utf8").includes(`STATE_DIR=${state}`);
      return isOurs ? [readFileSync(`/proc/${pid}/cmdline`, "utf8")] : [];
    } catch {
      // No process, or gone by now.
      return [];
    }
  });
}

afterEach(async () => {
  running?.npm.kill("SIGTERM");
  await running?.ended;
  removeFolder(state);
});

test.skipIf(!existsSync("/proc"))(
  "leaves nothing running where npm is ended while the pages are built",
  async () => {
    running = start(await freePort());
    await expect.poll(() => commands().join("\n"), { timeout: 60_000 }).toContain("wrangler");
    running.npm.kill("SIGTERM");
    await expect.poll(commands, { timeout: 20_000 }).toEqual([]);
    expect(running.output()).toBe("");
  },
  90_000,
);

test("prints one line, stops with all that it started when npm is ended, and keeps keys and data", async () => {
  const port = await freePort();
  const line = `Causeway is running at http://localhost:${port}\n`;
  const isRunning = async (): Promise<void> => {
    await expect.poll(() => running?.output(), { timeout: 180_000 }).toBe(line);
  };
  const answer = (): Promise<unknown> => fetch(`http://localhost:${port}/healthz`).catch(() => "none");

  running = start(port);
  await isRunning();
  const ana = await Person.signUp(`http://localhost:${port}`, "Ana");
  const { workspace } = await ana.createWorkspace("Harbour");
  running.npm.kill("SIGTERM");
  await running.ended;
  await expect.poll(answer, { timeout: 15_000 }).toBe("none");

  running = start(port);
  await isRunning();
  expect((await ana.me()).workspaces).toMatchObject([{ id: workspace.id, role: "owner" }]);
}, 400_000);
