/** When a long-running script has to stop: asked by a signal, or because the npm that started it is gone. */

const PARENT_CHECK_MS = 500;

/**
 * Calls `stop` once. npm starts scripts through a shell, and ended by SIGTERM it takes that shell with it
 * but not what the shell runs; so under npm the parent is watched.
 */
export function onStop(stop: () => void): void {
  let isStopping = false;
  const once = (): void => {
    if (isStopping) return;
    isStopping = true;
    stop();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, once);
  if (process.env["npm_lifecycle_event"] === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) once();
  }, PARENT_CHECK_MS).unref();
}
