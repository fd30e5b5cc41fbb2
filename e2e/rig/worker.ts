/**
 * The built Worker in plain miniflare: no proxy, no pages, ready in half a second, and started again on the
 * same data. What wrangler adds is left to the browser tests.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { inject } from "vitest";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { persistDir } from "../../scripts/paths.ts";
import { copyState } from "./snapshot.ts";

export interface BuiltWorker {
  readonly url: string;
  /** Ends the process with everything in memory, and starts another on the same data. */
  restart(): Promise<void>;
  /** Stops and removes the data. */
  stop(): Promise<void>;
}

export async function startWorker(): Promise<BuiltWorker> {
  const snapshot = inject("snapshot");
  const state = mkdtempSync(join(tmpdir(), "causeway-worker-"));
  copyState(snapshot, state);
  const {
    modulesRules: _rules,
    assets: _assets,
    ...worker
  } = unstable_getMiniflareWorkerOptions(snapshot.config).workerOptions;
  const launch = (port: number): Miniflare =>
    new Miniflare({
      ...convertV4MiniflareOptions({
        workers: [
          {
            ...worker,
            name: "causeway",
            modules: true,
            scriptPath: join(dirname(snapshot.config), "worker", "worker.js"),
          },
        ],
      }),
      host: "127.0.0.1",
      port,
      // The converter drops the older names of this option without a word.
      resourcePersistencePath: join(persistDir(state), "v3"),
    });
  let miniflare = launch(0);
  const { origin, port } = await miniflare.ready;
  return {
    url: origin,
    async restart() {
      await miniflare.dispose();
      miniflare = launch(Number(port));
      await miniflare.ready;
    },
    async stop() {
      await miniflare.dispose();
      rmSync(state, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
