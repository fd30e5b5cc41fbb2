/** One person's connection to the server, through a proxy of their own, and what breaks on it. */
import { setTimeout as after } from "node:timers/promises";
import { type Proxy, startProxy } from "../../e2e/rig/proxy.ts";
import type { Cut } from "./plan.ts";
import { until } from "./until.ts";

/** A cut of what is down already would prove nothing: it waits for a connection first, but not for ever. */
const CONNECTED_WITHIN_MS = 40_000;

export interface Line {
  readonly url: string;
  /** Bytes are lost from now on, what is sent next among them; a line that is broken already breaks again later. */
  readonly breakAs: (cut: Cut) => void;
  /** Cuts that hit an open connection. */
  readonly cutCount: () => number;
  /** When all that was asked for has been broken and mended. */
  readonly settled: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function openLine(port: number): Promise<Line> {
  const proxy = await startProxy(port);
  const waiting: Cut[] = [];
  let breaking: Promise<void> | null = null;
  let cutCount = 0;

  const breakAll = async (): Promise<void> => {
    for (let cut = waiting.shift(); cut !== undefined; cut = waiting.shift()) {
      if (proxy.connectionCount === 0) await until(() => proxy.connectionCount > 0, CONNECTED_WITHIN_MS);
      if (proxy.connectionCount > 0) cutCount += 1;
      await breakOnce(proxy, cut);
    }
    breaking = null;
  };

  return {
    url: proxy.url,
    breakAs: (cut) => {
      waiting.push(cut);
      breaking ??= breakAll();
    },
    cutCount: () => cutCount,
    settled: () => breaking ?? Promise.resolve(),
    close: () => proxy.close(),
  };
}

async function breakOnce(proxy: Proxy, { how, lossMs, downMs }: Cut): Promise<void> {
  if (how === "lost-ack") proxy.swallowDown();
  else if (how === "dead-line") proxy.dropUp();
  else if (how === "hang") proxy.hang();
  await after(lossMs);
  if (how !== "hang") {
    proxy.cut();
    await after(downMs);
  }
  proxy.up();
}
