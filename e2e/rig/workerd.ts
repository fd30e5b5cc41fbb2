/** The built Worker in plain miniflare: nothing between a client and workerd, and started again on the same data. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { persistDir } from "../../scripts/paths.ts";
import { removeFolder } from "./folder.ts";
import { copyState, type Snapshot } from "./snapshot.ts";

export interface BuiltWorker {
  readonly url: string;
  /** Ends the process with everything in memory, and starts another on the same data. */
  restart(): Promise<void>;
  /** Stops and removes the data. */
  stop(): Promise<void>;
}

/** @param pages whether it serves the app as well; without it is ready in half a second */
export async function startBuilt(snapshot: Snapshot, pages: "with pages" | "rooms only"): Promise<BuiltWorker> {
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
            ...(pages === "with pages" ? { assets: assetsOf(snapshot) } : {}),
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
      removeFolder(state);
    },
  };
}

/** As wrangler.toml has them: the Worker answers every request. */
function assetsOf({ config }: Snapshot): {
  readonly directory: string;
  readonly binding: string;
  readonly routerConfig: Readonly<Record<"has_user_worker" | "invoke_user_worker_ahead_of_assets", boolean>>;
} {
  return {
    directory: join(dirname(config), "pages"),
    binding: "ASSETS",
    routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: true },
  };
}
