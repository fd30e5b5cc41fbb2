/** The rooms in plain miniflare: no proxy, no pages. What wrangler adds is left to the browser tests. */
import { inject } from "vitest";
import { type BuiltWorker, startBuilt } from "./workerd.ts";

export type { BuiltWorker } from "./workerd.ts";

export const startWorker = (): Promise<BuiltWorker> => startBuilt(inject("snapshot"), "rooms only");
