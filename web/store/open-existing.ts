import { settled } from "./database.ts";

/**
 * A database by its name, opened in the version it has. Null where there is none: it isn't made by looking.
 * Rejects with the DOMException that opening it failed with.
 */
export async function openExisting(
  factory: Pick<IDBFactory, "databases" | "open">,
  name: string,
): Promise<IDBDatabase | null> {
  const known = await factory.databases();
  if (!known.some((database) => database.name === name)) return null;
  const request = factory.open(name);
  let isGone = false;
  // Removed since it was named: taken back, for whoever makes it anew would find an empty one of version 1.
  request.addEventListener("upgradeneeded", () => {
    isGone = true;
    request.transaction?.abort();
  });
  return settled(request).catch((error: unknown) => {
    if (isGone) return null;
    throw error;
  });
}
