/**
 * `npm start`: the whole product on this machine, in one process tree, with no account and no internet.
 * PORT (8787) and STATE_DIR (.wrangler) let several run side by side; KEY=value arguments set variables
 * of the Worker.
 */
import { createServer } from "node:net";
import { buildId } from "./build-id.ts";
import { stateDir } from "./paths.ts";
import { prepare } from "./prepare.ts";
import { startServer } from "./server.ts";
import { onStop } from "./signals.ts";

const port = Number(process.env["PORT"] ?? 8787);
const vars = Object.fromEntries(
  process.argv.slice(2).map((argument) => {
    const at = argument.indexOf("=");
    if (at < 1) fail(`${argument}: variables are given as KEY=value`);
    return [argument.slice(0, at), argument.slice(at + 1)];
  }),
);

if (!Number.isInteger(port) || port < 1 || port > 65_535) fail(`PORT=${process.env["PORT"]} is no port`);
if (!(await isFree(port))) fail(`Port ${port} is taken. Stop what runs there, or choose another: PORT=8788 npm start`);

let isStopping = false;
/** Until there is a server to stop, nothing has to be ended in order. */
let stop = (): void => process.exit();
// Whoever gives up while the pages are built leaves nothing running.
onStop(() => {
  isStopping = true;
  stop();
});

try {
  await prepare(stateDir());
  const server = await startServer({
    port,
    state: stateDir(),
    vars: { BUILD: await buildId(), ...vars },
    onError: (line) => process.stderr.write(`${line}\n`),
  });
  stop = () => void server.stop();
  process.stdout.write(`Causeway is running at ${server.url}\n`);
  const code = await server.ended;
  if (!isStopping) fail(`The server ended by itself (${code}).\n${server.logTail()}`);
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function isFree(candidate: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(candidate, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
