/** `npm run dev`: Vite with hot reload on 5173, in front of `wrangler dev` (PORT, 8787), which serves all but the pages. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { buildPages } from "./build.ts";
import { migrate } from "./migrate.ts";
import { DIST, ROOT, stateDir } from "./paths.ts";
import { binOf } from "./run.ts";
import { ensureSecrets } from "./secrets.ts";
import { startServer } from "./server.ts";
import { onStop } from "./signals.ts";

const port = Number(process.env["PORT"] ?? 8787);

ensureSecrets();
// wrangler wants a folder of pages; Vite serves the living ones.
await Promise.all([migrate(stateDir()), existsSync(join(DIST, "index.html")) ? undefined : buildPages()]);
const server = await startServer({ port, state: stateDir(), onError: (line) => process.stderr.write(`${line}\n`) });
const vite = spawn(process.execPath, [binOf("vite")], {
  cwd: ROOT,
  stdio: "inherit",
  env: { ...process.env, API_PORT: String(port) },
});
onStop(() => vite.kill("SIGTERM"));
vite.on("exit", (code) => void server.stop().then(() => process.exit(code ?? 0)));
void server.ended.then(() => vite.kill("SIGTERM"));
