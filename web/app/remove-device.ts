// Takes everything of ours out of this browser's databases, whether or not it can be read, and the notes of what waited.
import { LOST, WAITING } from "../sync/waiting.ts";

const OURS = /^causeway(?:$|[./])/;

export async function removeDevice(): Promise<void> {
  for (const { name } of await indexedDB.databases()) {
    if (name !== undefined && OURS.test(name)) await removed(name);
  }
  forgetNotes();
}

function forgetNotes(): void {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(WAITING) || key.startsWith(LOST));
    for (const key of keys) localStorage.removeItem(key);
  } catch {
    // Blocked: then nothing is there.
  }
}

/** One that another tab holds goes when that tab does; there is nothing to wait for. */
function removed(name: string): Promise<void> {
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(name);
    for (const type of ["success", "error", "blocked"]) request.addEventListener(type, () => resolve(), { once: true });
  });
}
