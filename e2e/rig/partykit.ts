/** The rooms alone, on PartyKit's own host, as `partykit.json` names them. No edge, no pages. */
import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../../scripts/paths.ts";
import { binOf, toolEnv } from "../../scripts/run.ts";
import { freePort } from "./app.ts";
import { removeFolder } from "./folder.ts";

export interface PartyKit {
  readonly url: string;
  /** SIGKILL, and another on the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const READY_TIMEOUT_MS = 30_000;

export async function startPartyKit(vars: Readonly<Record<string, string>>): Promise<PartyKit> {
  const state = mkdtempSync(join(tmpdir(), "causeway-partykit-"));
  const port = await freePort();
  let child = await launch(port, state, vars);
  return {
    url: `http://127.0.0.1:${port}`,
    async restart() {
      await kill(child);
      child = await launch(port, state, vars);
    },
    async stop() {
      await kill(child);
      removeFolder(state);
    },
  };
}

async function launch(port: number, state: string, vars: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const log = join(state, "server.log");
  const child = spawn(
    process.execPath,
    [
      binOf("partykit"),
      "dev",
      "--port",
      String(port),
      "--persist",
      join(state, "rooms"),
      "--disable-request-cf-fetch",
      "--no-hotkeys",
      ...Object.entries(vars).flatMap(([key, value]) => ["--var", `${key}=${value}`]),
    ],
    { cwd: ROOT, detached: true, stdio: ["ignore", "pipe", "pipe"], env: toolEnv() },
  );
  const sink = createWriteStream(log);
  child.stdout.pipe(sink, { end: false });
  child.stderr.pipe(sink, { end: false });
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!(await answers(port))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await kill(child);
      throw new Error(`partykit dev didn't start.\n${readFileSync(log, "utf8")}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const closed = new Promise((resolve) => child.once("close", resolve));
  if (child.exitCode !== null || child.pid === undefined) return;
  process.kill(-child.pid, "SIGKILL");
  await closed;
}

/** Any answer will do: a port that is open may still have nobody behind it. */
async function answers(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/parties/workspace/nobody`, {
      signal: AbortSignal.timeout(2_000),
    });
    await response.body?.cancel();
    return true;
  } catch {
    return false;
  }
}
