// The search worker as the engine wants it handed in.
// oxlint-disable-next-line import/default -- the build makes an address of it
import address from "../sync/search/worker.ts?worker&url";
import type { FromWorker } from "../sync/search/asked.ts";
import type { SearchPort } from "../sync/search/worker-link.ts";
import { scriptAddress } from "./script-address.ts";

export function openSearchWorker(): SearchPort {
  // While developing it comes from where its source stands.
  const worker = new Worker(import.meta.env.PROD ? scriptAddress(address) : address, { type: "module" });
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no target
    send: (message) => worker.postMessage(message),
    listen: (listener) => {
      worker.addEventListener("message", (event: MessageEvent<FromWorker>) => listener(event.data));
      worker.addEventListener("error", () => listener(null));
    },
    end: () => worker.terminate(),
  };
}
