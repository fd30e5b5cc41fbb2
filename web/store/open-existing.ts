import { settled } from "./database.ts";

/**
 * A database by its name, opened in the version it has. Null where there is none: it isn't made by looking. The browser
 * isn't asked for a list: Firefox (153) gives none where the file of any of them can't be read.
 * Rejects with the DOMException that opening it failed with.
 */
export async function openExisting(factory: Pick<IDBFactory, "open">, name: string): Promise<IDBDatabase | null> {
  const request = factory.open(name);
  let isMissing = false;
  // Taken back: whoever makes it anew would find an empty one of version 1.
  request.addEventListener("upgradeneeded", () => {
    isMissing = true;
    request.transaction?.abort();
  });
  return settled(request).catch((error: unknown) => {
    if (isMissing) return null;
    throw error;
  });
}
