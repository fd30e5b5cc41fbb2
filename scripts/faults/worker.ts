/** One line of episodes: a world of its own, made anew whenever an episode broke off in it. */
import { setTimeout as after } from "node:timers/promises";
import { type Browser, chromium } from "playwright-core";
import { CHROMIUM_ARGS, findChromium } from "../../e2e/rig/chromium.ts";
import type { Snapshot } from "../../e2e/rig/snapshot.ts";
import { type Episode, type EpisodeOptions, runEpisode } from "./episode.ts";
import { startWorld, type World } from "./world.ts";

export interface Worker {
  /** Throws what an episode broke off with; the next one finds a new world. */
  play(options: EpisodeOptions): Promise<Episode>;
  close(): Promise<void>;
}

const CLOSED_WITHIN_MS = 20_000;

export function startWorker(snapshot: Snapshot): Worker {
  let stands: { readonly browser: Browser; readonly world: World } | null = null;
  const stand = async (): Promise<World> => {
    if (stands !== null) return stands.world;
    const executablePath = findChromium();
    if (executablePath === undefined) throw new Error("No Chromium on this machine: install it, or set CHROMIUM_PATH.");
    const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_ARGS] });
    try {
      const world = await startWorld(snapshot, browser);
      stands = { browser, world };
      return world;
    } catch (error) {
      await browser.close();
      throw error;
    }
  };
  const close = async (): Promise<void> => {
    const old = stands;
    stands = null;
    if (old === null) return;
    // What hung may hang on: its server and browser end with this process at the latest.
    const closing = old.world.close().finally(() => old.browser.close());
    await Promise.race([closing.catch(() => undefined), after(CLOSED_WITHIN_MS)]);
  };
  return {
    async play(options) {
      try {
        return await runEpisode(await stand(), options);
      } catch (error) {
        await close();
        throw error;
      }
    },
    close,
  };
}
