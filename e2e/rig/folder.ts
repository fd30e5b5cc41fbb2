/** Folders that a test made, and that go with it. */
import { rmSync } from "node:fs";

/** What ran in it a moment ago, a server or a browser, may still be writing its last: it is tried again for seconds. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}
