/** The product itself, built, on a free port and on data of its own; to be killed and started again. */
import { randomInt } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Server, startServer } from "../../scripts/server.ts";
import { removeFolder } from "./folder.ts";
import { copyState, type Snapshot } from "./snapshot.ts";

export interface App {
  readonly url: string;
  readonly port: number;
  /** Stops and removes the data. */
  stop(): Promise<void>;
  /** SIGKILL to everything at once. The data stays for `start`. */
  kill(): Promise<void>;
  /** Starts again on the same port and data. */
  start(): Promise<void>;
  /** `kill` and `start`. */
  restart(): Promise<void>;
}

/** `vars`: variables of the Worker, such as `ROOM_TOKEN_SECONDS` or `OPEN_SIGNUP`. */
export async function launchApp(snapshot: Snapshot, vars: Readonly<Record<string, string>> = {}): Promise<App> {
  const state = mkdtempSync(join(tmpdir(), "causeway-app-"));
  copyState(snapshot, state);
  const port = await freePort();
  const launch = (): Promise<Server> => startServer({ port, state, vars, config: snapshot.config });
  const removeState = (): void => removeFolder(state);
  let server = await launch().catch((error: unknown) => {
    removeState();
    throw error;
  });
  const app: App = {
    url: server.url,
    port,
    async stop() {
      await server.stop();
      removeState();
    },
    kill: () => server.kill(),
    async start() {
      server = await launch();
    },
    async restart() {
      await app.kill();
      await app.start();
    },
  };
  return app;
}

/**
 * Below what systems give to whoever asks for any port: while a server starts, or between its kill and its next start,
 * a proxy or a connection of another test could get its port otherwise. The reader's own, 8787, isn't among them.
 */
const PORTS = { from: 20_000, to: 32_000 } as const;

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once("error", () => resolve(false));
      probe.listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }
}
