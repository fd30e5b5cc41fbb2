// Takes everything of ours out of this browser's databases, whether or not it can be read.

const OURS = /^causeway(?:$|[./])/;

export async function removeDevice(): Promise<void> {
  for (const { name } of await indexedDB.databases()) {
    if (name !== undefined && OURS.test(name)) await removed(name);
  }
}

/** One that another tab holds goes when that tab does; there is nothing to wait for. */
function removed(name: string): Promise<void> {
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(name);
    for (const type of ["success", "error", "blocked"]) request.addEventListener(type, () => resolve(), { once: true });
  });
}
