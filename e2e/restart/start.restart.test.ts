/** `npm start`, as a newcomer types it: one line, and the next start finds everything. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
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

afterEach(async () => {
  running?.npm.kill("SIGTERM");
  await running?.ended;
  removeFolder(state);
});

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
