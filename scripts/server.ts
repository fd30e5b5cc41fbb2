/** Starts one quiet `wrangler dev` and stops all of it: wrangler, and the workerd processes it starts. */
import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PREPARED } from "./prepare.ts";
import { binOf, toolEnv } from "./run.ts";
import { persistDir, ROOT } from "./paths.ts";

export interface ServerOptions {
  readonly port: number;
  /** Database, rooms, files and the log. */
  readonly state: string;
  /** Variables of the Worker, over those of `.dev.vars`. */
  readonly vars?: Readonly<Record<string, string>>;
  /** Another wrangler configuration: the browser tests run one of a finished build, which no edit restarts. */
  readonly config?: string;
  /** Called with each error line that the server prints. */
  readonly onError?: (line: string) => void;
}

export interface Server {
  readonly url: string;
  /** Of the whole process group. */
  readonly pid: number;
  /** Settles when the process has ended, whoever ended it. */
  readonly ended: Promise<number>;
  /** Asks to stop, then insists. */
  stop(): Promise<void>;
  /** Pulls the plug: SIGKILL to the whole group. */
  kill(): Promise<void>;
  /** The newest lines of the log. */
  logTail(): string;
}

const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 5_000;
const POLL_MS = 100;

/** Resolves when `/healthz` answers; rejects with the end of the log when it never does. */
export async function startServer(options: ServerOptions): Promise<Server> {
  mkdirSync(options.state, { recursive: true });
  const logFile = join(options.state, "server.log");
  const log = createWriteStream(logFile);
  const child = spawn(process.execPath, [binOf("wrangler"), ...argsFor(options)], {
    cwd: ROOT,
    // A group of its own: wrangler's children end with it.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: toolEnv({
      [PREPARED]: "1",
      // Servers side by side have one name; a shared registry would make them find each other.
      WRANGLER_REGISTRY_PATH: join(options.state, "registry"),
      WRANGLER_LOG_PATH: join(options.state, "wrangler-logs"),
    }),
  });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  if (options.onError) passErrors(child, options.onError);
  const pid = child.pid;
  if (pid === undefined) throw new Error("wrangler can't be started");
  const watchdog = guard(pid);
  const ended = new Promise<number>((resolve) => {
    child.on("close", (code) => {
      watchdog.kill("SIGKILL");
      log.end();
      resolve(code ?? 1);
    });
  });
  const server: Server = {
    url: `http://localhost:${options.port}`,
    pid,
    ended,
    async stop() {
      signalGroup(pid, "SIGTERM");
      const insist = setTimeout(() => signalGroup(pid, "SIGKILL"), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(insist);
      // Wrangler may have ended before what it started.
      signalGroup(pid, "SIGKILL");
    },
    async kill() {
      signalGroup(pid, "SIGKILL");
      await ended;
    },
    logTail: () => readFileSync(logFile, "utf8").split("\n").slice(-40).join("\n"),
  };
  await ready(server, options.port);
  return server;
}

function argsFor({ port, state, vars, config }: ServerOptions): string[] {
  return [
    "dev",
    ...(config ? ["--config", config] : []),
    "--port",
    String(port),
    "--inspector-port",
    "0",
    "--persist-to",
    persistDir(state),
    "--show-interactive-dev-session=false",
    ...Object.entries(vars ?? {}).flatMap(([key, value]) => ["--var", `${key}:${value}`]),
  ];
}

/** Ends the group even when this process is killed and can't: `read` returns when our end of the pipe closes. */
function guard(pid: number): ChildProcess {
  return spawn("sh", ["-c", 'read _; kill -9 -"$0" 2>/dev/null', String(pid)], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function passErrors(child: ChildProcess, onError: (line: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) {
    let rest = "";
    stream?.on("data", (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line.includes("[ERROR]")) onError(line);
    });
  }
}

async function ready(server: Server, port: number): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  let hasEnded = false;
  void server.ended.then(() => (hasEnded = true));
  while (!(await answers(port))) {
    if (hasEnded) throw new Error(`The server didn't start.\n${server.logTail()}`);
    if (Date.now() > deadline) {
      await server.kill();
      throw new Error(
        `The server gave no answer on port ${port} within ${READY_TIMEOUT_MS / 1000} s.\n${server.logTail()}`,
      );
    }
    await after(POLL_MS);
  }
}

async function answers(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
