// Who has a person's database open, so that whoever takes it away need not ask the database: what waits there for others to
// let go stands before all who open it later, and Chromium (156) doesn't take it back with its page.
import type { Ports } from "./ports.ts";

/** Another tab holds what is stored, and doesn't let go. */
export class StillHeld extends Error {
  override readonly name = "StillHeld";

  constructor() {
    super("another tab holds what is stored");
  }
}

/** Whoever lives lets go of a database at once, ms. */
const HELD_AFTER_MS = 5_000;

/** Before the name of the database in the name of its lock. */
export const OPEN = "causeway.open.";

const lockOf = (name: string): string => OPEN + name;

/** @returns lets go of it */
export function holdDatabase(locks: LockManager | null, name: string): () => void {
  const waiting = new AbortController();
  const held = Promise.withResolvers<void>();
  // Called off where it wasn't this tab's turn yet.
  locks?.request(lockOf(name), { mode: "shared", signal: waiting.signal }, () => held.promise).catch(() => undefined);
  return () => {
    waiting.abort();
    held.resolve();
  };
}

/** Where no other tab has it open: whoever waited for that would stand before all who open it from then on. */
export async function ifAlone(locks: LockManager | null, name: string, work: () => Promise<void>): Promise<void> {
  if (locks === null) return work();
  await locks.request(lockOf(name), { ifAvailable: true }, (lock) => (lock === null ? undefined : work()));
}

/**
 * When no other tab has it open; fails with `StillHeld` where one doesn't let go in time, and asks nothing of the database
 * then, unless that tab is of a build or a browser without the lock.
 */
export function aloneInTime<T>(
  { locks, timers }: Pick<Ports, "locks" | "timers">,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const working = locks === null ? work() : (locks.request(lockOf(name), { signal }, work) as Promise<T>);
  return inTime(timers, working).finally(() => waiting.abort());
}

/** Fails with `StillHeld` where what is asked of a database takes so long that another tab must be holding it. */
export function inTime<T>(timers: Ports["timers"], work: Promise<T>): Promise<T> {
  const held = Promise.withResolvers<never>();
  const timer = timers.set(() => held.reject(new StillHeld()), HELD_AFTER_MS);
  work.catch(() => undefined);
  return Promise.race([work, held.promise]).finally(() => timers.clear(timer));
}
