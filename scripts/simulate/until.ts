/** Waiting for something that somebody else brings about, and never for ever. */
import { setTimeout as after } from "node:timers/promises";

const LOOK_EVERY_MS = 150;

/** Resolves when `holds` answers true; false when it hasn't after `withinMs`. */
export async function until(holds: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    if (await holds()) return true;
    if (performance.now() > deadline) return false;
    await after(LOOK_EVERY_MS);
  }
}

/** As `until`; throws, naming what was waited for. */
export async function mustSee(what: string, holds: () => boolean | Promise<boolean>, withinMs: number): Promise<void> {
  if (!(await until(holds, withinMs))) throw new Error(`Waited ${withinMs / 1000} s for ${what}`);
}
